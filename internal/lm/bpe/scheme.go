package bpe

import (
	"encoding/json"
	"errors"
)

// scheme is how a family of tokenizers makes pieces of a text, before tokens are made of the pieces.
type scheme struct {
	name      string                // for errors
	ggml      []string              // what GGUF files call it (tokenizer.ggml.pre)
	compose   bool                  // texts are brought into normal form C (Unicode annex 15) first
	next      func(text string) int // length of the piece at the start of a text that is not empty
	normalize any                   // as tokenizer.json states it
	pre       any
	decode    byteLevel
}

// schemes are what can be read. The first is that of the tokenizers that we train.
var schemes = []*scheme{
	{
		name:   "deeprepo",
		next:   next,
		pre:    sequence(split{Type: "Split", Pattern: regex{Pattern}, Behavior: "Isolated"}, bytesAlone),
		decode: bytesAlone,
	}, {
		name:   "GPT-2",
		ggml:   []string{"gpt-2"},
		next:   nextGPT2,
		pre:    bytesByPattern,
		decode: byteLevel{Type: "ByteLevel", AddPrefixSpace: true, TrimOffsets: true, UseRegex: true},
	}, {
		name:   "SmolLM2",
		ggml:   []string{"smollm"},
		next:   nextSmolLM,
		pre:    sequence(digits{Type: "Digits", Individual: true}, bytesByPattern),
		decode: byteLevel{Type: "ByteLevel", AddPrefixSpace: true, TrimOffsets: true, UseRegex: true},
	}, {
		name:      "Qwen2",
		ggml:      []string{"qwen2"},
		compose:   true,
		next:      nextQwen2,
		normalize: map[string]string{"type": "NFC"},
		pre:       sequence(split{Type: "Split", Pattern: regex{qwen2Pattern}, Behavior: "Isolated"}, bytesAlone),
		decode:    bytesAlone,
	},
}

var (
	bytesAlone     = byteLevel{Type: "ByteLevel"}
	bytesByPattern = byteLevel{Type: "ByteLevel", TrimOffsets: true, UseRegex: true}
)

func sequence(each ...any) preTokenizer { return preTokenizer{Type: "Sequence", Each: each} }

// schemeOf finds the scheme of a file.
func schemeOf(f file) (*scheme, error) {
	normalizer, pre := indifferent(f.Normalizer), indifferent(f.PreTokenizer)
	for _, s := range schemes {
		if equal(normalizer, s.normalize) && equal(pre, indifferent(s.pre)) {
			return s, nil
		}
	}
	return nil, errors.New("normalizer and pre_tokenizer are not together those of a tokenizer that can be read")
}

// indifferent is a part of a file without the settings that change no token: offsets into the text are the library's own affair.
func indifferent(part any) any {
	data, err := json.Marshal(part)
	var v any
	if err != nil || json.Unmarshal(data, &v) != nil {
		return part
	}
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "trim_offsets")
			for _, inner := range v {
				strip(inner)
			}
		case []any:
			for _, inner := range v {
				strip(inner)
			}
		}
	}
	strip(v)
	return v
}
