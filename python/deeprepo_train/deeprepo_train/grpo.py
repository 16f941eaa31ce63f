"""TRL's GRPO in a deeprepo environment."""

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from . import Failure, model
from .metrics import of_rollouts
from .rollout import Player
from .run import Run, arguments

LEARNING_RATE = 1e-5  # about ten times the rate for training all weights


def run(chosen):
    """Train to the end; returns the result."""
    if chosen.group < 2:
        raise Failure("--group must be at least 2: an advantage is over the rest of the group")
    size = chosen.tasks_per_step * chosen.group
    if chosen.tasks_per_step < 1 or chosen.micro < 1 or size % chosen.micro:
        raise Failure(f"a step has {size} rollouts, which --micro {chosen.micro} does not divide")
    tokenizer = model.tokenizer(chosen.model)
    directory = Run("grpo", chosen)

    def build(metrics, callbacks):
        player = Player(chosen, tokenizer, metrics.watch)
        return GRPOTrainer(
            model=model.load(chosen.model, chosen.quantize),
            reward_funcs=[reward],
            args=config(chosen, directory.out, size),
            # Only the prompt reaches rollout_func, so it holds the number of the task; the server supplies the rest.
            train_dataset=Dataset.from_list([{"prompt": f"{i}"} for i in range(chosen.tasks)]),
            processing_class=tokenizer,
            peft_config=model.lora(chosen),
            callbacks=callbacks,
            rollout_func=rollouts(player),
        )

    _, said = directory.train(build, of_rollouts)
    return directory.finish(said)


def config(chosen, out, size):
    """TRL's own configuration."""
    passes = max(1, chosen.tasks // chosen.tasks_per_step)
    return GRPOConfig(
        **arguments(chosen, out, LEARNING_RATE, size // chosen.micro),
        max_steps=chosen.steps or passes,
        num_generations=chosen.group,
        generation_batch_size=size,
        max_completion_length=chosen.max_tokens,
        temperature=chosen.temperature,
        top_p=chosen.top_p,
        beta=chosen.beta,
        epsilon=chosen.epsilon,
        epsilon_high=chosen.epsilon_high,
        scale_rewards=chosen.scale_rewards,
        loss_type=chosen.loss,
        use_vllm=bool(chosen.vllm),
        vllm_mode=chosen.vllm or "colocate",
        vllm_max_model_length=chosen.context if chosen.vllm else None,
    )


def rollouts(player):
    """TRL's rollout_func."""

    def play(prompts, trainer):
        def sample(sequences):
            # The trainer's own sampling, with transformers or vLLM, from the model as it is at this step.
            return trainer._generate_single_turn(sequences, None, {}, 1)

        played = player.play([int(p) for p in prompts], sample)
        return {
            "prompt_ids": [r.prompt for r in played],
            "completion_ids": [r.completion for r in played],
            # Without vLLM TRL takes the log-probabilities of the model that it trains, which is the one that sampled.
            "logprobs": [r.logprobs for r in played] if trainer.use_vllm else None,
            "env_mask": [r.own for r in played],
            "earned": [r.reward for r in played],
        }

    return play


def reward(earned, **_):
    """The environment's reward."""
    return earned
