"""Signatures by a key of who publishes: gpg makes them, and alone knows the key."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from kernport.build.native import run
from kernport.errors import AnswerNo, EnvironmentLacks, UsageError


@dataclass(frozen=True)
class Signer:
    """A key that gpg has the secret part of, by its fingerprint, address or name."""

    key: str

    def check(self) -> None:
        """Raise UsageError where gpg has no such key, EnvironmentLacks where there is no gpg."""
        if shutil.which("gpg") is None:
            raise EnvironmentLacks("gpg is missing, which makes signatures; apt-get install gnupg")
        try:
            run(["gpg", "--batch", "--list-secret-keys", "--", self.key], "gpg")
        except AnswerNo as error:
            raise UsageError(
                f"--sign {self.key}: gpg has no such secret key; gpg --list-secret-keys shows those it has"
            ) from error

    def sign(self, path: Path, inline: Path, beside: Path) -> list[Path]:
        """Sign a text: once with the text in the signature, once without; returns the files of both."""
        for how, out in (("--clear-sign", inline), ("--detach-sign", beside)):
            self._gpg(["--local-user", self.key, "--armor", how, "--output", str(out), str(path)])
        return [inline, beside]

    def export(self, path: Path) -> Path:
        """Write the public key for those who check, in bytes: to read text, apt needs awk."""
        self._gpg(["--export", "--output", str(path), "--", self.key])
        return path

    def _gpg(self, arguments: list[str]) -> None:
        run(["gpg", "--batch", "--yes", *arguments], f"gpg, with the key {self.key},")
