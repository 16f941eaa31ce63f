"""deeprepo's environment and pairs as tinker_cookbook's classes."""

import asyncio
import math

import chz
import datasets
from openenv import GenericEnvClient
from tinker_cookbook import model_info, renderers, tokenizer_utils
from tinker_cookbook.preference import train_dpo
from tinker_cookbook.preference.dpo_datasets import DPODatasetBuilderFromComparisons
from tinker_cookbook.preference.preference_datasets import ComparisonDatasetBuilder
from tinker_cookbook.preference.types import Comparison, LabeledComparison
from tinker_cookbook.rl import train
from tinker_cookbook.rl.message_env import EnvFromMessageEnv, MessageEnv, MessageStepResult
from tinker_cookbook.rl.types import EnvGroupBuilder, RLDataset, RLDatasetBuilder
from tinker_cookbook.supervised.types import ChatDatasetBuilderCommonConfig


class Episode(MessageEnv):
    """One episode on the server."""

    def __init__(self, url, task):
        self._client = GenericEnvClient(base_url=url, message_timeout_s=1800)
        self._task = task
        self._messages = []

    async def initial_observation(self):
        await self._client.connect()
        first = (await self._client.reset(**self._task)).observation
        self._messages = [{"role": "system", "content": first["system"]}, {"role": "user", "content": first["message"]}]
        return self._messages

    async def step(self, message):
        text = renderers.get_text_content(message)
        result = await self._client.step({"message": text})
        self._messages = [*self._messages, {"role": "assistant", "content": text},
                          {"role": "user", "content": result.observation["message"]}]
        metrics = result.observation.get("metrics", {}) if result.done else {}
        if result.done:
            await self._client.close()
        return MessageStepResult(
            reward=float(result.reward or 0.0), episode_done=result.done, next_messages=self._messages,
            metrics={k: float(v) for k, v in metrics.items()}
        )


class Group(EnvGroupBuilder):
    """The rollouts of one task. Each one's number decides its workers' luck."""

    def __init__(self, asked, index, renderer):
        self._asked, self._index, self._renderer = asked, index, renderer

    async def make_envs(self):
        task = {"index": self._index, "seed": self._asked["task_seed"], "split": self._asked["split"]}
        if self._asked.get("difficulty"):
            task["difficulty"] = self._asked["difficulty"]
        return [
            EnvFromMessageEnv(
                self._renderer, Episode(self._asked["url"], {**task, "rollout": i}), failed_parse_reward=0.0, context_overflow_reward=0.0,
                max_trajectory_tokens=self._asked["context"], max_generation_tokens=self._asked["max_tokens"],
            )
            for i in range(self._asked["group"])
        ]  # fmt: skip


class Tasks(RLDataset):
    """The first tasks of a selection, over and over."""

    def __init__(self, asked, renderer):
        self._asked, self._renderer = asked, renderer

    def __len__(self):
        return self._asked["steps"]

    def get_batch(self, index):
        size = self._asked["tasks_per_step"]
        return [Group(self._asked, (index * size + i) % self._asked["tasks"], self._renderer) for i in range(size)]


@chz.chz
class TasksBuilder(RLDatasetBuilder):
    """Makes Tasks when the training starts."""

    asked: dict
    renderer_name: str

    async def __call__(self):
        tokenizer = await asyncio.to_thread(tokenizer_utils.get_tokenizer, self.asked["model"])
        return Tasks(self.asked, renderers.get_renderer(self.renderer_name, tokenizer)), None


@chz.chz
class Pairs(ComparisonDatasetBuilder):
    """Verified pairs."""

    train: list
    heldout: list

    def get_train_and_test_datasets(self):
        return datasets.Dataset.from_list(self.train), datasets.Dataset.from_list(self.heldout) if self.heldout else None

    def example_to_labeled_comparison(self, example):
        comparison = Comparison(prompt_conversation=example["prompt"], completion_A=example["chosen"], completion_B=example["rejected"])
        return LabeledComparison(comparison=comparison, label="A")


def reinforcement(asked):
    """tinker_cookbook.rl.train's configuration, and the function that takes it."""
    renderer = asked.get("renderer") or model_info.get_recommended_renderer_name(asked["model"])
    config = train.Config(
        learning_rate=asked["learning_rate"], dataset_builder=TasksBuilder(asked=asked, renderer_name=renderer), model_name=asked["model"],
        recipe_name="deeprepo", max_tokens=asked["max_tokens"], log_path=asked["out"], eval_every=0, save_every=asked["save_every"],
        renderer_name=renderer, kl_penalty_coef=0.0, lora_rank=asked["rank"], temperature=asked["temperature"],
        remove_constant_reward_groups=True, rollout_error_tolerance=True,
    )  # fmt: skip
    if asked["beta"]:
        config = chz.replace(config, kl_penalty_coef=asked["beta"], kl_reference_config=train.KLReferenceConfig(base_model=asked["model"]))
    return config, lambda c: asyncio.run(train.main(c))


def preference(asked, read):
    """tinker_cookbook.preference.train_dpo's configuration, and the function that takes it."""
    renderer = asked.get("renderer") or model_info.get_recommended_renderer_name(asked["model"])
    rows, heldout = read(asked["pairs"], "fenced")
    common = ChatDatasetBuilderCommonConfig(
        model_name_for_tokenizer=asked["model"], renderer_name=renderer, max_length=asked["context"], batch_size=asked["batch"]
    )
    passes = math.ceil(asked["steps"] * asked["batch"] / len(rows)) if asked["steps"] else 1
    config = train_dpo.Config(
        log_path=asked["out"], model_name=asked["model"], recipe_name="deeprepo", renderer_name=renderer,
        dataset_builder=DPODatasetBuilderFromComparisons(common_config=common, comparison_builder=Pairs(train=rows, heldout=heldout)),
        learning_rate=asked["learning_rate"], num_epochs=passes, max_steps=asked["steps"] or None, dpo_beta=asked["beta"],
        lora_rank=asked["rank"], save_every=asked["save_every"], eval_every=0,
    )  # fmt: skip
    return config, train_dpo.main
