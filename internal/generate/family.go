package generate

import (
	"slices"
	"strings"
)

// family is a line of models that share their special tokens.
type family struct {
	name  string
	words []string // a model belongs here when its name holds one of them
	// tokens end a file or a turn, or begin what is no code; the most important come first, because some servers take
	// only four stop sequences.
	tokens []string
}

// families are looked through in order: a finetune that names two is of the first. The tokens are those of the
// tokenizers' special_tokens_map.json and added_tokens.json that can follow code. A token that a server does not decode
// is never seen as text and does no harm here.
var families = []family{
	{"starcoder", []string{"starcoder", "santacoder", "starchat"}, []string{"<file_sep>", "<|endoftext|>", "<repo_name>", "<fim_prefix>", "<fim_middle>", "<issue_start>", "<jupyter_start>", "<empty_output>"}},
	{"codellama", []string{"codellama", "code-llama"}, []string{"</s>", "<EOT>", "<PRE>", "<MID>", "[/INST]"}},
	{"deepseek", []string{"deepseek"}, []string{"<｜end▁of▁sentence｜>", "<|EOT|>", "<｜begin▁of▁sentence｜>", "<｜fim▁begin｜>", "<｜User｜>"}},
	{"qwen", []string{"qwen", "codeqwen"}, []string{"<|endoftext|>", "<|file_sep|>", "<|im_end|>", "<|im_start|>", "<|repo_name|>", "<|fim_prefix|>", "<|fim_middle|>"}},
	{"smollm", []string{"smollm"}, []string{"<|endoftext|>", "<file_sep>", "<|im_end|>", "<|im_start|>", "<repo_name>", "<filename>", "<jupyter_start>"}},
	{"llama3", []string{"llama3", "llama-3", "llama4", "llama-4"}, []string{"<|end_of_text|>", "<|eot_id|>", "<|eom_id|>", "<|start_header_id|>", "<|begin_of_text|>"}},
	{"gemma", []string{"gemma"}, []string{"<eos>", "<end_of_turn>", "<|file_separator|>", "<start_of_turn>", "<|fim_prefix|>"}},
	{"mistral", []string{"mistral", "mixtral", "codestral", "ministral", "devstral"}, []string{"</s>", "[/INST]", "[INST]", "[SUFFIX]", "[PREFIX]"}},
	{"phi", []string{"phi-", "phi1", "phi2", "phi3", "phi4"}, []string{"<|endoftext|>", "<|end|>", "<|im_end|>", "<|user|>"}},
	{"granite", []string{"granite"}, []string{"<|end_of_text|>", "<|endoftext|>", "<filename>", "<reponame>", "<fim_prefix>"}},
	{"llama2", []string{"llama"}, []string{"</s>", "<s>", "[/INST]"}},
}

// anyFamily is for models of no known family: the ends of text that are most in use. A model that ends with another one
// only writes on until a stop sequence of the code's own or the token limit ends it, which its samples show.
var anyFamily = family{"unknown", nil, []string{"<|endoftext|>", "</s>", "<|im_end|>", "<|eot_id|>", "<file_sep>"}}

// familyOf goes by the model's name.
func familyOf(model string) family {
	model = strings.ToLower(model)
	for _, f := range families {
		if slices.ContainsFunc(f.words, func(w string) bool { return strings.Contains(model, w) }) {
			return f
		}
	}
	return anyFamily
}
