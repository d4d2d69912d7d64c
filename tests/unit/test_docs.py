"""What the documentation tells a user to type does what it says."""

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_quick_start_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(
        r"^```python\n(.*?)^```$", (DOCS / "quickstart.md").read_text(), re.DOTALL | re.MULTILINE
    )
    assert len(blocks) >= 6
    (tmp_path / "quickstart.py").write_text("\n".join(blocks))
    names = runpy.run_path("quickstart.py")
    # A reader copies what is there: no nonce serves for two messages in it.
    assert names["aead"].decrypt(
        names["nonce"], b"".join(names["pieces"]) + names["encryptor"].tag, b"a header"
    )


@pytest.mark.parametrize("page", ["quickstart.md", "from-pyca-and-hashlib.md", "benchmark.md"])
def test_what_the_pages_name_is_there(page: str) -> None:
    import kernport
    from kernport import digest

    text = (DOCS / page).read_text()
    for name in re.findall(r"`kernport\.([A-Za-z0-9_.]+)", text):
        thing = kernport if "." not in name else digest
        assert hasattr(thing, name.rsplit(".", 1)[-1].split("(")[0]), name
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert (DOCS / link).exists(), link
