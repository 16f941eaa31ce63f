package recipe

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/pairs"
	"github.com/deeprepo/deeprepo/internal/train"
)

const chatML = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"

// chatter writes a model that chats, and gives its directory.
func chatter(t *testing.T) string {
	t.Helper()
	tokenizer, err := bpe.Train(nil, 259, []string{"<|im_start|>", "<|im_end|>"})
	if err != nil {
		t.Fatal(err)
	}
	m := transformer.New(transformer.Config{Vocab: tokenizer.Vocab(), Dim: 32, Layers: 1, Heads: 2, Hidden: 64, Context: 256}, 1)
	dir := filepath.Join(t.TempDir(), "chatter")
	if err := (nano.Policy{Model: m, Tokenizer: tokenizer, Template: chatML}).Write(dir, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

// built writes a directory of pairs of code.
func built(t *testing.T, rows ...string) string {
	t.Helper()
	dir := t.TempDir()
	held := `{"task_id":"t/9","prompt":"one","chosen":"return 9","rejected":"while"}`
	for name, text := range map[string]string{pairs.TrainName: strings.Join(rows, "\n"), pairs.HeldoutName: held} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPairsOfCode: a model that chats learns them, in 32 bits and beside eight, and nothing is said to be measured.
func TestPairsOfCode(t *testing.T) {
	var rows []string
	for i := range 8 {
		rows = append(rows, fmt.Sprintf(`{"task_id":"t/%d","prompt":"write %d","chosen":"return %d","rejected":"while"}`, i, i, i))
	}
	for _, weights := range []string{"", Int8} {
		o := ladder(chatter(t), 4, 8)
		o.DPO.Pairs, o.Weights, o.DPO.Train.Epochs = built(t, rows...), weights, 20
		out := filepath.Join(t.TempDir(), "run")
		s, err := Run(t.Context(), o, brief(out, brevity{}))
		if err != nil {
			t.Fatal(err)
		}
		if s.Before != nil || s.After != nil || s.Gate != nil || s.Measured != "" || s.Steps != 20 || len(s.Ladder) != 2 {
			t.Errorf("%+v", s)
		}
		for _, g := range s.Ladder {
			if g.Heldout == nil || g.Heldout.Accuracy != 1 {
				t.Errorf("%d pairs: %+v of the held-out pair", g.Pairs, g.Heldout)
			}
		}
		if !strings.Contains(strings.Join(s.Caveats, " "), "deeprepo code eval") {
			t.Errorf("caveats %q", s.Caveats)
		}
		if p, err := nano.NewProvider(nano.ProviderConfig{}).Policy(out); err != nil || p.Template != chatML {
			t.Errorf("the trained model: template %q, %v", p.Template, err)
		}
		if _, err := os.Stat(filepath.Join(out, train.BeforeName)); err == nil {
			t.Error("something was played")
		}
	}
}

// TestCodeSide: the prompt is read, the answer and the token that ends it are learnt.
func TestCodeSide(t *testing.T) {
	p, err := nano.NewProvider(nano.ProviderConfig{}).Policy(chatter(t))
	if err != nil {
		t.Fatal(err)
	}
	s, err := codeSide(p, []pairs.Message{{Role: "system", Content: "You code."}, {Role: "user", Content: "one"}}, "return 1", 1)
	if err != nil {
		t.Fatal(err)
	}
	q := s.Sequences[0]
	whole, own := p.Tokenizer.Decode(q.Tokens), p.Tokenizer.Decode(q.Tokens[q.Own[0][0]:q.Own[0][1]])
	want := "<|im_start|>system\nYou code.<|im_end|>\n<|im_start|>user\none<|im_end|>\n<|im_start|>assistant\nreturn 1<|im_end|>"
	if whole != want || own != "return 1<|im_end|>" {
		t.Errorf("%q, of which %q is its own", whole, own)
	}
}

func TestPairsOfCodeThatAreRefused(t *testing.T) {
	row := `{"task_id":"t/1","prompt":"one","chosen":"return 1","rejected":"return 2"}`
	refused := func(want, from, given string) {
		o := ladder(from, 4)
		o.DPO.Pairs = given
		_, err := Run(t.Context(), o, brief(filepath.Join(t.TempDir(), "run"), brevity{}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	refused("it was trained from nothing", model(t), built(t, row))
	refused("train.jsonl:2", chatter(t), built(t, row, `{"prompt":"two"}`))
	refused("does not fit", chatter(t), built(t, strings.Replace(row, "one", strings.Repeat("one ", 200), 1)))
	refused("no such file", chatter(t), t.TempDir())
	refused("is of code", model(t), filepath.Join(built(t, row), pairs.TrainName)) // a file, not its directory
}
