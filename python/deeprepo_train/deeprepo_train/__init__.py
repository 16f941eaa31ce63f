"""Training outside of deeprepo: TRL's GRPO in its environments, TRL's DPO on its pairs, and a server for the result.

Nothing here plays, judges or rewards: tasks, sandbox, workers and rubric are those of `deeprepo env serve`, pairs those of
`deeprepo pairs build`. Imports of torch and TRL are left to the modules that need them.
"""

__version__ = "0.1.0"


class Failure(RuntimeError):
    """An error that the user can fix: its text, and what to do."""

    def __init__(self, message, hint=""):
        super().__init__(message)
        self.hint = hint
