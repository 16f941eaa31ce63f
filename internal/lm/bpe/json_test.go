package bpe

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func saved(t testing.TB, tok *Tokenizer) string {
	t.Helper()
	data, err := tok.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func reparse(t testing.TB, tok *Tokenizer) *Tokenizer {
	t.Helper()
	back, err := ParseTokenizer([]byte(saved(t, tok)))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestJSONRoundTrip(t *testing.T) {
	bytesOnly, err := Train(nil, 256, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, tok := range map[string]*Tokenizer{"trained": trained(t, 400), "bytes alone": bytesOnly} {
		back := reparse(t, tok)
		if diff := cmp.Diff(saved(t, tok), saved(t, back)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(tok.Encode(cells), back.Encode(cells)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if name == "trained" && !strings.Contains(saved(t, tok), `"content": "<|view|>"`) {
			t.Errorf("special tokens cannot be read in the file:\n%s", saved(t, tok)[:500])
		}
		if strings.Contains(saved(t, tok), `"added_tokens": null`) || strings.Contains(saved(t, tok), `"merges": null`) {
			t.Errorf("%s: a list is null, which the tokenizers library does not read", name)
		}
	}
}

// TestAlphabet: characters that GPT-2's vocabulary has for bytes.
func TestAlphabet(t *testing.T) {
	for b, want := range map[byte]string{0: "Ā", '\n': "Ċ", ' ': "Ġ", '!': "!", '~': "~", 0x7f: "ġ", 0xa0: "ł", 0xa1: "¡", 0xad: "Ń",
		0xae: "®", 0xff: "ÿ"} {
		if got := fromBytes(string([]byte{b})); got != want {
			t.Errorf("byte %#02x is %s, not %s", b, got, want)
		}
	}
	seen := map[rune]bool{}
	for _, r := range byteRunes {
		seen[r] = true
	}
	if len(seen) != 256 {
		t.Errorf("%d characters for 256 bytes", len(seen))
	}
}

// change gives a saved tokenizer with one part of it changed.
func change(t testing.TB, edit func(map[string]any)) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(saved(t, trained(t, 300))), &all); err != nil {
		t.Fatal(err)
	}
	edit(all)
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func at(all map[string]any, path ...string) map[string]any {
	for _, p := range path {
		all = all[p].(map[string]any)
	}
	return all
}

func split0(all map[string]any) map[string]any {
	return at(all, "pre_tokenizer")["pretokenizers"].([]any)[0].(map[string]any)
}

func TestWhatOthersSaveAgainIsRead(t *testing.T) {
	want := saved(t, trained(t, 300))
	for name, edit := range map[string]func(map[string]any){
		"merges as lists": func(all map[string]any) {
			m := at(all, "model")
			for i, both := range m["merges"].([]any) {
				m["merges"].([]any)[i] = strings.Split(both.(string), " ")
			}
		},
		"a template that adds nothing": func(all map[string]any) {
			all["post_processor"] = json.RawMessage(addsNothing)
		},
		"truncation":      func(all map[string]any) { all["truncation"] = map[string]any{"max_length": 5} },
		"fields to come":  func(all map[string]any) { all["more"] = 1 },
		"no null members": func(all map[string]any) { delete(all, "normalizer") },
	} {
		tok, err := ParseTokenizer([]byte(change(t, edit)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, saved(t, tok)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	merges := func(edit func([]any) []any) func(map[string]any) {
		return func(all map[string]any) { at(all, "model")["merges"] = edit(at(all, "model")["merges"].([]any)) }
	}
	for _, c := range []struct {
		name string
		edit func(map[string]any)
		want string
	}{
		{"another algorithm", func(all map[string]any) { at(all, "model")["type"] = "Unigram" }, `of type "Unigram", not BPE`},
		{"other pieces", func(all map[string]any) { at(split0(all), "pattern")["Regex"] = `\w+` }, "normalizer and pre_tokenizer are not"},
		{"pieces removed", func(all map[string]any) { split0(all)["behavior"] = "Removed" }, "normalizer and pre_tokenizer are not"},
		{"a prefix space", func(all map[string]any) { at(all, "decoder")["add_prefix_space"] = true }, "decoder is not"},
		{"a normalizer", func(all map[string]any) { all["normalizer"] = map[string]any{"type": "NFC"} }, "normalizer and pre_tokenizer are not"},
		{"a post-processor", func(all map[string]any) { all["post_processor"] = map[string]any{"type": "TemplateProcessing"} }, "post_processor adds tokens"},
		{"dropout", func(all map[string]any) { at(all, "model")["dropout"] = 0.1 }, "model is not"},
		{"byte fallback", func(all map[string]any) { at(all, "model")["byte_fallback"] = true }, "model is not"},
		{"a token no merge makes", func(all map[string]any) { at(all, "model", "vocab")["zzz"] = 300 }, "the vocabulary has 301 tokens"},
		{"tokens that changed places", func(all map[string]any) {
			v := at(all, "model", "vocab")
			v["a"], v["b"] = v["b"], v["a"]
		}, "is not number"},
		{"special tokens that changed places", func(all map[string]any) {
			a := all["added_tokens"].([]any)
			a[0], a[1] = a[1], a[0]
		}, `is not number`},
		{"a special token that is none", func(all map[string]any) {
			all["added_tokens"].([]any)[0].(map[string]any)["special"] = false
		}, "added_tokens is not"},
		{"a special token with an ordinary name", func(all map[string]any) {
			all["added_tokens"].([]any)[0].(map[string]any)["content"] = "a"
		}, "the name of an ordinary one"},
		{"merges out of order", merges(func(m []any) []any { return append(m[1:], m[0]) }), "no merge before it makes"},
		{"a merge twice", merges(func(m []any) []any { return append(m, m[0]) }), "is there twice"},
		{"a merge missing", merges(func(m []any) []any { return m[:len(m)-1] }), "the vocabulary has 300 tokens, its bytes, merges and special tokens make 299"},
		{"a merge of three", merges(func(m []any) []any { return append(m, []string{"a", "b", "c"}) }), "not of two tokens"},
		{"a merge of one", merges(func(m []any) []any { return append(m, "a") }), "not of two tokens"},
		{"a token longer than a piece", merges(func([]any) []any {
			var doubling []any
			for i := range 10 {
				a := strings.Repeat("a", 1<<i)
				doubling = append(doubling, a+" "+a)
			}
			return doubling
		}), "longer than any piece"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseTokenizer([]byte(change(t, c.edit)))
			var foreign *ForeignError
			if !errors.As(err, &foreign) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %q", err, c.want)
			}
			if foreign.Hint() == "" {
				t.Error("no hint")
			}
		})
	}
	for _, data := range []string{"", "null", "[]", "{", saved(t, trained(t, 300))[:500]} {
		if _, err := ParseTokenizer([]byte(data)); err == nil {
			t.Errorf("%q was read", data)
		}
	}
}

func FuzzParseTokenizer(f *testing.F) {
	small, err := Train([]string{"abab abab"}, 260, []string{"<|end|>"})
	if err != nil {
		f.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(saved(f, small))); err != nil {
		f.Fatal(err)
	}
	f.Add(compact.Bytes())
	f.Add([]byte(strings.Replace(compact.String(), `"a b"`, `["a","b"]`, 1)))
	f.Add([]byte(`{"model":{"type":"BPE","vocab":{},"merges":["a a","aa aa"]},"added_tokens":[{"id":-1,"content":"x"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tok, err := ParseTokenizer(data)
		if err != nil {
			return
		}
		back := reparse(t, tok)
		if diff := cmp.Diff(saved(t, tok), saved(t, back)); diff != "" {
			t.Error(diff)
		}
		checkEncoding(t, tok, cells)
	})
}
