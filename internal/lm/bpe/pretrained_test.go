package bpe

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// pretrainedGolden is what testdata/make.py wrote with the tokenizers library.
type pretrainedGolden struct {
	Texts []string
	Small map[string]struct {
		Tokenizer     json.RawMessage
		Plain, Marked [][]int32
	}
}

func readGolden(t testing.TB) (g pretrainedGolden) {
	t.Helper()
	f, err := os.Open("testdata/pretrained.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&g); err != nil {
		t.Fatal(err)
	}
	return g
}

// smallTokenizer is one that the tokenizers library has trained.
func smallTokenizer(t testing.TB, g pretrainedGolden, kind string) *Tokenizer {
	t.Helper()
	tok, err := ParseTokenizer(g.Small[kind].Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func TestEncodesAsTheLibrary(t *testing.T) {
	g := readGolden(t)
	if len(g.Texts) < 300 || len(g.Small) != len(schemes)-1 {
		t.Fatalf("%d texts, %d tokenizers", len(g.Texts), len(g.Small))
	}
	for kind, want := range g.Small {
		t.Run(kind, func(t *testing.T) {
			tok := smallTokenizer(t, g, kind)
			for i, text := range g.Texts {
				marked := want.Marked[i]
				if marked == nil {
					marked = want.Plain[i]
				}
				if got := tok.Encode(text); !slices.Equal(got, want.Plain[i]) {
					t.Errorf("%q:\n%v\n%v", text, got, want.Plain[i])
				}
				if got := tok.EncodeMarked(text); !slices.Equal(got, marked) {
					t.Errorf("%q, with special tokens:\n%v\n%v", text, got, marked)
				}
			}
		})
	}
}

// TestPiecesOfOthers: what the library's pre_tokenizers give.
func TestPiecesOfOthers(t *testing.T) {
	type way struct {
		gpt2, smollm2, qwen2 string // pieces, with | between them
	}
	for text, want := range map[string]way{
		"a \r  b":           {"a| \r | b", "a| \r | b", "a| \r| | b"},
		"it's IT'S 's'd":    {"it|'s| IT|'|S| '|s|'d", "it|'s| IT|'|S| '|s|'d", "it|'s| IT|'S| '|s|'d"},
		"x  1 22½ y\n\n  z": {"x| | 1| 22½| y|\n\n | z", "x|  |1| |2|2|½| y|\n\n | z", "x| | |1| |2|2|½| y|\n\n| | z"},
		" (!?)\r\n\n\tw .é": {" (!?)|\r\n\n|\t|w| .|é", " (!?)|\r\n\n|\t|w| .|é", " (!?)\r\n\n|\tw| .|é"},
		"\u00a0a  \n b\t":   {"\u00a0|a|  \n| b|\t", "\u00a0|a|  \n| b|\t", "\u00a0a|  \n| b|\t"},
	} {
		for _, c := range []struct {
			next func(string) int
			want string
		}{{nextGPT2, want.gpt2}, {nextSmolLM, want.smollm2}, {nextQwen2, want.qwen2}} {
			var got []string
			for rest := text; rest != ""; {
				n := c.next(rest)
				got, rest = append(got, rest[:n]), rest[n:]
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "|")); diff != "" {
				t.Errorf("%q: %s", text, diff)
			}
		}
	}
}

// TestKindsAreThoseOfTheLibrary compares every character with what the library's patterns make of it. Where Go comes to know a
// later Unicode than the library, a table beside [kindOf] has to take characters away.
func TestKindsAreThoseOfTheLibrary(t *testing.T) {
	data, err := os.ReadFile("testdata/kinds.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := map[kind]string{letter: "L", number: "N", blank: "S", symbol: "P"}
	var got strings.Builder
	last := ""
	for r := range rune(0x110000) {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		now := names[kindOf(r)]
		if is, _ := numeral(string(r), 0); is {
			now += "1"
		}
		if now != last {
			fmt.Fprintf(&got, "%x %s\n", r, now)
			last = now
		}
	}
	if diff := cmp.Diff(strings.Split(string(data), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Error(diff)
	}
}

// TestRoundTrip: what was encoded comes back, in normal form C if the tokenizer brings texts into it.
func TestRoundTrip(t *testing.T) {
	g := readGolden(t)
	for _, kind := range []string{"gpt2", "qwen2"} {
		tok := smallTokenizer(t, g, kind)
		rapid.Check(t, func(t *rapid.T) { checkPretrained(t, tok, texts().Draw(t, "text")) })
		for _, text := range g.Texts {
			checkPretrained(t, tok, text)
		}
	}
	tok := smallTokenizer(t, g, "smollm2")
	if got := tok.Decode(tok.Encode("a\xffb")); got != "ab" {
		t.Errorf("bytes that the vocabulary lacks: %q", got)
	}
}

func checkPretrained(t interface{ Fatalf(string, ...any) }, tok *Tokenizer, text string) {
	ids := tok.Encode(text)
	want := text
	if tok.scheme.compose {
		want = composed(text)
	}
	if got := tok.Decode(ids); got != want {
		t.Fatalf("%q comes back as %q", text, got)
	}
	for _, id := range ids {
		if tok.isSpecial(id) {
			t.Fatalf("%q has the special token %q", text, tok.Text(id))
		}
	}
}

func FuzzPretrained(f *testing.F) {
	g := readGolden(f)
	for _, text := range g.Texts[:60] {
		f.Add(text)
	}
	gpt2, smollm2, qwen2 := smallTokenizer(f, g, "gpt2"), smallTokenizer(f, g, "smollm2"), smallTokenizer(f, g, "qwen2")
	f.Fuzz(func(t *testing.T, text string) {
		checkPretrained(t, gpt2, text)
		checkPretrained(t, qwen2, text)
		smollm2.Encode(text)
		smollm2.EncodeMarked(text)
	})
}

func TestComposed(t *testing.T) {
	for text, want := range map[string]string{
		"e\u0301":                          "é",
		"a" + strings.Repeat("\u0301", 40): "á" + strings.Repeat("\u0301", 39), // not broken up after 30
		"q\u0307\u0323":                    "q\u0323\u0307",
		"a\u030d\u0301":                    "a\u030d\u0301", // one of the same class is between
		"\u0301e\xff\u0301":                "\u0301e\xff\u0301",
		"\u1112\u1161\u11ab":               "한",
	} {
		if got, long := composed(text), composedLong(text); got != want || long != want {
			t.Errorf("%q becomes %q and %q, not %q", text, got, long, want)
		}
	}
	marks := []rune("aeo\u030d\u0301\u0323\u0345\u0344\u0300\u0591\u1100\u1161\u11a8\uac00ḍ̇ǭ\u212b\u0958\U0002f800\U0001d15e")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.OneOf(rapid.SampledFrom(marks), rapid.Rune()), 0, 25, -1).Draw(t, "text")
		if got, want := composedLong(text), norm.NFC.String(text); got != want {
			t.Fatalf("%+q becomes %+q, not %+q", text, got, want)
		}
	})
}

func TestBothWaysOfMergingAreOne(t *testing.T) {
	tok := smallTokenizer(t, readGolden(t), "gpt2")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("  ethran\n=x")), 0, manyBytes, -1).Draw(t, "text")
		var ids []int32
		for i := range len(text) {
			ids = append(ids, tok.bytes[text[i]])
		}
		if diff := cmp.Diff(tok.mergeFew(slices.Clone(ids)), tok.mergeMany(ids)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestLongPieces: a piece may be as long as a text; the square of its length is too much.
func TestLongPieces(t *testing.T) {
	tok := smallTokenizer(t, readGolden(t), "gpt2")
	for _, unit := range []string{"a", " ", "the", "=", "é"} {
		text := strings.Repeat(unit, 1<<17)
		if got := tok.Decode(tok.Encode(text)); got != text {
			t.Errorf("many %q do not come back", unit)
		}
	}
	if len(tok.cache) != 0 {
		t.Errorf("%d of the pieces are remembered", len(tok.cache))
	}
}

func TestPretrainedIsSavedAgain(t *testing.T) {
	g := readGolden(t)
	for kind := range g.Small {
		tok := smallTokenizer(t, g, kind)
		back := reparse(t, tok)
		if back.scheme != tok.scheme {
			t.Errorf("%s comes back as %s", kind, back.scheme.name)
		}
		if diff := cmp.Diff(saved(t, tok), saved(t, back)); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
		for _, text := range g.Texts {
			if diff := cmp.Diff(tok.EncodeMarked(text), back.EncodeMarked(text)); diff != "" {
				t.Fatalf("%s: %q: %s", kind, text, diff)
			}
		}
	}
}

func TestVocabularyOfGGUF(t *testing.T) {
	g := readGolden(t)
	for kind, pre := range map[string]string{"gpt2": "gpt-2", "smollm2": "smollm", "qwen2": "qwen2"} {
		tok := smallTokenizer(t, g, kind)
		f := tok.file()
		v := Vocabulary{Pre: pre, Tokens: make([]string, tok.Vocab()), Special: make([]bool, tok.Vocab())}
		for token, id := range f.Model.Vocab {
			v.Tokens[id], v.Special[id] = token, tok.isSpecial(id)
		}
		for _, m := range f.Model.Merges {
			v.Merges = append(v.Merges, m[0]+" "+m[1])
		}
		got, err := NewTokenizer(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(saved(t, tok), saved(t, got)); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}

func TestVocabularyRefuses(t *testing.T) {
	good := func() Vocabulary {
		return Vocabulary{Pre: "smollm", Tokens: []string{"<|x|>", "a", "b", "ab"}, Special: []bool{true, false, false, false},
			Merges: []string{"a b"}}
	}
	if _, err := NewTokenizer(good()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		edit func(*Vocabulary)
		want string
	}{
		{"another way", func(v *Vocabulary) { v.Pre = "llama-bpe" }, `in the way of "llama-bpe", which is not supported`},
		{"fewer types", func(v *Vocabulary) { v.Special = v.Special[:3] }, "4 tokens have 3 types"},
		{"a merge of one", func(v *Vocabulary) { v.Merges[0] = "ab" }, `merge "ab" is not of two tokens`},
		{"a merge of what is no token", func(v *Vocabulary) { v.Merges[0] = "a c" }, `merge 0, "a" and "c"`},
		{"a merge to what is no token", func(v *Vocabulary) { v.Merges[0] = "b a" }, `merge 0, "b" and "a"`},
		{"a merge twice", func(v *Vocabulary) { v.Merges = append(v.Merges, "a b") }, `is there twice`},
		{"a merge to a special token", func(v *Vocabulary) { v.Special[3] = true }, `is a special token`},
		{"a token twice", func(v *Vocabulary) { v.Tokens[2] = "a" }, `token "a" is number 1 and number 2`},
		{"a token that is no alphabet's", func(v *Vocabulary) { v.Tokens[2] = "漢" }, `token 2, "漢", is not written in the alphabet`},
		{"an empty token", func(v *Vocabulary) { v.Tokens[2] = "" }, `token 2, "", is not`},
	} {
		v := good()
		c.edit(&v)
		if _, err := NewTokenizer(v); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestParsePretrainedRefuses(t *testing.T) {
	g := readGolden(t)
	for _, c := range []struct {
		name string
		edit func(map[string]any)
		want string
	}{
		{"dropout", func(all map[string]any) { at(all, "model")["dropout"] = 0.1 }, "drops merges"},
		{"an unknown token", func(all map[string]any) { at(all, "model")["unk_token"] = "<|x|>" }, "has a token for what is unknown"},
		{"a prefix", func(all map[string]any) { at(all, "model")["continuing_subword_prefix"] = "##" }, "marks what continues"},
		{"a suffix", func(all map[string]any) { at(all, "model")["end_of_word_suffix"] = "</w>" }, "marks the ends"},
		{"byte fallback", func(all map[string]any) { at(all, "model")["byte_fallback"] = true }, "another way with what is unknown"},
		{"whole words", func(all map[string]any) { at(all, "model")["ignore_merges"] = true }, "takes whole words"},
		{"another decoder", func(all map[string]any) { at(all, "decoder")["type"] = "Fuse" }, "put together again otherwise"},
		{"a template", func(all map[string]any) { all["post_processor"] = map[string]any{"type": "BertProcessing"} }, "post_processor adds tokens"},
		{"a space before texts", func(all map[string]any) { at(all, "pre_tokenizer")["add_prefix_space"] = true }, "not together those"},
		{"stripping", func(all map[string]any) { all["added_tokens"].([]any)[0].(map[string]any)["lstrip"] = true }, "what stands around it"},
		{"a number twice", func(all map[string]any) { at(all, "model", "vocab")["Ġthe"] = 0 }, "are both number 0"},
		{"a special token in an ordinary one's place", func(all map[string]any) {
			all["added_tokens"].([]any)[0].(map[string]any)["id"] = 5
		}, "are both number 5"},
		{"a gap", func(all map[string]any) { at(all, "model", "vocab")["é"] = 1 << 19 }, "none of number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all map[string]any
			if err := json.Unmarshal(g.Small["gpt2"].Tokenizer, &all); err != nil {
				t.Fatal(err)
			}
			c.edit(all)
			data, err := json.Marshal(all)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseTokenizer(data); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
