package bpe

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestIdiomsAreTokens(t *testing.T) {
	tok := trained(t, 700)
	var got []string
	for _, id := range tok.Encode("for p, r in zip(files, llm_batch(x)):\n    set_answer(12)\n") {
		got = append(got, tok.Text(id))
	}
	want := []string{"for", " p", ",", " r", " in", " zip(", "files", ",", " llm_batch(", "x", ")):", "\n    ", "set_answer(", "1", "2", ")", "\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestJSONRoundTrip(t *testing.T) {
	tok := trained(t, 400)
	data, err := tok.JSON()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseTokenizer(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(data), string(again)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(tok.Encode(cells), back.Encode(cells)); diff != "" {
		t.Error(diff)
	}
}
