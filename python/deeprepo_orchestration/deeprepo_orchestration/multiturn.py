"""The environment as a MultiTurnEnv: verifiers up to 0.3."""

import asyncio
import collections

import verifiers as vf
from datasets import Dataset

from .episode import Episode, EpisodeError
from .server import Server, ServerError

FINAL = "deeprepo_final"  # the last result, in a rollout's state


class OrchestrationEnv(vf.MultiTurnEnv):
    """Plays episodes of a server. The server decides everything: turns, ending, reward, metrics."""

    def __init__(self, server, choice, **kwargs):
        super().__init__(max_turns=-1, **kwargs)
        self._server = server
        self._choice = choice
        self._episodes = {}
        self._played = collections.Counter()

    async def setup_state(self, state):
        index = state["info"]["index"]
        # The rollout's number decides its workers' luck, as in `deeprepo eval`: rollouts of a task are counted as they begin.
        rollout = self._played[index]
        self._played[index] += 1
        try:
            episode = Episode(await asyncio.to_thread(self._server.url))
            self._episodes[state["trajectory_id"]] = episode
            result = await episode.reset(index=index, rollout=rollout, **self._choice)
        except (EpisodeError, ServerError) as e:
            raise vf.InfraError(str(e)) from e
        first = result["observation"]
        state["prompt"] = messages(first.get("system"), [{"role": "user", "content": first["message"]}])
        state["info"] = {**state["info"], "task": first["task"], "rollout": rollout}
        self._finish(state, result)
        return state

    async def env_response(self, messages_, state, **kwargs):
        episode = self._episodes[state["trajectory_id"]]
        last = state["trajectory"][-1]
        text = "".join(m.content for m in last["completion"] if isinstance(m.content, str))
        response = last["response"]
        try:
            result = await episode.step(text, usage_of(response), getattr(response.message, "finish_reason", None))
        except EpisodeError as e:
            raise vf.InfraError(str(e)) from e
        observation = result["observation"]
        if "transcript" in observation:
            state["deeprepo_transcript"] = observation["transcript"]
        self._finish(state, result)
        return messages(None, [{"role": "user", "content": observation["message"]}])

    async def get_prompt_messages(self, state):
        asked = await super().get_prompt_messages(state)
        rewritten = state.pop("deeprepo_transcript", None)
        if rewritten is None:
            return asked
        return [m for m in state["prompt"] if m.role == "system"] + messages(None, rewritten)

    def _finish(self, state, result):
        """Keep the last result; with final_env_response the policy is not asked again."""
        if not result["done"]:
            return
        observation = result["observation"]
        state[FINAL] = result
        state["deeprepo_stop"] = observation["stop"]
        state["final_env_response"] = messages(None, [{"role": "user", "content": observation["message"]}])

    @vf.cleanup
    async def hang_up(self, state):
        """Free the episode's slot."""
        episode = self._episodes.pop(state["trajectory_id"], None)
        if episode is not None:
            await episode.close()

    @vf.teardown
    async def release_server(self):
        """Stop the server if we started it. At exit there are no more threads to leave it to."""
        self._server.stop()


def messages(system, rest):
    """Messages in verifiers' own form."""
    head = [{"role": "system", "content": system}] if system else []
    kinds = {"system": vf.SystemMessage, "user": vf.UserMessage, "assistant": vf.AssistantMessage}
    return [kinds[m["role"]](content=m["content"]) for m in head + rest]


def usage_of(response):
    """The cost of the policy's reply, for the server's rubric; None if the endpoint does not report it."""
    usage = getattr(response, "usage", None)
    if usage is None:
        return None
    return {"input_tokens": usage.prompt_tokens, "output_tokens": usage.completion_tokens}


def rubric_of(about):
    """The server's reward, and its metrics one by one."""

    def reward(state):
        return (state.get(FINAL) or {}).get("reward") or 0.0

    def metric(name):
        def value(state):
            return (state.get(FINAL) or {}).get("observation", {}).get("metrics", {}).get(name, 0.0)

        value.__name__ = name
        return value

    reward.__name__ = about["reward_name"]
    rubric = vf.Rubric(funcs=[reward], weights=[1.0])
    for name in dict.fromkeys([part["name"] for part in about["rubric"]] + about["metrics"]):
        if name != "num_turns":  # every MultiTurnEnv has this metric
            rubric.add_metric(metric(name))
    return rubric


def load_environment(
    base_url=None, environment="orchestration", split="train", num_examples=100, seed=0, worker="sim", binary="deeprepo",
    language=None, difficulty=None, files=None, data=None, **kwargs,
):
    """The environment. Without base_url a `deeprepo env serve` is started, and stopped at teardown.

    worker (sim, rules or provider/model), binary and data (the file of orchestration-v1's codebases) are passed to the server
    that is started; split, seed, language, difficulty and files choose the tasks, num_examples says how many.
    """
    server = Server(base_url, environment, worker, binary, ["--data", data] if data else [])
    about = server.about()
    if split not in about["splits"]:
        raise ValueError(f"{environment} has no split {split!r}; it has {', '.join(about['splits'])}")
    choice = {"split": split, "seed": seed, "language": language, "difficulty": difficulty, "files": files}

    def rows():
        return Dataset.from_list(
            [{"prompt": [{"role": "user", "content": ""}], "answer": "", "info": {"index": i}} for i in range(num_examples)]
        )

    return OrchestrationEnv(server, choice, dataset=rows, eval_dataset=rows, rubric=rubric_of(about), **kwargs)
