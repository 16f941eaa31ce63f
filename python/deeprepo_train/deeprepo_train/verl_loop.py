"""verl's side: an agent loop that plays one episode of `deeprepo env serve`. verl 0.9 makes it from agent_loop.yaml."""

from uuid import uuid4

from openenv import GenericEnvClient
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput

from .chat import Chat


class EpisodeLoop(AgentLoopBase):
    """The policy's tokens are trained on, the environment's are not; the reward is the server's."""

    def __init__(self, *args, url, max_tokens, context, **kwargs):
        super().__init__(*args, **kwargs)
        self._url, self._limit, self._context = url, max_tokens, context

    async def run(self, sampling_params, **kwargs):
        task = kwargs["extra_info"]
        chat = Chat(self.tokenizer)
        data = {name: task[name] for name in ("index", "seed", "split", "difficulty") if task.get(name) not in (None, "")}
        request, turns = uuid4().hex, 0
        prompt, response, mask, logprobs = [], [], [], []
        async with GenericEnvClient(base_url=self._url, message_timeout_s=1800) as client:
            result = await client.reset(**data)
            first = result.observation
            prompt = chat.opening([{"role": "system", "content": first["system"]}, {"role": "user", "content": first["message"]}])
            while not result.done:
                room = min(self._context - len(prompt), self.rollout_config.response_length) - len(response)
                if room < self._limit:  # the reward is what the environment gives a policy that falls silent
                    result = await client.step({"message": "", "finish_reason": "length"})
                    continue
                asked = {**sampling_params, "max_tokens": self._limit}
                reply = await self.server_manager.generate(request_id=request, prompt_ids=prompt + response, sampling_params=asked)
                tokens = list(reply.token_ids)
                response += tokens
                mask += [1] * len(tokens)
                logprobs += list(reply.log_probs or [0.0] * len(tokens))
                turns += 1
                usage = {"input_tokens": len(prompt) + len(response) - len(tokens), "output_tokens": len(tokens)}
                cut = len(tokens) >= self._limit
                result = await client.step({"message": chat.text(tokens), "usage": usage, "finish_reason": "length" if cut else "stop"})
                if not result.done:
                    more = chat.between(tokens, result.observation["message"])
                    response += more
                    mask += [0] * len(more)
                    logprobs += [0.0] * len(more)
        most = self.rollout_config.response_length
        return AgentLoopOutput(
            prompt_ids=prompt, response_ids=response[:most], response_mask=mask[:most], response_logprobs=logprobs[:most],
            reward_score=float(result.reward or 0.0), num_turns=2 * turns, metrics=AgentLoopMetrics(),
            extra_fields={"turn_scores": [], "tool_rewards": []},
        )  # fmt: skip
