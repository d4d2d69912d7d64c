"""An apt repository as files: the debs of a pool, listed by architecture (Debian's repository format)."""

import gzip
import hashlib
import lzma
from collections.abc import Mapping
from pathlib import Path

from kernport.build.audit.archive import ar_members, tar_members
from kernport.build.contents import date_of
from kernport.build.everything.signature import Signer
from kernport.build.recipe import Tree

SUITE, COMPONENT = "stable", "main"


def source_line(tree: Tree, root: str, signed: bool) -> str:
    """The line of apt's sources for a repository that lies at `root`."""
    trust = f"signed-by={root}/{_key_file(tree)}" if signed else "trusted=yes"
    return f"deb [{trust}] file:{root} {SUITE} {COMPONENT}"


def write_repository(tree: Tree, root: Path, signer: Signer | None = None) -> list[Path]:
    """Write the lists of the debs below `root`/pool, signed if there is who signs; returns their paths.

    apt takes them by `source_line`.
    """
    stanzas: dict[str, list[str]] = {}
    for deb in sorted(root.glob(f"pool/{COMPONENT}/**/*.deb")):
        control = _control(deb)
        stanza = f"{control}Filename: {deb.relative_to(root)}\n{_sizes(deb.read_bytes())}"
        stanzas.setdefault(_field(control, "Architecture"), []).append(stanza)
    suite = root / "dists" / SUITE
    written: dict[str, bytes] = {}
    for architecture, each in sorted(stanzas.items()):
        name = f"{COMPONENT}/binary-{architecture}/Packages"
        content = "\n".join(each).encode()
        written[name] = content
        written[f"{name}.gz"] = gzip.compress(content, 9, mtime=0)
        written[f"{name}.xz"] = lzma.compress(content)
    written["Release"] = _release(tree, sorted(stanzas), written)
    for name, content in written.items():
        path = suite / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    made = [suite / name for name in written]
    if signer is not None:
        made += signer.sign(suite / "Release", inline=suite / "InRelease", beside=suite / "Release.gpg")
        made.append(signer.export(root / _key_file(tree)))
    return made


def _key_file(tree: Tree) -> str:
    return f"{tree.name}.gpg"


def _control(deb: Path) -> str:
    members = {member.name.partition(".")[0]: member for member in ar_members(deb.read_bytes(), str(deb))}
    for member in tar_members(members["control"].content, str(deb)):
        if member.name == "control":
            return member.content.decode().rstrip("\n") + "\n"
    raise AssertionError(f"{deb}: no control file")


def _field(control: str, name: str) -> str:
    return next(
        line.partition(":")[2].strip() for line in control.splitlines() if line.startswith(f"{name}:")
    )


def _sizes(content: bytes) -> str:
    return f"Size: {len(content)}\nSHA256: {hashlib.sha256(content).hexdigest()}\n"


def _release(tree: Tree, architectures: list[str], files: Mapping[str, bytes]) -> bytes:
    lines = [
        f"Origin: {tree.name}",
        f"Label: {tree.name}",
        f"Suite: {SUITE}",
        f"Codename: {SUITE}",
        f"Version: {tree.version}",
        f"Date: {date_of(tree.released)}",
        f"Architectures: {' '.join(architectures)}",
        f"Components: {COMPONENT}",
        f"Description: {tree.summary}",
        "SHA256:",
    ]
    lines += [
        f" {hashlib.sha256(content).hexdigest()} {len(content)} {name}" for name, content in files.items()
    ]
    return ("\n".join(lines) + "\n").encode()
