"""How fast each kernel is here, beside the libraries people have.

All candidates for one operation and size take turns in one run, so that a machine whose speed
drifts slows them all; each keeps its best turn. What is compared is the ratio, not the time.
"""

import hashlib
import importlib.util
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from kernport.aead import AESGCM
from kernport.cpu import host
from kernport.digest import md5
from kernport.mac import GMAC

SIZES = (0, 16, 64, 256, 1350, 8192, 16384, 1 << 20)
TURNS = 9
TURN_SECONDS = 0.003
NONCE = bytes(12)


@dataclass(frozen=True)
class Row:
    """One measurement: `ns` a call for a kernel of ours, `peer_ns` for the library it is compared with."""

    operation: str
    level: str
    bytes: int
    kernel: str
    ns: float
    gb_per_s: float
    peer: str
    peer_ns: float
    ratio: float


@dataclass(frozen=True)
class Operation:
    """What is measured: our call under a named kernel, and the peer's call, if the peer is installed."""

    name: str
    family: str
    ours: Callable[[str, int], Callable[[], object]]
    peer: str
    theirs: Callable[[int], Callable[[], object]] | None


def operations() -> list[Operation]:
    """Every operation, with the peers that are installed."""
    has_pyca = importlib.util.find_spec("cryptography") is not None
    seals = [
        Operation(
            f"aes-{8 * length}-gcm seal",
            "aes-gcm",
            _seal(length),
            "pyca",
            _pyca_seal(length) if has_pyca else None,
        )
        for length in (16, 32)
    ]
    return [
        *seals,
        Operation("gmac", "aes-gcm", _gmac, "pyca", _pyca_gmac if has_pyca else None),
        Operation("md5", "md5", _md5, "hashlib", _hashlib_md5),
    ]


def measure(sizes: Iterable[int] = SIZES, kernels: Iterable[str] = ()) -> Iterator[Row]:
    """Measure every operation at every size, with every kernel that may run here or those FAMILY/KERNEL."""
    wanted = set(kernels)
    able = [kernel for kernel in host().kernels if kernel.state in ("chosen", "eligible")]
    for operation in operations():
        names = [
            kernel.name
            for kernel in able
            if kernel.family == operation.family
            and (not wanted or f"{kernel.family}/{kernel.name}" in wanted)
        ]
        for size in sizes:
            calls = {name: operation.ours(name, size) for name in names}
            if operation.theirs is not None:
                calls["peer"] = operation.theirs(size)
            times = _in_turns(calls)
            peer = times.pop("peer", float("nan"))
            for name, ns in times.items():
                yield Row(
                    operation.name, "python", size, name, ns, size / ns, operation.peer, peer, peer / ns
                )


def _in_turns(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    repeats = {name: _repeats(call) for name, call in calls.items()}
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(TURNS):
        for name, call in calls.items():
            best[name] = min(best[name], _time(call, repeats[name]))
    return best


def _repeats(call: Callable[[], object]) -> int:
    call()
    return max(1, int(TURN_SECONDS * 1e9 / max(_time(call, 3), 1)))


def _time(call: Callable[[], object], repeats: int) -> float:
    turns = range(repeats)
    start = time.perf_counter_ns()
    for _ in turns:
        call()
    return (time.perf_counter_ns() - start) / repeats


def _seal(key_length: int) -> Callable[[str, int], Callable[[], object]]:
    def ours(kernel: str, size: int) -> Callable[[], object]:
        aead, data, out = AESGCM(bytes(key_length), kernel=kernel), bytes(size), bytearray(size + 16)
        return lambda: aead.encrypt_into(NONCE, data, None, out)

    return ours


def _pyca_seal(key_length: int) -> Callable[[int], Callable[[], object]]:
    def theirs(size: int) -> Callable[[], object]:
        from cryptography.hazmat.primitives.ciphers import aead as pyca

        aead, data, out = pyca.AESGCM(bytes(key_length)), bytes(size), bytearray(size + 16)
        return lambda: aead.encrypt_into(NONCE, data, None, out)

    return theirs


def _gmac(kernel: str, size: int) -> Callable[[], object]:
    mac, data = GMAC(bytes(16), kernel=kernel), bytes(size)
    return lambda: mac.sign(NONCE, data)


def _pyca_gmac(size: int) -> Callable[[], object]:
    from cryptography.hazmat.primitives.ciphers import aead as pyca

    aead, data = pyca.AESGCM(bytes(16)), bytes(size)
    return lambda: aead.encrypt(NONCE, b"", data)


def _md5(kernel: str, size: int) -> Callable[[], object]:
    data = bytes(size)
    return lambda: md5(data, kernel=kernel).digest()


def _hashlib_md5(size: int) -> Callable[[], object]:
    data = bytes(size)
    return lambda: hashlib.md5(data, usedforsecurity=False).digest()
