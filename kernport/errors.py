"""The errors that kernport raises, and the exit codes they stand for on the command line."""


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


class InvalidTag(Exception):
    """The tag does not match: the message, its AAD, its IV or the key is not what was sealed."""
