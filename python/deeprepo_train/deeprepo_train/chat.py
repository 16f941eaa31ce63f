"""A conversation as one sequence of tokens that only grows.

Rendering the whole conversation anew each turn would encode the policy's own replies again, and not always to the tokens
that it sampled. So what a template puts between two replies is encoded alone, and a reply's tokens stay as they are.
"""

from . import Failure

MARK = "deeprepo-reply"  # a placeholder for a reply while the template is examined


class Chat:
    """A tokenizer's chat template, piece by piece."""

    def __init__(self, tokenizer):
        self._tokenizer = tokenizer
        self._stops = {i for i in (tokenizer.eos_token_id,) if i is not None}

    def opening(self, messages):
        """Tokens of the messages before the first reply."""
        return self._encode(self._render(messages, True))

    def between(self, reply, message):
        """Tokens from the end of a reply to the start of the next one, with the user's message between them."""
        known = [{"role": "user", "content": "."}, {"role": "assistant", "content": MARK}]
        text = self._render([*known, {"role": "user", "content": message}], True)
        at = text.rfind(MARK, 0, text.rfind(message) if message else len(text))
        if at < 0:
            raise Failure("this model's chat template does not keep its replies", "use another model, or another template")
        tokens = self._encode(text[at + len(MARK) :])
        if reply and tokens and reply[-1] == tokens[0] and reply[-1] in self._stops:
            tokens = tokens[1:]
        return tokens

    def text(self, reply):
        """A reply's text."""
        return self._tokenizer.decode(reply, skip_special_tokens=True)

    def _render(self, messages, prompt):
        return self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=prompt)

    def _encode(self, text):
        return self._tokenizer(text, add_special_tokens=False)["input_ids"]
