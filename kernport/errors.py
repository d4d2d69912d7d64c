"""The errors that kernport raises, and the exit codes they stand for on the command line."""

import functools

TYPE_CHECKING = False  # typing's, without the milliseconds that its import takes


class KernportError(Exception):
    """Base of every error that kernport explains in one sentence. `exit_code` is the command's."""

    exit_code = 1


class AnswerNo(KernportError):
    """What was asked for was tried, and the answer is no: a build failed, a check found something."""


class UsageError(KernportError):
    """The call, a recipe or a name in it is wrong; the message says where and what would be right."""

    exit_code = 2


class EnvironmentLacks(KernportError):
    """This machine lacks a tool; the message says which package brings it."""

    exit_code = 3


class UnavailableKernel(KernportError):
    """A kernel was asked for by name that this build or this host does not have."""

    exit_code = 2


class NoKernel(KernportError):
    """Not one kernel of a family passed its self-test: this build must not be used."""


if TYPE_CHECKING:

    class InvalidTag(Exception):
        """The tag does not match: the message, its AAD, its nonce or the key is not what was sealed."""

    class InvalidTags(InvalidTag):
        """Some tags of a batch do not match; see `_invalid_tags`."""

        indices: tuple[int, ...]
        texts: list[bytes | None]

else:

    @functools.cache
    def __getattr__(name: str) -> type[Exception]:
        if name == "InvalidTags":
            return _invalid_tags(__getattr__("InvalidTag"))
        if name != "InvalidTag":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        # pyca's own class where pyca is installed, so that one `except` serves both. It is looked up
        # when first needed, for importing it costs more than importing all of kernport.
        try:
            from cryptography.exceptions import InvalidTag
        except ImportError:
            text = (
                "The tag does not match: the message, its AAD, its nonce or the key is not what was sealed."
            )
            return type("InvalidTag", (Exception,), {"__module__": __name__, "__doc__": text})
        return InvalidTag


def _invalid_tags(base: type[Exception]) -> type[Exception]:
    class InvalidTags(base):  # type: ignore[valid-type,misc]
        """Some tags of a batch do not match.

        `indices` are the numbers of these messages, from 0; `texts` is what the call would have
        returned, with None for these messages.
        """

        def __init__(self, indices: tuple[int, ...], texts: list[bytes | None]) -> None:
            first = ", ".join(map(str, indices[:10])) + (", ..." if len(indices) > 10 else "")
            super().__init__(f"the tags of {len(indices)} of {len(texts)} messages do not match: {first}")
            self.indices = indices
            self.texts = texts

        def __reduce__(self) -> tuple[object, ...]:
            return type(self), (self.indices, self.texts)

    InvalidTags.__module__ = __name__
    InvalidTags.__qualname__ = "InvalidTags"
    return InvalidTags
