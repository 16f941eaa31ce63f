"""Rollouts in an environment that `deeprepo env serve` plays, for TRL's rollout_func."""

import asyncio
import collections
import contextlib

from openenv import GenericEnvClient

from . import Failure
from .chat import Chat


class Rollout:
    """One conversation: its messages, which tokens are the policy's, and its reward."""

    def __init__(self, client):
        self.client = client
        self.prompt = []
        self.completion = []
        self.own = []
        self.logprobs = []
        self.cells = 0
        self.cut = 0
        self.reward = None
        self.metrics = {}

    @property
    def tokens(self):
        return self.prompt + self.completion

    def add(self, tokens, own, logprobs=None):
        self.completion += tokens
        self.own += [int(own)] * len(tokens)
        self.logprobs += logprobs or [0.0] * len(tokens)


class Player:
    """Plays groups of tasks. `sample` turns a list of token sequences into replies and, where it knows them, their log-probabilities."""

    def __init__(self, chosen, tokenizer, watch=lambda rollouts: None):
        self._chosen = chosen
        self._chat = Chat(tokenizer)
        self._watch = watch
        self._played = collections.Counter()

    def play(self, indexes, sample):
        """One rollout for each number of a task."""
        rollouts = asyncio.run(self._play(indexes, sample))
        self._watch(rollouts)
        return rollouts

    async def _play(self, indexes, sample):
        c = self._chosen
        async with contextlib.AsyncExitStack() as stack:
            rollouts = []
            for index in indexes:
                client = GenericEnvClient(base_url=c.url, message_timeout_s=1800)
                try:
                    await stack.enter_async_context(client)
                except OSError as e:
                    raise Failure(f"no environment answers: {e}", "start `deeprepo env serve` and give --url the URL that it prints") from e
                rollouts.append(Rollout(client))
            await asyncio.gather(*(self._reset(r, index) for r, index in zip(rollouts, indexes, strict=True)))
            playing = list(rollouts)
            while playing:
                replies = self._sample([r.tokens for r in playing], sample)
                await asyncio.gather(*(self._step(r, *reply) for r, reply in zip(playing, replies, strict=True)))
                playing = [r for r in playing if r.reward is None]
        return rollouts

    async def _reset(self, r, index):
        c = self._chosen
        # The rollout's number decides its workers' luck: rollouts of a task are counted as they begin.
        number = self._played[index]
        self._played[index] += 1
        data = {"index": index, "rollout": number, "seed": c.task_seed, "split": c.split}
        if c.difficulty:
            data["difficulty"] = c.difficulty
        first = (await r.client.reset(**data)).observation
        r.prompt = self._chat.opening([{"role": "system", "content": first["system"]}, {"role": "user", "content": first["message"]}])
        if len(r.prompt) + c.max_tokens > c.context:
            raise Failure(
                f"task {index} begins with {len(r.prompt)} tokens: with a reply of {c.max_tokens} that is more than --context {c.context}",
                "a larger context, shorter replies, or smaller tasks",
            )

    def _sample(self, sequences, sample):
        size, replies, logprobs = self._chosen.sample_batch, [], []
        for at in range(0, len(sequences), size):
            part, known = sample(sequences[at : at + size])
            replies += part
            logprobs += known or [None] * len(part)
        return list(zip(replies, logprobs, strict=True))

    async def _step(self, r, reply, logprobs):
        c = self._chosen
        r.add(reply, True, logprobs)
        r.cells += 1
        cut = len(reply) >= c.max_tokens
        r.cut += cut
        usage = {"input_tokens": len(r.tokens) - len(reply), "output_tokens": len(reply)}
        result = await r.client.step({"message": self._chat.text(reply), "usage": usage, "finish_reason": "length" if cut else "stop"})
        # The server may fold old turns away (`transcript`); the sequence keeps them, because the policy is trained on it.
        more = [] if result.done else self._chat.between(reply, result.observation["message"])
        # No room for another reply: the policy sends empty replies until the turns are used up, and gets the reward for that.
        full = len(r.tokens) + len(more) + c.max_tokens > c.context
        while full and not result.done:
            result = await r.client.step({"message": "", "finish_reason": "length"})
        if not result.done:
            r.add(more, False)
            return
        r.reward, r.metrics = float(result.reward or 0.0), result.observation.get("metrics", {})
