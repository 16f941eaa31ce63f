package bpe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/jsonfile"
)

// The shape of Hugging Face's tokenizer.json, as far as it is ours.
type (
	file struct {
		Version       string          `json:"version"`
		Truncation    json.RawMessage `json:"truncation"`
		Padding       json.RawMessage `json:"padding"`
		Added         []added         `json:"added_tokens"`
		Normalizer    any             `json:"normalizer"`
		PreTokenizer  any             `json:"pre_tokenizer"`
		PostProcessor json.RawMessage `json:"post_processor"`
		Decoder       byteLevel       `json:"decoder"`
		Model         model           `json:"model"`
	}
	added struct {
		ID         int32  `json:"id"`
		Content    string `json:"content"`
		SingleWord bool   `json:"single_word"`
		LStrip     bool   `json:"lstrip"`
		RStrip     bool   `json:"rstrip"`
		Normalized bool   `json:"normalized"`
		Special    bool   `json:"special"`
	}
	preTokenizer struct {
		Type string `json:"type"`
		Each []any  `json:"pretokenizers"`
	}
	split struct {
		Type     string `json:"type"`
		Pattern  regex  `json:"pattern"`
		Behavior string `json:"behavior"`
		Invert   bool   `json:"invert"`
	}
	regex  struct{ Regex string }
	digits struct {
		Type       string `json:"type"`
		Individual bool   `json:"individual_digits"`
	}
	byteLevel struct {
		Type           string `json:"type"`
		AddPrefixSpace bool   `json:"add_prefix_space"`
		TrimOffsets    bool   `json:"trim_offsets"`
		UseRegex       bool   `json:"use_regex"`
	}
	model struct {
		Type                    string          `json:"type"`
		Dropout                 json.RawMessage `json:"dropout"`
		UnkToken                json.RawMessage `json:"unk_token"`
		ContinuingSubwordPrefix *string         `json:"continuing_subword_prefix"`
		EndOfWordSuffix         *string         `json:"end_of_word_suffix"`
		FuseUnk                 bool            `json:"fuse_unk"`
		ByteFallback            bool            `json:"byte_fallback"`
		IgnoreMerges            bool            `json:"ignore_merges"`
		Vocab                   vocab           `json:"vocab"`
		Merges                  []merged        `json:"merges"`
	}
)

// vocab is written in the order of the tokens.
type vocab map[string]int32

func (v vocab) MarshalJSON() ([]byte, error) {
	byID := make([]string, len(v))
	for text, id := range v {
		byID[id] = text
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for id, text := range byID {
		if id > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(text)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(id))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// merged is a pair by its texts. It is written as one string, which all versions of the tokenizers library read, and is
// read in its new form too, a list of two. No token's text holds a space: the alphabet has another character for it.
type merged [2]string

func (m merged) MarshalJSON() ([]byte, error) { return json.Marshal(m[0] + " " + m[1]) }

func (m *merged) UnmarshalJSON(data []byte) error {
	var both string
	if json.Unmarshal(data, &both) == nil {
		var ok bool
		if m[0], m[1], ok = strings.Cut(both, " "); !ok {
			return fmt.Errorf("merge %q is not of two tokens", both)
		}
		return nil
	}
	var list []string
	if err := json.Unmarshal(data, &list); err != nil || len(list) != 2 {
		return errors.New("a merge is not of two tokens")
	}
	*m = merged(list)
	return nil
}

// file is the tokenizer.json of a tokenizer.
func (t *Tokenizer) file() file {
	f := file{
		Version:      "1.0",
		Added:        []added{}, // no null, which the library does not read
		Normalizer:   t.scheme.normalize,
		PreTokenizer: t.scheme.pre,
		Decoder:      t.scheme.decode,
		Model:        model{Type: "BPE", Vocab: make(vocab, t.Vocab()), Merges: []merged{}},
	}
	for id, text := range t.texts {
		if t.isSpecial(int32(id)) {
			f.Model.Vocab[text] = int32(id)
			f.Added = append(f.Added, added{ID: int32(id), Content: text, Special: true})
		} else {
			f.Model.Vocab[fromBytes(text)] = int32(id)
		}
	}
	for _, p := range t.merges {
		f.Model.Merges = append(f.Model.Merges, merged{fromBytes(t.texts[p.left]), fromBytes(t.texts[p.right])})
	}
	return f
}

// JSON is the tokenizer as Hugging Face's tokenizer.json. What reads it encodes equally, but for texts that spell a special
// token (the tokenizers library does likewise with encode_special_tokens).
func (t *Tokenizer) JSON() ([]byte, error) {
	var b bytes.Buffer
	if err := jsonfile.WritePlain(&b, t.file()); err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	return b.Bytes(), nil
}

// ParseTokenizer reads what [Tokenizer.JSON] wrote, or what the tokenizers library made of it, and the files of GPT-2, SmolLM2,
// Qwen2 and whatever else makes its pieces as they do. A tokenizer that would encode otherwise than its file says is refused:
// another algorithm, other pieces, tokens that no merge makes.
func ParseTokenizer(data []byte) (*Tokenizer, error) {
	t, err := parse(data)
	if err != nil {
		return nil, &ForeignError{err}
	}
	return t, nil
}

// ForeignError says why a tokenizer.json cannot be read.
type ForeignError struct{ why error }

func (e *ForeignError) Error() string { return "tokenizer.json: " + e.why.Error() }

func (e *ForeignError) Unwrap() error { return e.why }

// Hint says which files can be read.
func (*ForeignError) Hint() string {
	return "give a model directory that a deeprepo training run wrote, or one of a model with the tokenizer of GPT-2, SmolLM2 or Qwen2"
}

func parse(data []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Model.Type != "BPE" {
		return nil, fmt.Errorf("the model is of type %q, not BPE", f.Model.Type)
	}
	if len(f.Model.Merges)+256+len(f.Added) > maxVocab {
		return nil, fmt.Errorf("%d merges are more than %d", len(f.Model.Merges), maxVocab)
	}
	s, err := schemeOf(f)
	if err != nil {
		return nil, err
	}
	if s != schemes[0] {
		return parsePretrained(f, s)
	}
	return parseOurs(f)
}

func parseOurs(f file) (*Tokenizer, error) {
	t := empty()
	byName := make(map[string]int32, len(f.Model.Vocab))
	for id, text := range t.texts {
		byName[fromBytes(text)] = int32(id)
	}
	for i, m := range f.Model.Merges {
		left, ok := byName[m[0]]
		right, ok2 := byName[m[1]]
		switch {
		case !ok || !ok2:
			return nil, fmt.Errorf("merge %d, %q and %q: made of tokens that no merge before it makes", i, m[0], m[1])
		case len(t.texts[left])+len(t.texts[right]) > maxPiece:
			return nil, fmt.Errorf("merge %d makes a token of more than %d bytes, longer than any piece", i, maxPiece)
		}
		if _, again := t.rules[pair{left, right}]; again {
			return nil, fmt.Errorf("merge %d, %q and %q, is there twice", i, m[0], m[1])
		}
		byName[m[0]+m[1]] = t.learn(pair{left, right})
	}
	var special []string
	for _, a := range f.Added {
		special = append(special, a.Content)
	}
	if err := t.finish(special); err != nil {
		return nil, err
	}
	return t, t.matches(f)
}

// matches says where a file differs from the one that t would write.
func (t *Tokenizer) matches(f file) error {
	want := t.file()
	if len(f.Model.Vocab) != len(want.Model.Vocab) {
		return fmt.Errorf("the vocabulary has %d tokens, its bytes, merges and special tokens make %d", len(f.Model.Vocab), len(want.Model.Vocab))
	}
	for text, id := range want.Model.Vocab {
		if got, ok := f.Model.Vocab[text]; !ok || got != id {
			return fmt.Errorf("token %q is not number %d of the vocabulary", text, id)
		}
	}
	if err := f.addsTokens(); err != nil {
		return err
	}
	for _, part := range []struct {
		name      string
		got, want any
	}{
		{"added_tokens", f.Added, want.Added},
		{"normalizer", f.Normalizer, want.Normalizer},
		{"pre_tokenizer", f.PreTokenizer, want.PreTokenizer},
		{"decoder", f.Decoder, want.Decoder},
		{"model", f.Model.settings(), want.Model.settings()},
	} {
		if !equal(part.got, part.want) {
			return fmt.Errorf("%s is not the one of a deeprepo tokenizer", part.name)
		}
	}
	return nil
}

// addsTokens refuses a post-processor that puts tokens around every text.
func (f file) addsTokens() error {
	var kind struct{ Type string }
	if json.Unmarshal(f.PostProcessor, &kind) == nil && kind.Type == "ByteLevel" { // is about offsets alone
		return nil
	}
	if !equal(f.PostProcessor, nil) && !equal(f.PostProcessor, json.RawMessage(addsNothing)) {
		return errors.New("post_processor adds tokens")
	}
	return nil
}

// addsNothing is the post-processor that transformers writes into tokenizers that have none.
const addsNothing = `{"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}],
	"pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}], "special_tokens": {}}`

// settings are what of a model is neither vocabulary nor merges.
func (m model) settings() model {
	m.Vocab, m.Merges = nil, nil
	return m
}

// equal compares two parts as the JSON that they are, an absent value like null.
func equal(a, b any) bool {
	var parts [2]any
	for i, v := range []any{a, b} {
		data, err := json.Marshal(v)
		if err != nil || json.Unmarshal(data, &parts[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(parts[0], parts[1])
}
