"""Get the tree a set is tried on: a directory, a tarball, a Debian source package, or Debian's archive."""

from __future__ import annotations

import os
import re
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path

from kernport.backport import process
from kernport.backport.series import DebianSource
from kernport.backport.temporary import move_into_place, temporary_folder
from kernport.errors import AnswerNo, EnvironmentLacks, KernportError, UsageError

_TARBALL = re.compile(r"\.(tar(\.(gz|bz2|xz))?|tgz|txz)$")


def cache_folder() -> Path:
    """Where fetched sources and results are kept: $KERNPORT_CACHE, or kernport/ in the user's cache."""
    own = os.environ.get("KERNPORT_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "kernport"


def unpack(path: Path, folder: Path, inside: str = "") -> Path:
    """The source tree in `path`: itself if it is a directory, else unpacked below `folder`.

    A .dsc is unpacked with the patches it carries, as it is built: they may be what a set brings. Of a
    tarball with `inside`, only that folder of its single top folder is unpacked and returned.

    Raises UsageError for what is none of directory, tarball and .dsc or is damaged, and for a tarball that
    would write outside `folder`.
    """
    if path.is_dir():
        return path
    if not path.is_file():
        raise UsageError(f"{path}: no such directory or file")
    if path.suffix == ".dsc":
        tree = folder / "tree"
        command = ["dpkg-source", "--no-check", "-x", str(path.resolve()), str(tree)]
        _run(command, folder, "dpkg-dev", UsageError)
        return tree
    if not _TARBALL.search(path.name):
        raise UsageError(f"{path}: not a source tree: name a directory, a tarball or a Debian .dsc file")
    try:
        with tarfile.open(path) as archive:
            members = [each for each in archive if f"{each.name}/".partition("/")[2].startswith(inside)]
            archive.extractall(folder / "tarball", members, filter="data")
    except tarfile.TarError as error:
        raise UsageError(f"{path}: cannot be unpacked: {error}") from error
    found = sorted((folder / "tarball").iterdir()) if (folder / "tarball").exists() else []
    top = found[0] if len(found) == 1 and found[0].is_dir() else folder / "tarball"
    return top / inside


def from_debian(source: DebianSource, cache: Path | None = None) -> Path:
    """The upstream tree of a Debian source package, without Debian's patches, from the cache or the archive.

    apt is given a state of its own below the cache and the system's own mirror, so nothing of the system
    changes. Raises EnvironmentLacks where there is no apt or no archive can be reached, AnswerNo where the
    suite has no such version.
    """
    root = (cache or cache_folder()) / "sources"
    leaf = source.inside.replace("/", "-") or "tree"
    kept = sorted(root.glob(f"{source.package}-{source.suite}-{source.version}*/{leaf}"))
    if kept:
        return kept[-1]
    if shutil.which("apt-get") is None:
        what = f"{source.package} {source.version}"
        raise EnvironmentLacks(f"apt-get is not installed, so {what} cannot be fetched: name a tree instead")
    root.mkdir(parents=True, exist_ok=True)
    with temporary_folder("fetch", root) as work:
        version = _download(source, root / "apt", work)
        tarball = next(path for path in work.iterdir() if re.search(r"\.orig\.tar\.\w+$", path.name))
        tree = unpack(tarball, work, f"{source.inside}/" if source.inside else "")
        if not tree.is_dir():
            raise AnswerNo(f"{source.package} {version} has no folder {source.inside}")
        final = root / f"{source.package}-{source.suite}-{version.rsplit('-', 1)[0].split(':')[-1]}"
        final.mkdir(exist_ok=True)
        move_into_place(tree, final / leaf)
    return final / leaf


def _download(source: DebianSource, apt: Path, work: Path) -> str:
    """Put the source package into `work`; with fresh lists if the kept ones are of yesterday."""
    options = _private_apt(apt, source.suite)
    failure = EnvironmentLacks(f"nothing could be fetched for {source.package}")
    for attempt in ("kept", "fresh"):
        if attempt == "fresh" or not list((apt / "lists").glob(f"*_{source.suite}_*Sources*")):
            _run(["apt-get", *options, "update"], apt, "apt")
        versions = _run(["apt-cache", *options, "showsrc", source.package], apt, "apt")
        stanza = rf"^Package: {re.escape(source.package)}$.*?^Version: (\S+)$"
        offered: list[str] = re.findall(stanza, versions, re.MULTILINE | re.DOTALL)
        fitting = [each for each in offered if re.match(rf"(\d+:)?{re.escape(source.version)}(?!\d)", each)]
        if not fitting and attempt == "fresh":
            have = ", ".join(offered) or "nothing"
            wanted = f"{source.package} {source.version}"
            raise AnswerNo(f"{source.suite} has no {wanted}; it has {have}: name a tree instead")
        for version in reversed(fitting):  # a mirror may list what it does not have yet, or no longer
            package = f"{source.package}={version}"
            command = ["apt-get", *options, "--download-only", "--tar-only", "source", package]
            try:
                _run(command, work, "apt")
                return version
            except EnvironmentLacks as error:
                failure = error
    raise failure


def _private_apt(apt: Path, suite: str) -> list[str]:
    for name in ("lists/partial", "cache/archives/partial"):
        (apt / name).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    sources = apt / f"{suite}.list"
    sources.write_text(f"deb-src [signed-by={_keyring()}] {_mirror()} {suite} main\n")
    settings = {
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": apt / "lists",
        "Dir::State::status": apt / "status",
        "Dir::Cache": apt / "cache",
        "APT::Get::List-Cleanup": "0",
        "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
        "Acquire::Retries": "3",
    }
    return [part for key, value in settings.items() for part in ("-o", f"{key}={value}")]


def _mirror() -> str:
    """The Debian mirror that this system uses itself."""
    listed = _run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)"], Path("/"), "apt")
    for line in listed.splitlines():
        address = line.split()[0]
        if address.rstrip("/").endswith("/debian"):
            return address
    raise EnvironmentLacks(
        "this system's apt knows no Debian mirror, so nothing can be fetched: name a tree instead"
    )


def _keyring() -> str:
    for path in ("/usr/share/keyrings/debian-archive-keyring.gpg", "/etc/apt/trusted.gpg.d/debian.gpg"):
        if Path(path).is_file():
            return path
    raise EnvironmentLacks("Debian's keys are not installed: install the package debian-archive-keyring")


def _run(
    command: Sequence[str], folder: Path, package: str, failure: type[KernportError] = EnvironmentLacks
) -> str:
    if shutil.which(command[0]) is None:
        raise EnvironmentLacks(f"{command[0]} is not installed: install the package {package}")
    folder.mkdir(parents=True, exist_ok=True)
    done = process.run(command, folder, timeout=900)
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).decode(errors="replace").splitlines()
        raise failure(f"`{command[0]}` failed: {said[-1] if said else done.returncode}")
    return done.stdout.decode(errors="replace")
