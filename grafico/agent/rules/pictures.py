"""Files that are asked for in plain words, pictures above all: commands write them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .lexicon import is_name

NOUN = r"(?:picture|image|figure|plot|chart|graph|drawing|diagram)"

AS = (
    rf"(?:as|to|in|into|under)(?: (?:an?|the|one))?(?: (?:png|svg|pdf|{NOUN}))?(?: file)?"
    r"(?: (?:named|called))?"
)
"""What stands before the name of a picture's file."""

FILE = re.compile(
    r"(?i)\b(?:and )?(?:saved?|write|drawn?|plot(?:ted)?|export|show|store)"
    r"(?: (?:me|it|this|that|them|the|an?|my|results?|picture|plot|chart|spectrum|table|numbers"
    r"|curve|(?:optimi[sz]ed |relaxed |final )?(?:geometry|structure|coordinates)))*"
    r" (?:as|to|in|into|under) "
    r"(?P<file>[\w./-]{1,200}[.](?:png|svg|pdf|csv|xyz|sdf|mol|pdb|cif))\b"
)
"""A picture, its numbers or a structure as a file of some name."""

HELD = re.compile(
    r"(?i),? ?\b(?:(?:and|with|plus|including) )*(?:(?:make|draw|give|show|create)(?: me)? )?(?:"
    rf"(?:(?:an?|the|its|one) )?{NOUN}(?: file)?(?: of (?:it|that|this))?"
    r"(?: (?:saved|written|stored|drawn|named|called))?(?: (?:as|to|in|into|under))?"
    rf"|{AS}):? "
    r"(?P<file>[\w./-]{1,200}[.](?:png|svg|pdf))(?![\w/])"
)
"""A picture by its noun or a preposition alone: as a picture ir.png, with a plot in ir.png."""

DRAWN = (".png", ".svg", ".pdf", ".csv")
"""What a chart, or its numbers, is written as; others hold structures."""

FORM = re.compile(
    r"(?i)\b(?:and )?(?:(?:saved?|write|drawn?|plot(?:ted)?) )?(?:it )?"
    r"(?:as|in) (?:an? )?(?P<form>png|svg|pdf)(?: file| picture| image)?\b"
)
"""The kind of such a file."""

WHOLE = re.compile(
    r"(?i)^ *(?:please )?(?:save|write|draw|plot|sketch|export|convert|turn|store) "
    rf"(?P<what>\S.{{0,200}}?) {AS} "
    r"(?P<file>[\w./-]{1,200}[.](?:png|svg|pdf|csv|xyz|sdf|mol|pdb|cif)) *$"
)
"""The same with what it is of between."""

NAMED = re.compile(
    r"(?i)^ *(?P<what>\S.{0,200}?),? as (?P<file>[\w./-]{1,200}[.](?:png|svg|pdf|csv)) *$"
)
"""The same of a picture or a table without a verb."""

DRAW = re.compile(
    r"(?i)^ *(?:please )?(?:(?:draw|plot|sketch)(?: me)?\b"
    r"|(?:(?:make|show|give|create|i want)(?: me)? )?(?:an? |the )?(?:picture|image|drawing) of\b)"
    r"(?! (?:the )?(?:orbital|homo|lumo|somo))"
)
"""That a picture is wanted."""

FORMULA = re.compile(
    r"(?i)^(?:the |an? |structural |skeletal |lewis |2d |3d )*(?:structure|formula)s? (?:of|for) "
)
"""What stands before a molecule of which no number is asked."""

STRUCTURE = re.compile(r"(?i)[\w./-]{1,200}[.](?:xyz|sdf|mol2?|pdb|cif)")
"""A file of a molecule, of which no number is asked either."""

CHARTED = re.compile(
    r"(?i)\b(?:spectr|IR\b|UV\b|infra-?red|absorption|curve|profile|scan|chart|graph|plot|course|path"
    r"|orbital (?:energ|level|diagram)|\bMO\b|diagram"
    r"|barrier|histogram|torsion|rotat|frequenc|vibration|wavenumber|excit|optimi[sz]|conformer)"
)
"""What is drawn of a result; of other numbers there is no chart."""

INPUT = re.compile(
    r"(?i)^ *(?:please )?"
    r"(?:(?:write|make|generate|create|prepare|give|get|i (?:need|want))(?: me)? )?"
    r"(?:an? |the |my )?(?:(?P<program>orca|gaussian|psi4|xtb) (?:input|inp|job|com)(?: file)?s?"
    r"|(?:input|job)(?: file)?s? (?:for|of) (?P<other>orca|gaussian|psi4|xtb))"
    r"(?: (?:for|of|to|about|with))? "
)
"""An input of another program."""

CORES = re.compile(r"(?i),? ?(?:(?:on|with|using) )?\d{1,3} (?:cores?|processors?|procs|cpus)\b")

ORBITAL = re.compile(
    r"(?i)^ *(?:please )?(?:(?:draw|plot|show|sketch|see|visuali[sz]e|make|give)(?: me)? )?"
    r"(?:(?:an? |the )?(?:picture|image|drawing) of )?(?:the )?"
    r"(?P<orbital>(?:homo|lumo|somo)(?: ?[-+] ?\d)?)(?: orbitals?)?(?: of| for) "
)
"""An orbital as a picture."""

FIELD = re.compile(
    r"(?i)^ *(?:please )?(?P<drawn>(?:draw|plot|show|sketch|see|visuali[sz]e|map)(?: me)? )?"
    rf"(?:(?:make|give)(?: me)? )?(?P<picture>(?:an? |the )?{NOUN} of )?(?:the )?"
    r"(?P<field>spin density|(?:total )?electron density|electrostatic potential|esp|mep)"
    r"(?P<surface>(?: (?:map|isosurface|surface))*)(?: of| for) "
)
"""A density or the electrostatic potential, which is a picture where one is said."""

FIELDS = {"s": "spin-density", "e": "potential", "m": "potential"}
"""Options of `grafico cube` by the first letter of what is asked for, but for the density."""

MODE = re.compile(
    r"(?i)^ *(?:please )?(?:animate|(?:(?:make|write|show|give|draw)(?: me)? )?(?:an? |the )?"
    r"(?:animation|movie|film|video|xyz|trajectory)(?: file)? (?:of|for))"
    r" (?:the )?(?:normal |vibrational )?(?:mode|vibration)(?: number| no[.]?)? (?P<mode>\d{1,4})"
    r"(?: of| for| in) "
)
"""A mode of vibration as a film."""

WITHOUT_ORBITALS = re.compile(r" --(?:method|level) \S*(?:GFN|xtb)\S*", re.IGNORECASE)
"""What nothing here keeps orbitals of."""

IS_BATCH = re.compile("grafico batch ")

USUAL = "picture.png"


@dataclass(frozen=True)
class Picture:
    """A picture that is asked for.

    Attributes:
        file: its name.
        rest: what is asked besides.
        program: whose input it is, if it is one.
        orbital: what it shows, as options of `grafico cube`, if that is an orbital or the like;
            of a mode as a film those of `grafico write`.
    """

    file: str
    rest: str
    program: str = ""
    orbital: str = ""

    def is_written(self, commands: Sequence[str]) -> bool:
        """Return whether commands write it, as far as words tell: not of each number is a chart."""
        table = self.file.lower().endswith(".csv") and any(map(IS_BATCH.match, commands))
        drawn = self.file.lower().endswith(DRAWN) and not self.formula()
        return table or not drawn or bool(self.orbital or CHARTED.search(self.rest))

    def problem(self, commands: Sequence[str]) -> str:
        """Return why it is not written."""
        if self.program:
            cores = "; how many cores it takes is to be added" if CORES.search(self.rest) else ""
            told = f"an input of {self.program} is not written by a plain request"
            return f"{told}; a command does it{cores}"
        if not self.is_written(commands):
            why = "of these numbers there is no chart"
            return f"{why}, so {self.file} is not written; they are printed"
        file = shlex.split(self.formula()[0])[-1] if self.formula() else self.file
        told = f"{file} is not written by a plain request; a command does it"
        if " --orbital" in f" {self.orbital}" and re.search(r"(?i)\bGFN\d|\bxtb\b", self.rest):
            told += ", at a level of DFT, as no orbitals of tight binding are kept"
        return told

    @property
    def said(self) -> str:
        """What is asked besides, as a request."""
        return CORES.sub("", self.rest) if self.program else self.rest

    def formula(self) -> tuple[str, ...]:
        """Return the command line that writes a molecule of which no number is asked, if any.

        Without a name for it the file is called as the molecule is.
        """
        if self.program or self.orbital:
            return ()
        molecule = FORMULA.sub("", self.rest)
        if not (is_name(molecule) or STRUCTURE.fullmatch(molecule)):
            return ()
        file = self.file
        if file == USUAL and (name := re.sub(r"[^\w.,-]+", "-", molecule).strip("-.")):
            file = f"{name}.png"
        return (f"grafico convert {shlex.quote(molecule)} --output {file}",)

    def lines(self, commands: Sequence[str]) -> tuple[str, ...]:
        """Return command lines that write what others compute, or print it."""
        if self.program:
            ran = [one for one in commands if one.startswith("grafico run ")]
            return tuple(f"grafico write{one[11:]} --to {self.program}" for one in ran)
        if self.orbital.startswith("--mode"):
            film = f"grafico write last {self.orbital} -o {self.file}"
            return tuple(f"{one} && {film}" for one in commands)
        if self.orbital:
            cube = f"grafico cube last {self.orbital} -o {self.file}"
            return tuple(f"{WITHOUT_ORBITALS.sub('', one)} && {cube}" for one in commands)
        if not self.is_written(commands):
            return tuple(f"{one} --json" for one in commands)
        drawn = self.file.lower().endswith(DRAWN) and not any(map(IS_BATCH.match, commands))
        return tuple(f"{one} {'--plot' if drawn else '--output'} {self.file}" for one in commands)


def picture_in(text: str) -> Picture | None:
    """Return the picture that a request asks for; None for none."""
    if of := MODE.search(text):
        mode, rest = of["mode"], f"frequencies of {text[of.end() :]}"
        return Picture(f"mode-{mode}.xyz", rest, orbital=f"--mode {mode}")
    if of := INPUT.search(text):
        return Picture("", text[of.end() :], program=(of["program"] or of["other"]).lower())
    named = (one for rule in (FILE, HELD) if (one := rule.search(text)))
    asked = min(named, key=lambda one: one.start(), default=None)
    whole = WHOLE.search(text)
    if whole and asked and asked.end() > whole.end("what") > asked.start() + 1:
        whole = None  # what it is of would hold a part of how it is kept
    if whole := whole or (None if asked else NAMED.search(text)):
        drawn = _orbital(whole["what"], pictured=True)
        return (
            replace(drawn, file=whole["file"]) if drawn else Picture(whole["file"], whole["what"])
        )
    drawn = _orbital(asked.string[: asked.start()], pictured=True) if asked else _orbital(text)
    if drawn:
        return replace(drawn, file=asked["file"]) if asked else drawn
    asked = asked or FORM.search(text) or DRAW.search(text)
    if asked is None:
        return None
    said = asked.groupdict()
    file = said.get("file") or f"picture.{said['form'].lower()}" if said else USUAL
    rest = f"{text[: asked.start()].rstrip(' ,;.')} {text[asked.end() :]}"
    return Picture(file, rest.strip(" ,;."))


def _orbital(text: str, *, pictured: bool = False) -> Picture | None:
    """Return the picture of an orbital or the like, by the usual name of its file.

    Args:
        text: what it is of.
        pictured: whether a file of it is asked for.
    """
    of = ORBITAL.search(text)
    if of is not None:
        if re.search("(?i)energ|gap|value", text[: of.end()]):
            return None
        orbital = of["orbital"].lower().replace(" ", "")
        option = f"--orbital {orbital}"
        return Picture(f"{orbital[:4]}.png", f"energy of {text[of.end() :]}", orbital=option)
    of = FIELD.search(text)
    if of is None or not (pictured or of["drawn"] or of["picture"] or of["surface"]):
        return None
    words = of["field"].lower()
    name = "density" if words.endswith("electron density") else FIELDS[words[0]]
    return Picture(f"{name}.png", f"energy of {text[of.end() :]}", orbital=f"--{name}")


def is_drawing(text: str) -> bool:
    """Tell whether a request begins with drawing, which is read as computing."""
    return DRAW.search(text) is not None


def drawn_by(commands: Sequence[str]) -> tuple[str, ...]:
    """Return what is told where one command would draw what a request computed."""
    if len(commands) != 1:
        return ()
    return (f"nothing is drawn by a plain request; {commands[0]} --plot {USUAL} does that",)
