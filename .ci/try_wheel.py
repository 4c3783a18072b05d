"""Build the package and use it as people do who install it: bare, and with each extra alone.

Only the standard library runs here: whatever Grafico needs must come with its own requirements.
Each environment is a fresh one with the bare package in it; an extra is added by the very command
that an error message names. `gpu` and `gpu13` need a card, `mace` and `mlip` 6 GB, `synthesis` a
compiler: only their requirements are resolved.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HARTREE = -74.9629  # water at HF/STO-3G, the geometry of examples/water.xyz
EVERY_MODULE = """
import importlib, pkgutil
for top in ("triplestore", "ogm", "ontologies", "workflows", "grafico"):
    package = importlib.import_module(top)
    for module in pkgutil.walk_packages(package.__path__, top + "."):
        if "__main__" not in module.name and ".inside." not in module.name:
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                print(module.name, error.name)
"""
SERVED = """
import asyncio, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    words = ["mcp", "--store", "memory:", "--quiet"]
    server = StdioServerParameters(command=sys.argv[1], args=words)
    async with stdio_client(server) as streams, ClientSession(*streams) as client:
        await client.initialize()
        print(*sorted(tool.name for tool in (await client.list_tools()).tools))

asyncio.run(main())
"""
VALIDATED = """
from ogm import KnowledgeGraph
from ogm.shapes import shapes, violations
from ontologies.provenance import Software
from triplestore import open_store
with open_store("memory:") as store:
    KnowledgeGraph(store).push(Software(name="Python", version="3"))
    stored = b"".join(store.dump())
wrong = stored.replace(b'"Python"', b'"1"^^<urn:x:number>')
print([len(violations(data, shapes([Software]))) for data in (stored, wrong)])
"""
QUEUED = """
from pathlib import Path
from workflows.engine.queues import Queue
print(*(Queue(scheduler, Path("jobs")).folder.name for scheduler in ("slurm", "pbs", "lsf")))
"""
OFFERED = """
from grafico.agent.tools import usable
from grafico.session.settings import read_settings
print(*usable(read_settings()))
"""


DYE = """
name: dye
chemicals: {water: {state: liquid, structure: O}, dye: {state: solid}}
stocks: {dye in water: {of: dye, in: water, concentration: 10 mM}}
volume: 1 mL
solvent: water
samples: [{amounts: {dye in water: {start: 4 mM, factor: 2, number: 3}}}]
"""


class Place:
    """An environment with Grafico in it, and an empty folder where its commands run."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name
        self.folder = path.parent / f"{name}-folder"
        self.folder.mkdir()
        shutil.copy(ROOT / "examples" / "water.xyz", self.folder)
        kept = ("PATH", "HOME", "LANG", "TMPDIR")
        self.environment = {k: os.environ[k] for k in kept if k in os.environ}
        for kind in ("DATA", "CONFIG", "STATE", "CACHE"):
            self.environment[f"XDG_{kind}_HOME"] = str(self.folder / kind.lower())

    def pip(self, *words: str, quiet: bool = True) -> None:
        command = [self.python, "-m", "pip", "--disable-pip-version-check", "--no-input"]
        more = ["--quiet"] if quiet else []
        subprocess.run(
            [*command, words[0], *more, "-c", str(ROOT / "constraints.txt"), *words[1:]],
            check=True,
            cwd=self.folder,
        )

    @property
    def python(self) -> str:
        return str(self.path / "bin" / "python")

    def run(self, *words: str, status: int = 0, program: str = "grafico") -> str:
        """Run a command; return what it printed, both streams where it failed as it should."""
        start = [str(self.path / "bin" / program)] if program == "grafico" else [program]
        done = subprocess.run(
            [*start, *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        if done.returncode != status:
            sys.exit(
                f"{self.name}: {' '.join(words)}: status {done.returncode} in place of {status}\n"
                f"{done.stdout}{done.stderr}"
            )
        return done.stdout if not status else done.stdout + done.stderr

    def code(self, text: str, *words: str) -> str:
        return self.run("-W", "ignore", "-c", text, *words, program=self.python)

    def expect(self, said: str, *pieces: str) -> None:
        for piece in pieces:
            if piece not in said:
                sys.exit(f"{self.name}: {piece!r} is not in\n{said}")


def energy(place: Place, *molecule: str) -> None:
    """Compute water as people name it, and look at the number."""
    said = place.run("run", *molecule, "--method", "HF", "--basis", "STO-3G", "--json", "--quiet")
    found = re.findall(r'"energy":\s*(?:\{[^}]*"value":\s*)?(-[\d.]+)', said)
    if not found or abs(float(found[0]) - HARTREE) > 5e-3:
        sys.exit(f"{place.name}: the energy of water came out as {found}\n{said}")


def bare(place: Place) -> None:
    """Do the main jobs of the package without extras; each extra is named where it is missed."""
    place.expect(place.run("--help"), "run")
    place.expect(place.run("--version"), "grafico, version ")
    for molecule in (["water"], ["O"], ["water.xyz"], ["InChI=1S/H2O/h1H2"]):
        energy(place, *molecule)
    place.run("run", "water", "--task", "frequencies", "--method", "HF", "--basis", "STO-3G")
    place.expect(place.run("runs"), "HF/STO-3G")
    place.expect(place.run("query", "SELECT ?e { ?r g:energy ?e }"), "-74.9")
    place.expect(place.run("report", "-o", "report.html"), "report.html")
    place.run("convert", "water.xyz", "--to", "mol")
    place.expect(place.run("skills"), "ring-strain", "pka", "mof-study")
    run = json.loads(place.run("runs", "--json"))[0]["run"]
    place.run("export", run, "-o", "run.zip")
    place.expect(place.run("fsck"), "no fault")
    for words, extra in (
        (["ask", "energy of water"], "agent"),
        (["chat"], "agent"),
        (["run", "water", "--router", "model:openai-chat:x"], "agent"),
        (["mcp"], "mcp"),
        (["web"], "page"),
        (["run", "[O]", "--kind", "selfies"], "selfies"),
        (["convert", "water.xyz", "--to", "selfies"], "selfies"),
        (["run", "water", "--trace", "trace.jsonl"], "tracing"),
        (["batch", "water.xyz", "-o", "table.parquet"], "parquet"),
        (["mof", "build", "pcu", "N16", "E14"], "mof"),
        (["run", "water.xyz", "--method", "CHGNet"], "mlip"),
        (["run", "water.xyz", "--method", "MACE"], "mace"),
    ):
        said = place.run(*words, status=1)
        place.expect(said, f"pip install 'grafico-chem[{extra}]'")
        if "Traceback" in said:
            sys.exit(f"bare: {' '.join(words)} ends in a traceback\n{said}")
    said = place.run("run", "water.xyz", "--method", "HF", "--basis", "pcJ-1", status=2)
    place.expect(said, "pip install 'grafico-chem[bse]'")  # beside the nearest names of PySCF
    said = place.run("-c", QUEUED, program=place.python, status=1)
    place.expect(said, "pip install 'grafico-chem[queue]'")
    missed = dict(line.split() for line in place.code(EVERY_MODULE).splitlines())
    known = tuple(f"grafico.{part}." for part in ("agent", "mcp", "serving", "web"))
    begins = "workflows.liquids.robot"  # the beginning of programs that are written for PyLabRobot
    strange = {n: m for n, m in missed.items() if not n.startswith(known) and n != begins}
    if strange:
        sys.exit(f"bare: modules that cannot be imported without an extra: {strange}")


def agent(place: Place) -> None:
    said = place.run("ask", "energy of water with HF/STO-3G", "--quiet")
    place.expect(said, "-74.9")


def bse(place: Place) -> None:
    """Compute water with a set that PySCF lacks; the number is that of Psi4 1.3.2."""
    said = place.run("run", "water.xyz", "--method", "HF", "--basis", "pcJ-1", "--quiet")
    place.expect(said, "HF/pcJ-1 own-", "-76.02432", "from the Basis Set Exchange")


def lab(place: Place) -> None:
    """Write a protocol as a program, and run that on PyLabRobot's simulator."""
    (place.folder / "dye.yaml").write_text(DYE)
    place.run("protocol", "dye.yaml", "-o", "dye.py")
    place.expect(place.run("dye.py", program=place.python), "Plate 1 A2 holds 1000.0")


def mcp(place: Place) -> None:
    place.expect(place.code(SERVED, str(place.path / "bin" / "grafico")), "calculate", "query")


def mof(place: Place) -> None:
    said = place.run("mof", "build", "pcu", "N16", "E14", "--measure", "--quiet")
    place.expect(said, "pcu N16 E14", "largest cavity", "15.1")


def page(place: Place) -> None:
    command = [str(place.path / "bin" / "grafico"), "web", "--at", "0", "--no-browser"]
    with subprocess.Popen(
        command, cwd=place.folder, env=place.environment, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        try:
            address, _, token = server.stderr.readline().split()[-1].partition("/#token=")

            def read(path: str, said: object = None) -> str:
                request = urllib.request.Request(address + path)
                request.add_header("Authorization", f"Bearer {token}")
                data = None if said is None else json.dumps(said).encode()
                with urllib.request.urlopen(request, data, timeout=300) as answer:
                    return answer.read().decode()

            place.expect(read("/"), "<script", "</html>")
            key = json.loads(read("/api/conversations", {}))["key"]
            read("/api/ask", {"key": key, "text": "energy of water with HF/STO-3G"})
            for _ in range(600):
                said = read(f"/api/conversations/{key}")
                if not json.loads(said)["busy"]:
                    break
                time.sleep(0.5)
            place.expect(said, "-74.9")
        finally:
            server.terminate()


def parquet(place: Place) -> None:
    (place.folder / "few.csv").write_text("name,smiles\nwater,O\nammonia,N\n")
    written = ("-o", "few.parquet", "-o", "table.csv")
    place.run("batch", "few.csv", "--method", "GFN2-xTB", "--quiet", *written)
    said = place.code("import pandas; print(pandas.read_parquet('few.parquet').energy_Eh.min())")
    place.expect(said, "-5.07")  # water, GFN2-xTB


def names(place: Place) -> None:
    place.expect(place.run("lookup", "hepes"), "JKMHFZQWWAIEOD-UHFFFAOYSA-N")


def queue(place: Place) -> None:
    place.expect(place.code(QUEUED), "jobs jobs jobs")


def selfies(place: Place) -> None:
    energy(place, "[O]", "--kind", "selfies")
    place.expect(place.run("convert", "water.xyz", "--to", "selfies"), "[O]")


def shacl(place: Place) -> None:
    place.expect(place.code(VALIDATED), "[0, 1]")


def tracing(place: Place) -> None:
    place.run("run", "water.xyz", "--trace", "trace.jsonl", "--method", "HF", "--basis", "STO-3G")
    spans = [json.loads(line) for line in (place.folder / "trace.jsonl").read_text().splitlines()]
    if not any("scf" in str(span) or "energy" in str(span) for span in spans):
        sys.exit(f"tracing: no span of a calculation among {len(spans)}")


def search(place: Place) -> None:
    place.environment["GRAFICO_AGENT_WEB"] = "true"
    place.expect(place.code(OFFERED), "web_search")
    agent(place)


JOBS = {
    job.__name__: job
    for job in (
        agent,
        bse,
        lab,
        mcp,
        mof,
        names,
        page,
        parquet,
        queue,
        search,
        selfies,
        shacl,
        tracing,
    )
}
NOT_INSTALLED = {"gpu", "gpu13", "mace", "mlip", "recall", "synthesis"}
"""What needs a card, or is large."""
FOR_CLONES = {"dev"}


def built(folder: Path) -> Path:
    """Build the source archive, from it the wheel, and have both checked as an index would."""
    venv.create(folder / "tools", with_pip=True)
    tools = Place(folder / "tools", "tools")
    tools.environment["PIP_CONSTRAINT"] = str(ROOT / "constraints.txt")
    tools.pip("install", "build", "twine")
    tools.run("-m", "build", "--outdir", str(folder), str(ROOT), program=tools.python)
    (wheel,), (source,) = folder.glob("grafico_chem-*.whl"), folder.glob("grafico_chem-*.tar.gz")
    tools.run("-m", "twine", "check", "--strict", str(wheel), str(source), program=tools.python)
    return wheel


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("extras", nargs="*", help="only these, and bare; without, all")
    chosen = parser.parse_args().extras
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    if forgotten := extras.keys() - JOBS.keys() - NOT_INSTALLED - FOR_CLONES:
        sys.exit(f"no main job is known of the extras {', '.join(sorted(forgotten))}: add it here")
    with tempfile.TemporaryDirectory(prefix="grafico-wheel-") as temporary:
        work = Path(temporary)
        print("bare: building the package, installing it…", flush=True)
        shutil.rmtree(ROOT / "build", ignore_errors=True)  # what lies there would go into the wheel
        venv.create(work / "bare", with_pip=True)
        place = Place(work / "bare", "bare")
        place.pip("install", str(built(work)))
        for name in (n for n in extras if n not in FOR_CLONES and (not chosen or n in chosen)):
            shutil.copytree(work / "bare", work / name, symlinks=True, copy_function=os.link)
            program = work / name / "bin" / "grafico"
            text = program.read_text().replace(str(work / "bare"), str(work / name))
            program.unlink()  # it is the bare one's too
            program.write_text(text)
            program.chmod(0o755)
        print("bare: its main jobs…", flush=True)
        bare(place)
        for name in extras:
            if not (work / name).is_dir():
                continue
            print(f"{name}: installing it, its main job…", flush=True)
            place = Place(work / name, name)
            if name in NOT_INSTALLED:
                place.pip("install", "--dry-run", f"grafico-chem[{name}]")
            else:
                place.pip("install", f"grafico-chem[{name}]")
                JOBS[name](place)
            shutil.rmtree(work / name)
    print("the wheel works, bare and with each extra")


if __name__ == "__main__":
    main()
