"""Keep the commands that a set brings in their scratch: a patch set may come from anybody.

bubblewrap shows them the system read-only, without network, other processes, devices, capabilities or the
sockets of /run; only the folders named are writable.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kernport.errors import EnvironmentLacks

_BUBBLEWRAP = (
    "bwrap",
    *("--ro-bind", "/", "/"),
    *("--dev", "/dev"),
    *("--proc", "/proc"),
    *("--remount-ro", "/proc"),  # since root owns the kernel's settings in it, and needs no capability
    *("--tmpfs", "/run"),
    *("--unshare-all", "--cap-drop", "ALL", "--die-with-parent", "--new-session"),
)
_REMEDY = "or, if you trust the set, let its commands do what they like with --unconfined"


@dataclass(frozen=True)
class Confinement:
    """What stands before a command to confine it; `name` is what reports call it."""

    name: str
    before: tuple[str, ...] = ()

    def around(self, command: Sequence[str], *writable: Path) -> list[str]:
        """The command such that, where it is confined, it can write to nothing but the folders."""
        if not self.before:
            return list(command)
        folders = [str(folder.resolve()) for folder in writable]
        binds = [word for folder in folders for word in ("--bind", folder, folder)]
        return [*self.before, *binds, "--", *command]


UNCONFINED = Confinement("not confined")


@functools.cache
def confinement() -> Confinement:
    """Bubblewrap, if it works here. Raises EnvironmentLacks where it is missing or the system forbids it."""
    if shutil.which("bwrap") is None:
        raise EnvironmentLacks(
            "bubblewrap is not installed, and without it the commands of a set could write anywhere: "
            f"install the package bubblewrap, {_REMEDY}"
        )
    found = Confinement("bubblewrap", _BUBBLEWRAP)
    done = subprocess.run(found.around(["true"]), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise EnvironmentLacks(
            f"bubblewrap does not work here ({done.stderr.strip()}), and without it the commands of a set "
            f"could write anywhere: allow user namespaces, {_REMEDY}"
        )
    return found
