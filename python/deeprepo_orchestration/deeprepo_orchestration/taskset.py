"""The environment as a taskset and an Env: verifiers from 0.4 on."""

import asyncio
import collections
from collections.abc import Iterator

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarnessConfig

from .episode import Episode, EpisodeError
from .server import Server, ServerError


class OrchestrationData(vf.TaskData):
    """Identifies one of the server's tasks."""

    index: int
    choice: dict


class OrchestrationConfig(vf.TasksetConfig):
    """Which tasks are played, and where."""

    base_url: str | None = None
    """A running `deeprepo env serve`. Without one, a server is started."""
    environment: str = "orchestration"
    """The environment of the server that is started."""
    split: str = "train"
    num_examples: int = 100
    seed: int = 0
    language: str | None = None
    difficulty: str | None = None
    files: int | None = None
    worker: str = "sim"
    """Workers of the server that is started: sim, rules or provider/model."""
    binary: str = "deeprepo"
    data: str | None = None
    """The file of orchestration-v1's codebases, for the server that is started."""


class OrchestrationTask(vf.Task[OrchestrationData]):
    """One codebase with planted defects. The server has the rest."""


class OrchestrationTaskset(vf.Taskset[OrchestrationTask, OrchestrationConfig]):
    """The first num_examples tasks of a selection."""

    def load(self) -> Iterator[OrchestrationTask]:
        c = self.config
        choice = {"split": c.split, "seed": c.seed, "language": c.language, "difficulty": c.difficulty, "files": c.files}
        choice = {k: v for k, v in choice.items() if v is not None}
        for i in range(c.num_examples):
            yield OrchestrationTask(OrchestrationData(name=f"{c.environment}/{c.split}/{c.seed}/{i}", index=i, choice=choice), c.task)


class OrchestrationEnvConfig(vf.EnvConfig):
    """The policy is a plain chat: its cells run in the server's sandbox."""

    policy: vf.AgentConfig = vf.AgentConfig(harness=NullHarnessConfig(id="null"), runtime=vf.SubprocessConfig())


class OrchestrationEnv(vf.Env[OrchestrationEnvConfig]):
    """Plays episodes of a server. The server decides everything: turns, ending, reward, metrics."""

    def __init__(self, config):
        super().__init__(config)
        c = config.taskset
        self._server = Server(c.base_url, c.environment, c.worker, c.binary, ["--data", c.data] if c.data else [])
        self._played = collections.Counter()

    async def stop(self):
        await super().stop()
        await asyncio.to_thread(self._server.stop)

    async def run(self, task, agents):
        data = task.data
        rollout = self._played[data.index]  # decides the workers' luck, as in `deeprepo eval`
        self._played[data.index] += 1
        try:
            episode = Episode(await asyncio.to_thread(self._server.url))
        except ServerError as e:
            raise vf.EnvError(str(e)) from e
        try:
            result = await episode.reset(index=data.index, rollout=rollout, **data.choice)
            task = task.with_system_prompt(result["observation"].get("system") or "")
            async with agents.policy.interaction(task) as interaction:
                trace = interaction.trace
                while not result["done"]:
                    segment = await interaction.turn(result["observation"]["message"])
                    if segment.terminated:
                        return
                    call = trace.calls[-1]
                    result = await episode.step(segment.last_reply, usage_of(call.usage), call.finish_reason)
                about = await asyncio.to_thread(self._server.about)
                trace.record_reward(about["reward_name"], result["reward"])
                trace.record_metrics(result["observation"]["metrics"])
                trace.stop(result["observation"]["stop"])
        except (EpisodeError, ServerError) as e:
            raise vf.EnvError(str(e)) from e
        finally:
            await episode.close()


def usage_of(usage):
    """The cost of the policy's reply, for the server's rubric; None if the endpoint does not report it."""
    if usage is None:
        return None
    cached = usage.cached_input_tokens or 0
    return {"input_tokens": usage.prompt_tokens + cached, "output_tokens": usage.completion_tokens, "cached_tokens": cached}
