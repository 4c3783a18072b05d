"""Safety data of substances: what published lists say, offline; what they lack is said."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "safety",
        "Say what lists have of MOLECULE: flash point, exposure limits, carcinogen lists.",
        "workflows.safety.request:SAFETY",
    ),
    Action(
        "mixing",
        "Say what may come of CHEMICALS that come together: heat, fire, toxic gas.",
        "workflows.safety.mixing:MIXING",
    ),
)
