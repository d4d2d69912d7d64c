"""The blocks of a tar archive (POSIX pax interchange format), each field read and checked by hand."""

from dataclasses import dataclass, field

BLOCK = 512
TYPES = {b"0": "file", b"\0": "file", b"2": "link", b"5": "folder"}


@dataclass(frozen=True)
class Entry:
    """One member. `pax` are the records of the extended header before it."""

    name: str
    kind: str
    mode: int
    owner: tuple[int, int, str, str]
    date: int
    target: str
    data: bytes
    pax: dict[str, str] = field(default_factory=dict)


def read_tar(data: bytes, faults: list[str]) -> tuple[list[Entry], int]:
    """The members in order, and how many empty blocks end the archive; what is wrong goes into `faults`."""
    entries: list[Entry] = []
    pax: dict[str, str] = {}
    at = 0
    if len(data) % BLOCK:
        faults.append(f"the archive has {len(data)} bytes, no whole number of blocks")
    while at < len(data) and any(data[at : at + BLOCK]):
        header = data[at : at + BLOCK]
        name = _text(header[345:500]) + "/" * bool(_text(header[345:500])) + _text(header[:100])
        if _number(header[148:156]) != sum(header[:148]) + 8 * ord(" ") + sum(header[156:]):
            faults.append(f"{name}: the header's checksum is wrong")
        if header[257:263] != b"ustar\0" or header[263:265] != b"00":
            faults.append(f"{name}: the header is not ustar's")
        size = _number(header[124:136])
        body = data[at + BLOCK : at + BLOCK + size]
        blocks = -(-size // BLOCK)
        if any(data[at + BLOCK + size : at + BLOCK * (1 + blocks)]):
            faults.append(f"{name}: what fills its last block is not zero")
        at += BLOCK * (1 + blocks)
        if header[156:157] == b"x":
            pax = _records(body)
            continue
        entries.append(
            Entry(
                name=pax.get("path", name),
                kind=TYPES.get(header[156:157], f"type {header[156:157]!r}"),
                mode=_number(header[100:108]),
                owner=(
                    _number(header[108:116]),
                    _number(header[116:124]),
                    _text(header[265:297]),
                    _text(header[297:329]),
                ),
                date=_number(header[136:148]),
                target=pax.get("linkpath", _text(header[157:257])),
                data=body,
                pax=pax,
            )
        )
        pax = {}
    rest = data[at:]
    if any(rest):
        faults.append("something follows the end of the archive")
    names = [entry.name.rstrip("/") for entry in entries]
    faults += [f"{name} is there twice" for name in sorted(set(names)) if names.count(name) > 1]
    return entries, len(rest) // BLOCK


def _text(data: bytes) -> str:
    return data.split(b"\0", 1)[0].decode()


def _number(data: bytes) -> int:
    return int(data.strip(b"\0 ") or b"0", 8)


def _records(data: bytes) -> dict[str, str]:
    found = {}
    while data:
        length, _, _ = data.partition(b" ")
        record, data = data[: int(length)], data[int(length) :]
        key, _, value = record[len(length) + 1 : -1].partition(b"=")
        found[key.decode()] = value.decode()
    return found
