"""How molecules are made and bought: before these the gates stand."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "sold",
        "Say whether MOLECULE is probably sold, or patented by a filter that you bring.",
        "workflows.synthesis.selling:SOLD",
    ),
    Action(
        "routes",
        "Suggest of what MOLECULE may be made in one step, by published rules.",
        "workflows.synthesis.routing:ROUTES",
    ),
    Action(
        "classify",
        "Say of what class the reaction CHEMICALS is, and which atom becomes which.",
        "workflows.synthesis.classifying:CLASSIFY",
    ),
    Action(
        "products",
        "Suggest what CHEMICALS may give with each other, by rules.",
        "workflows.synthesis.producing:PRODUCTS",
    ),
)
