"""How fast each kernel is here, beside the libraries people have and the limits of the processor.

All candidates for one operation and size take turns in one run, so that a machine whose speed
drifts slows them all; each keeps its best turn. What is compared is the ratio, not the time.
"""

import hashlib
import importlib.util
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kernport._cffi import ffi, lib
from kernport.aead import AESGCM
from kernport.buffers import checked
from kernport.cpu import host
from kernport.digest import md5, md5_many
from kernport.mac import GMAC

SIZES = (0, 16, 64, 256, 1350, 8192, 16384, 1 << 16, 1 << 20)
LEVELS = ("c", "python")
MANY = 1000  # messages
MOST = 10_000
TURNS = 9
TURN_SECONDS = 0.003
NONCE = bytes(12)

# Does something so many times and returns how many nanoseconds that took.
Timer = Callable[[int], float]
Call = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One measurement: `ns` a call for a kernel of ours, `peer_ns` for the library it is compared with.

    `of_limit` is the share of what the processor's execution ports allow, `ratio` is peer_ns / ns; each
    is None where there is nothing to compare with.
    """

    operation: str
    level: str
    bytes: int
    kernel: str
    ns: float
    gb_per_s: float
    of_limit: float | None
    peer: str | None
    peer_ns: float | None
    ratio: float | None


@dataclass(frozen=True)
class Limit:
    """What the ports allow an operation: `gb_per_s` of text at `per_block` instructions for 16 bytes.

    `beside_multiplies` is the same in GB/s where rounds and the multiplies of GHASH share the ports, or None.
    """

    instruction: str
    per_block: int
    gb_per_s: float
    beside_multiplies: float | None = None

    def at_best(self, other: "Limit") -> "Limit":
        """The higher figures of two measurements of one limit."""
        both = (self.beside_multiplies, other.beside_multiplies)
        beside = max((each for each in both if each is not None), default=None)
        return replace(self, gb_per_s=max(self.gb_per_s, other.gb_per_s), beside_multiplies=beside)


@dataclass(frozen=True)
class Bound:
    """The instruction that bounds an operation, by kp_limit_unit, and how many of it 16 bytes cost.

    `both` is the unit of the loop that does all for 16 bytes, rounds and multiplies.
    """

    unit: str
    per_block: int
    both: str | None = None


@dataclass(frozen=True)
class Operation:
    """What is measured, for a kernel and a number of bytes; `theirs` is None where no peer is installed."""

    name: str
    level: str
    family: str
    ours: Callable[[str, int], Timer]
    theirs: Callable[[int], Timer] | None = None
    peer: str | None = None
    bound: Bound | None = None
    messages: int = 1  # of so many bytes each
    sizes: tuple[int, ...] | None = None  # instead of those that were asked for


def operations() -> list[Operation]:
    """Every operation at both levels, with the peers that are installed."""
    return [*operations_in_c(), *_in_python()]


class Bench:
    """One run: `measure` yields rows; `limits` then tells what bounded them, by operation.

    Every candidate has `turns` turns: the busier the machine, the more it takes to meet a quiet moment.
    """

    def __init__(self, turns: int = TURNS) -> None:
        self.limits: dict[str, Limit] = {}
        self._turns = turns
        self._bounding = _bounding_loops(turns)

    def measure(
        self, chosen: Sequence[Operation], sizes: Iterable[int] = SIZES, kernels: Iterable[str] = ()
    ) -> Iterator[Row]:
        """Measure the operations at every size, with every kernel that may run or those FAMILY/KERNEL."""
        wanted = set(kernels)
        able = [kernel for kernel in host().kernels if kernel.state in ("chosen", "eligible")]
        sizes = tuple(sizes)
        for operation in chosen:
            names = [
                kernel.name
                for kernel in able
                if kernel.family == operation.family
                and (not wanted or f"{kernel.family}/{kernel.name}" in wanted)
            ]
            for size in operation.sizes or sizes if names else ():
                yield from self._rows(operation, size, names)

    def _rows(self, operation: Operation, size: int, names: Iterable[str]) -> Iterator[Row]:
        timers = {f"kernel {name}": operation.ours(name, size) for name in names}
        if operation.theirs is not None:
            timers["peer"] = operation.theirs(size)
        bound = operation.bound
        loop = None if bound is None else self._bounding.get(bound.unit)
        if loop is not None:
            timers["limit"] = lambda repeats: float(lib.kp_time_limit(loop, repeats))
        both = None if bound is None else self._bounding.get(bound.both or "")
        if both is not None:
            timers["both"] = lambda repeats: float(lib.kp_time_limit(both, repeats))
        times = in_turns(timers, self._turns)
        peer = times.pop("peer", None)
        beside = None if both is None else lib.kp_limit_bytes(both) / times.pop("both")
        limit = None
        if bound is not None and loop is not None:
            limit = lib.kp_limit_bytes(loop) / times.pop("limit") / bound.per_block
            seen = Limit(_limit_name(loop), bound.per_block, limit, beside)
            self.limits[operation.name] = seen.at_best(self.limits.get(operation.name, seen))
        for name, ns in times.items():
            speed = operation.messages * size / ns
            yield Row(
                operation=operation.name,
                level=operation.level,
                bytes=size,
                kernel=name.removeprefix("kernel "),
                ns=ns,
                gb_per_s=speed,
                of_limit=None if limit is None else speed / limit,
                peer=None if peer is None else operation.peer,
                peer_ns=peer,
                ratio=None if peer is None else peer / ns,
            )


def in_turns(timers: dict[str, Timer], turns: int, seconds: float = TURN_SECONDS) -> dict[str, float]:
    """The least nanoseconds a call of each timer, all of which have so many turns of so many seconds."""
    repeats = {name: _repeats(timer, seconds) for name, timer in timers.items()}
    best = dict.fromkeys(timers, float("inf"))
    for _ in range(turns):
        for name, timer in timers.items():
            best[name] = min(best[name], timer(repeats[name]) / repeats[name])
    return best


def _repeats(timer: Timer, seconds: float) -> int:
    timer(1)
    return max(1, int(seconds * 1e9 / max(timer(3) / 3, 1)))


def _bounding_loops(turns: int) -> dict[str, int]:
    """The fastest loop that may run here, by unit."""
    loops: dict[str, list[int]] = {}
    for number in range(lib.kp_limit_count()):
        if lib.kp_limit_may_run(number):
            loops.setdefault(ffi.string(lib.kp_limit_unit(number)).decode(), []).append(number)
    fastest = {}
    for unit, numbers in loops.items():
        timers: dict[str, Timer] = {
            str(number): lambda repeats, number=number: float(lib.kp_time_limit(number, repeats))  # type: ignore[misc]
            for number in numbers
        }
        times = in_turns(timers, turns)
        fastest[unit] = max(numbers, key=lambda number: lib.kp_limit_bytes(number) / times[str(number)])
    return fastest


def _limit_name(loop: int) -> str:
    return str(ffi.string(lib.kp_limit_name(loop)).decode())


# What bounds AES-GCM is taken to be its AES rounds; where the multiplies share their ports or take longer, a
# kernel stays below 1. GHASH is taken to do four multiplies a block; one that does three may pass 1.
AES_128 = Bound("aes-round", 10, "10 rounds, 3 multiplies")
AES_256 = Bound("aes-round", 14, "14 rounds, 3 multiplies")
GHASH = Bound("multiply", 4)


def operations_in_c() -> Iterator[Operation]:
    """What is called from C, where a call costs next to nothing."""
    for bits, bound in ((128, AES_128), (256, AES_256)):
        yield Operation(f"aes-{bits}-gcm seal", "c", "aes-gcm", _c_seal(bits // 8), bound=bound)
        yield Operation(f"aes-{bits}-gcm open", "c", "aes-gcm", _c_open(bits // 8), bound=bound)
    yield Operation("gmac", "c", "aes-gcm", _c_gmac, bound=GHASH)
    yield Operation("ghash", "c", "ghash", _c_ghash, bound=GHASH)
    yield Operation("md5", "c", "md5", _c_md5)
    yield Operation("md5, 32 messages", "c", "md5-many", _c_md5_many, messages=32)


def _c_timer(function: Callable[..., int], *arguments: Any, keep: object) -> Timer:
    """Time a function of native/bench/timing.h; what `keep` holds lives as long as the timer."""

    def timer(repeats: int, keep: object = keep) -> float:
        return float(function(*arguments, repeats))

    return timer


def _c_seal(key_length: int) -> Callable[[str, int], Timer]:
    def ours(kernel: str, size: int) -> Timer:
        aead = AESGCM(bytes(key_length), kernel=kernel)
        return _c_timer(lib.kp_time_seal, _key(aead), _room(size), size, _room(size + 16), keep=aead)

    return ours


def _c_open(key_length: int) -> Callable[[str, int], Timer]:
    def ours(kernel: str, size: int) -> Timer:
        aead = AESGCM(bytes(key_length), kernel=kernel)
        return _c_timer(lib.kp_time_open, _key(aead), _room(size + 16), size, _room(size), keep=aead)

    return ours


def _c_gmac(kernel: str, size: int) -> Timer:
    mac = GMAC(bytes(16), kernel=kernel)
    return _c_timer(lib.kp_time_gmac, _key(mac), _room(size), size, keep=mac)


def _c_ghash(kernel: str, size: int) -> Timer:
    handle = ffi.new("kp_ghash_key **")
    checked(lib.kp_ghash_key_new(handle, bytes(16), kernel.encode()))
    key = ffi.gc(handle[0], lib.kp_ghash_key_free)
    return _c_timer(lib.kp_time_ghash, key, _room(size), size, keep=key)


def _c_md5(kernel: str, size: int) -> Timer:
    return _c_timer(lib.kp_time_md5, kernel.encode(), _room(size), size, keep=None)


def _c_md5_many(kernel: str, size: int) -> Timer:
    messages = [_room(size) for _ in range(32)]
    data, lengths = ffi.new("uint8_t *[]", messages), ffi.new("size_t[]", [size] * 32)
    digests = _room(16 * 32)
    return _c_timer(lib.kp_time_md5_many, kernel.encode(), data, lengths, 32, digests, keep=messages)


def _room(size: int) -> Any:
    return ffi.new("uint8_t[]", size)


def _key(owner: AESGCM | GMAC) -> Any:
    return ffi.cast("kp_aes_gcm_key *", owner._address)


def _in_python() -> Iterator[Operation]:
    pyca = _pyca() if importlib.util.find_spec("cryptography") is not None else None
    for bits, bound in ((128, AES_128), (256, AES_256)):
        for name, call, make in (
            ("seal", "encrypt_into", _encrypt_into),
            ("open", "decrypt_into", _decrypt_into),
            ("encrypt", "encrypt", _encrypt),
            ("decrypt", "decrypt", _decrypt),
        ):
            yield Operation(
                f"aes-{bits}-gcm {name}",
                "python",
                "aes-gcm",
                _with_kernel(AESGCM, bits // 8, make),
                # Older ones lack the calls that write into a buffer.
                _without_kernel(pyca if hasattr(pyca, call) else None, bits // 8, make),
                "pyca",
                bound,
            )
    yield Operation(
        "gmac",
        "python",
        "aes-gcm",
        _with_kernel(GMAC, 16, _sign),
        _without_kernel(pyca, 16, _encrypt_nothing),
        "pyca",
        GHASH,
    )
    yield Operation("md5", "python", "md5", _md5, _hashlib_md5, "hashlib")
    yield Operation(
        "md5, 32 messages", "python", "md5-many", _md5_many, _hashlib_many, "hashlib", messages=32
    )
    yield Operation(
        f"md5, {MANY} messages of 0 to 4096 bytes",
        "python",
        "md5-many",
        _md5_uneven,
        _hashlib_uneven,
        "hashlib",
        messages=MANY,
        sizes=(2048,),
    )
    yield Operation(
        f"aes-128-gcm, {MOST} messages",
        "python",
        "aes-gcm",
        _with_kernel(AESGCM, 16, _encrypt_many),
        _without_kernel(pyca, 16, _encrypt_each),
        "pyca",
        messages=MOST,
        sizes=(64,),
    )


def _pyca() -> Any:
    from cryptography.hazmat.primitives.ciphers import aead

    return aead.AESGCM


def _timer(call: Call) -> Timer:
    def timer(repeats: int) -> float:
        turns = range(repeats)
        start = time.perf_counter_ns()
        for _ in turns:
            call()
        return time.perf_counter_ns() - start

    return timer


def _with_kernel(cls: Any, key_length: int, make: Callable[[Any, int], Call]) -> Callable[[str, int], Timer]:
    return lambda kernel, size: _timer(make(cls(bytes(key_length), kernel=kernel), size))


def _without_kernel(
    cls: Any, key_length: int, make: Callable[[Any, int], Call]
) -> Callable[[int], Timer] | None:
    return None if cls is None else lambda size: _timer(make(cls(bytes(key_length)), size))


def _encrypt_into(aead: Any, size: int) -> Call:
    data, out = bytes(size), bytearray(size + 16)
    return lambda: aead.encrypt_into(NONCE, data, None, out)


def _decrypt_into(aead: Any, size: int) -> Call:
    sealed, out = aead.encrypt(NONCE, bytes(size), None), bytearray(size)
    return lambda: aead.decrypt_into(NONCE, sealed, None, out)


def _encrypt(aead: Any, size: int) -> Call:
    data = bytes(size)
    return lambda: aead.encrypt(NONCE, data, None)


def _decrypt(aead: Any, size: int) -> Call:
    sealed = aead.encrypt(NONCE, bytes(size), None)
    return lambda: aead.decrypt(NONCE, sealed, None)


def _encrypt_many(aead: Any, size: int) -> Call:
    nonces, messages = _batch(size)
    return lambda: aead.encrypt_many(nonces, messages)


def _encrypt_each(aead: Any, size: int) -> Call:
    nonces, messages = _batch(size)
    return lambda: [
        aead.encrypt(nonce, message, None) for nonce, message in zip(nonces, messages, strict=True)
    ]


def _batch(size: int) -> tuple[list[bytes], list[bytes]]:
    return [number.to_bytes(12, "big") for number in range(MOST)], [bytes(size) for _ in range(MOST)]


def _sign(mac: Any, size: int) -> Call:
    data = bytes(size)
    return lambda: mac.sign(NONCE, data)


def _encrypt_nothing(aead: Any, size: int) -> Call:
    data = bytes(size)
    return lambda: aead.encrypt(NONCE, b"", data)


def _md5(kernel: str, size: int) -> Timer:
    data = bytes(size)
    chosen = next(each.name for each in host().kernels if each.family == "md5" and each.state == "chosen")
    if kernel == chosen:
        return _timer(lambda: md5(data).digest())
    return _timer(lambda: md5(data, kernel=kernel).digest())


def _hashlib_md5(size: int) -> Timer:
    data = bytes(size)
    return _timer(lambda: hashlib.md5(data).digest())  # noqa: S324


def _md5_many(kernel: str, size: int) -> Timer:
    messages = [bytes(size) for _ in range(32)]
    return _timer(lambda: md5_many(messages, kernel=kernel))


def _hashlib_many(size: int) -> Timer:
    return _timer(_hashlib_each([bytes(size) for _ in range(32)]))


def _md5_uneven(kernel: str, size: int) -> Timer:
    messages = _uneven(size)
    return _timer(lambda: md5_many(messages, kernel=kernel))


def _hashlib_uneven(size: int) -> Timer:
    return _timer(_hashlib_each(_uneven(size)))


def _hashlib_each(messages: list[bytes]) -> Call:
    return lambda: [hashlib.md5(message).digest() for message in messages]  # noqa: S324


def _uneven(mean: int) -> list[bytes]:
    """Messages of all lengths from 0 to twice the mean, in no order."""
    return [bytes(number * 7919 % MANY * 2 * mean // (MANY - 1)) for number in range(MANY)]
