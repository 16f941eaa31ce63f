package bpe

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var specials = []string{"<|view|>", "<|cell|>", "<|end|>"}

const cells = `prompts = [f"Review {p}:\n{codebase[p]}" for p in files]
for p, r in zip(files, llm_batch(prompts)):
    print(p, r[:80])
set_answer("\n".join(findings()))
rs = llm_batch([f"Find defects in {p}:\n{codebase[p]}" for p in files])
for p, r in zip(files, rs):
    add(r)
print(len(rs), 12)
set_answer(report(findings()))
`

func trained(t testing.TB, vocab int) *Tokenizer {
	t.Helper()
	tok, err := Train([]string{strings.Repeat(cells, 3)}, vocab, specials)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func spell(tok *Tokenizer, text string) (out []string) {
	for _, id := range tok.Encode(text) {
		out = append(out, tok.Text(id))
	}
	return out
}

func pieces(text string) (out []string) {
	for len(text) > 0 {
		n := next(text)
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"calls and indices", `x = llm_batch(p)[f(q)]`, []string{"x", " =", " llm_batch(", "p", ")[", "f(", "q", ")]"}},
		{"attributes", `a.items() and "".join(b)`, []string{"a", ".items(", ")", " and", ` "".`, "join(", "b", ")"}},
		{"lines and indentation", "):\n    if x:\n\n\ty", []string{"):", "\n    ", "if", " x", ":", "\n\n\t", "y"}},
		{"digits one by one", "t3/20 c100", []string{"t", "3", "/", "2", "0", " c", "1", "0", "0"}},
		{"escapes", `"\n{x}\q\`, []string{`"`, `\n`, "{", "x", "}", `\`, "q", `\`}},
		{"spaces", "a   b  =  1", []string{"a", "   ", "b", "  ", "=", "  ", "1"}},
		{"long runs are cut", strings.Repeat("é", 40) + strings.Repeat(" ", 40) + strings.Repeat("-", 8),
			[]string{strings.Repeat("é", 32), strings.Repeat("é", 8), strings.Repeat(" ", 32), strings.Repeat(" ", 8), "------", "--"}},
		{"no text at all", "a\xff\xe2\x82(b\x00", []string{"a\xff\xe2\x82(", "b", "\x00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, pieces(c.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// texts are random, of the characters at which pieces begin and end, and of any bytes.
func texts() *rapid.Generator[string] {
	marks := []string{" ", "  ", "\n", "\t", "\r", `\`, "n", "a", "Z", "_", ".", "(", "[", "0", "9", "é", "漢", "😀", "\u2028", "\x00",
		"\x7f", "\xff", "\xe2\x82", "=", "{", "<|end|>",
		strings.Repeat("a", 31), strings.Repeat(" ", 31), "-----"}
	return rapid.OneOf(
		rapid.Map(rapid.SliceOf(rapid.SampledFrom(marks)), func(parts []string) string { return strings.Join(parts, "") }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

func TestPiecesAreThePattern(t *testing.T) {
	pattern := regexp.MustCompile(Pattern)
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		got := pieces(text)
		if diff := cmp.Diff(pattern.FindAllString(text, -1), got); diff != "" {
			t.Fatal(diff)
		}
		for _, p := range got {
			if len(p) > maxPiece {
				t.Fatalf("piece %q is longer than %d", p, maxPiece)
			}
		}
	})
}

func TestIdiomsAreTokens(t *testing.T) {
	got := spell(trained(t, 700), "for p, r in zip(files, llm_batch(x)):\n    set_answer(12)\n")
	want := []string{"for", " p", ",", " r", " in", " zip(", "files", ",", " llm_batch(", "x", ")):", "\n    ", "set_answer(", "1", "2",
		")", "\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestVocabulary(t *testing.T) {
	tok := trained(t, 340)
	if tok.Vocab() != 340 {
		t.Errorf("%d tokens", tok.Vocab())
	}
	for i, name := range specials {
		if id, ok := tok.Special(name); !ok || int(id) != 337+i {
			t.Errorf("%s is %d, %v", name, id, ok)
		}
	}
	if _, ok := tok.Special("<|other|>"); ok {
		t.Error("a special token that nobody asked for")
	}
	if diff := cmp.Diff(specials, tok.Specials()); diff != "" {
		t.Error(diff)
	}
	if got := slices.Max(tok.Encode("<|view|><|cell|><|end|>" + cells)); got >= 337 {
		t.Errorf("a text was encoded to the special token %d", got)
	}
	if diff := cmp.Diff("a\uFFFD<|end|>\uFFFDb", tok.Decode([]int32{'a', -1, 339, 340, 'b'})); diff != "" {
		t.Error(diff)
	}
	few, err := Train([]string{"ab ab"}, 400, nil)
	if err != nil {
		t.Fatal(err)
	}
	if few.Vocab() != 257 { // "ab"; " ab" occurs once
		t.Errorf("two words gave %d tokens", few.Vocab())
	}
}

func TestTrainRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		vocab   int
		special []string
		want    string
	}{
		{"no room for the bytes", 258, specials, "259 (every byte and the special tokens)"},
		{"too large", maxVocab + 1, nil, "are possible"},
		{"a name twice", 300, []string{"<|x|>", "<|x|>"}, `two special tokens are called "<|x|>"`},
		{"no name", 300, []string{""}, "special token 0 has no name"},
		{"a byte's name", 300, []string{"a"}, `special token "a" has the name of an ordinary one`},
		{"a byte's name in the file", 300, []string{"Ġ"}, `special token "Ġ" has the name of an ordinary one`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Train([]string{cells}, c.vocab, c.special); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// plainTrain counts everything anew for each token.
func plainTrain(texts []string, tokens int) (merges []pair, words map[string][]int32) {
	tok, words, n := empty(), map[string][]int32{}, map[string]int{}
	for _, text := range texts {
		for _, p := range pieces(text) {
			n[p]++
			words[p] = nil
			for _, b := range []byte(p) {
				words[p] = append(words[p], int32(b))
			}
		}
	}
	for len(tok.texts) < tokens {
		count := map[pair]int{}
		for w, ids := range words {
			for i := range len(ids) - 1 {
				count[pair{ids[i], ids[i+1]}] += n[w]
			}
		}
		var best pair
		most := 1
		for p, c := range count {
			if c > most || c == most && c > 1 && (p.left < best.left || p.left == best.left && p.right < best.right) {
				best, most = p, c
			}
		}
		if most < 2 {
			break
		}
		id := tok.learn(best)
		for w, ids := range words {
			var merged []int32
			for i := 0; i < len(ids); i++ {
				if i+1 < len(ids) && (pair{ids[i], ids[i+1]}) == best {
					merged = append(merged, id)
					i++
				} else {
					merged = append(merged, ids[i])
				}
			}
			words[w] = merged
		}
	}
	return tok.merges, words
}

func TestTrainIsThePlainAlgorithm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringOfN(rapid.SampledFrom([]rune("abc (\n")), 0, 60, -1)
		texts := rapid.SliceOfN(words, 1, 5).Draw(t, "texts")
		tokens := 256 + rapid.IntRange(0, 40).Draw(t, "learnt")
		tok, err := Train(texts, tokens, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := plainTrain(texts, tokens)
		if diff := cmp.Diff(want, tok.merges, cmp.AllowUnexported(pair{})); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestTrainTwiceIsTheSame(t *testing.T) {
	files := corpus(50_000)
	var saved []string
	for range 2 {
		tok, err := Train(files, 600, specials)
		if err != nil {
			t.Fatal(err)
		}
		data, err := tok.JSON()
		if err != nil {
			t.Fatal(err)
		}
		saved = append(saved, string(data))
	}
	if saved[0] != saved[1] {
		t.Error(cmp.Diff(saved[0], saved[1]))
	}
}

// TestTwoWaysToAToken: (a, bc) and (ab, c) give one token, as a vocabulary that is keyed by texts demands.
func TestTwoWaysToAToken(t *testing.T) {
	tok := empty()
	aa := tok.learn(pair{'a', 'a'})
	ab := tok.learn(pair{'a', 'b'})
	bc := tok.learn(pair{'b', 'c'})
	abc := tok.learn(pair{ab, 'c'})
	if again := tok.learn(pair{'a', bc}); again != abc {
		t.Fatalf("abc is %d and %d", abc, again)
	}
	if again := tok.learn(pair{ab, 'c'}); again != abc || len(tok.merges) != 5 {
		t.Fatalf("a pair was learnt twice: %d, %d merges", again, len(tok.merges))
	}
	if diff := cmp.Diff([]int32{aa, bc, abc}, append(tok.encodePiece("aabc"), tok.encodePiece("abc")...)); diff != "" {
		t.Error(diff)
	}
	back := reparse(t, tok)
	if diff := cmp.Diff(tok.Encode("aabc abc abcc"), back.Encode("aabc abc abcc")); diff != "" {
		t.Error(diff)
	}
}

// TestOfEqualPairsTheLeftmostIsMerged, as in the tokenizers library.
func TestOfEqualPairsTheLeftmostIsMerged(t *testing.T) {
	tok := empty()
	aa := tok.learn(pair{'a', 'a'})
	ab := tok.learn(pair{'a', 'b'})
	for text, want := range map[string][]int32{"aaa": {aa, 'a'}, "aaab": {aa, ab}, "aaaa": {aa, aa}} {
		if diff := cmp.Diff(want, tok.Encode(text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestEncodeDecode(t *testing.T) {
	tok := trained(t, 500)
	rapid.Check(t, func(t *rapid.T) {
		checkEncoding(t, tok, texts().Draw(t, "text"))
	})
}

func FuzzEncode(f *testing.F) {
	for _, text := range []string{"", cells, "<|end|>", "\xff\xfe", strings.Repeat(" ", 100), "漢字\u0085\\"} {
		f.Add(text)
	}
	tok := trained(f, 500)
	f.Fuzz(func(t *testing.T, text string) { checkEncoding(t, tok, text) })
}

func checkEncoding(t interface{ Fatalf(string, ...any) }, tok *Tokenizer, text string) {
	ids := tok.Encode(text)
	if got := tok.Decode(ids); got != text {
		t.Fatalf("%q comes back as %q", text, got)
	}
	var plain []int32
	for _, p := range pieces(text) {
		plain = append(plain, tok.encodePiece(p)...)
	}
	if !slices.Equal(plain, ids) {
		t.Fatalf("%q is %v, piece by piece %v", text, ids, plain)
	}
	for _, id := range ids {
		if id < 0 || int(id) >= len(tok.texts) {
			t.Fatalf("%q is encoded with token %d", text, id)
		}
	}
}

func TestEncodeFromManyGoroutines(t *testing.T) {
	tok, files := trained(t, 500), corpus(100_000)
	want := make([][]int32, len(files))
	for i, text := range files {
		want[i] = trained(t, 500).Encode(text)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range files {
				i = (i*(2*g+1) + g) % len(files)
				if got := tok.Encode(files[i]); !slices.Equal(got, want[i]) {
					t.Errorf("text %d is encoded otherwise beside others", i)
				}
			}
		})
	}
	wg.Wait()
}

func TestCacheIsBounded(t *testing.T) {
	tok := trained(t, 300)
	for i := range maxCached + 100 {
		tok.remember(string([]byte{byte(i), byte(i >> 8), byte(i >> 16)}), nil)
	}
	if len(tok.cache) > maxCached {
		t.Errorf("%d pieces are remembered", len(tok.cache))
	}
	if got := tok.Decode(tok.Encode("never met before")); got != "never met before" {
		t.Errorf("with a full cache: %q", got)
	}
}
