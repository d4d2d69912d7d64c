"""Signals as a terminal's programs have them, however the tests are run."""

import signal

# By nohup, and by the & of a shell's script, in the programs that they start.
OFTEN_IGNORED = (signal.SIGHUP, signal.SIGINT)


def heed_signals() -> None:
    """Ignore none in this process, and in those that it starts."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
