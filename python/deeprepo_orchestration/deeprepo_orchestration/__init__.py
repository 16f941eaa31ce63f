"""deeprepo's environments in verifiers.

A thin client: tasks, workers, REPL and rubric are the server's (`deeprepo env serve`). Nothing here computes a reward.

verifiers has two stacks. Up to 0.3 an environment is a MultiTurnEnv that `load_environment` makes; from 0.4 on it is
a taskset with an Env. This package serves the installed one.
"""

from importlib.util import find_spec

__all__ = ["load_environment"]

if find_spec("verifiers.legacy"):
    from .multiturn import load_environment
else:
    from .taskset import OrchestrationEnv, OrchestrationTaskset

    __all__ = ["OrchestrationEnv", "OrchestrationTaskset", "load_environment"]

    def load_environment(**_):
        """Say where the environment has moved."""
        import verifiers

        raise RuntimeError(
            f"verifiers {verifiers.__version__} has no load_environment: run `vf-eval deeprepo-orchestration`, "
            "whose --env.taskset.* options are this function's arguments, or install verifiers<0.4"
        )
