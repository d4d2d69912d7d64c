"""What the unit tests share."""

import functools
import subprocess
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Judges words by the dispatcher's own code and tables, made for any architecture and run on this one.
FEATURES_PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dispatch/dispatch.h"
int main(int count, char **words) {
    uint64_t values[KP_WORD_COUNT + 1] = {0};
    for (int i = 1; i < count; i++) {
        const char *value = strchr(words[i], '=');
        size_t word = 0;
        while (value != NULL && word < KP_WORD_COUNT &&
               (strlen(kp_word_names[word]) != (size_t)(value - words[i]) ||
                strncmp(kp_word_names[word], words[i], (size_t)(value - words[i])) != 0))
            word++;
        if (value == NULL || word == KP_WORD_COUNT)
            return 2;
        values[word] = strtoull(value + 1, NULL, 0);
    }
    kp_feature_set found = kp_features_of_words(values);
    for (int i = 0; i < KP_FEATURE_COUNT; i++)
        if (found >> i & 1)
            puts(kp_features[i].name);
    return 0;
}
"""


@dataclass(frozen=True)
class Form:
    """The public names, by one of the two ways to the kernels: the fast calls, or cffi alone."""

    AESGCM: Any
    GMAC: Any
    md5: Any
    md5_many: Any


# Others than CPython have no fast calls.
@pytest.fixture(params=["fast", "cffi"] if sys.implementation.name == "cpython" else ["cffi"])
def form(request: pytest.FixtureRequest) -> Form:
    """Both forms of the package: every test that takes it runs twice."""
    from kernport import aead, calls, mac, over_cffi

    def over(cls: type, base: type) -> type:
        members = {name: value for name, value in vars(cls).items() if name != "__dict__"}
        return types.new_class(cls.__name__, (base,), exec_body=lambda body: body.update(members))

    if request.param == "fast":
        return Form(aead.AESGCM, mac.GMAC, calls.md5, calls.md5_many)
    return Form(
        over(aead.AESGCM, over_cffi.AESGCM), over(mac.GMAC, over_cffi.GMAC), over_cffi.md5, over_cffi.md5_many
    )


@pytest.fixture(scope="session")
def feature_tables(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Programs that print the features of words: called with an architecture, gives the program's path.

    A program's arguments are words as NAME=NUMBER; a word that is not given is 0.
    """

    @functools.cache
    def make(architecture: str) -> Path:
        folder = tmp_path_factory.mktemp("tables")
        table = [sys.executable, str(ROOT / "dispatch/table.py"), "generate", architecture, str(folder)]
        subprocess.run(table, check=True, timeout=60)
        (folder / "features.c").write_text(FEATURES_PROGRAM, encoding="utf-8")
        # The tables of kernels fall away, so that the kernels themselves are not needed.
        flags = [
            "-ffunction-sections",
            "-fdata-sections",
            "-Wl,--gc-sections",
            "-o",
            str(folder / "features"),
        ]
        includes = [f"-I{path}" for path in (folder, ROOT, ROOT / "native/include", ROOT / "native")]
        sources = [
            str(path) for path in (folder / "features.c", folder / "tables.c", ROOT / "dispatch/features.c")
        ]
        compiler = [sys.executable, "-m", "ziglang", "cc"]
        subprocess.run([*compiler, *flags, *includes, *sources], check=True, timeout=240)
        return folder / "features"

    return make
