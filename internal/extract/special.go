package extract

import "strings"

// specialTokens end a reply: what the model wrote after them belongs to no answer. By family: GPT-2 and most others;
// StarCoder; Code Llama and Llama 2; Llama 3; Qwen and other ChatML; DeepSeek; Gemma; Phi; Mistral; T5-like.
var specialTokens = []string{
	"<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|eom_id|>", "<|begin_of_text|>", "<|start_header_id|>",
	"<file_sep>", "<repo_name>", "<gh_stars>", "<filename>", "<issue_start>", "<issue_comment>", "<jupyter_", "<empty_output>", "<commit_before>",
	"<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<fim_pad>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|fim_pad|>",
	"<|file_sep|>", "<|repo_name|>", "<|file_separator|>", "<|cursor|>",
	"<|im_end|>", "<|im_start|>", "<|end|>", "<|user|>", "<|assistant|>", "<|system|>", "<|eot|>", "<|return|>",
	"<｜end▁of▁sentence｜>", "<｜begin▁of▁sentence｜>", "<｜fim▁", "<|EOT|>",
	"<end_of_turn>", "<start_of_turn>", "<eos>", "<bos>", "</s>", "[/INST]", "<EOT>", "<pad>", "<unk>",
}

// SpecialToken finds the first special token of any model family in a text: where it begins, -1 for none, and which.
func SpecialToken(text string) (at int, token string) {
	at = -1
	for from := 0; ; {
		i := strings.IndexAny(text[from:], "<[")
		if i < 0 {
			return at, token
		}
		from += i
		for _, t := range specialTokens {
			if strings.HasPrefix(text[from:], t) {
				return from, t
			}
		}
		from++
	}
}
