package dpo

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
)

const goodLine = `{"task":"t","prompt":"v","chosen":{"policy":"p","reward":1,"seed":"18446744073709551615","workers":5,"turns":1,` +
	`"exchanges":[{"view":"v","cell":"a < b"}]},` +
	`"rejected":{"policy":"p","reward":0.25,"seed":"2","workers":5,"turns":2,"exchanges":[{"view":"v","cell":""},{"view":"w","cell":"y"}]}}`

func TestPairsComeBack(t *testing.T) {
	pairs := choose(played(3, .9, .5, .2, .1), .1, 2)
	pairs[0].Tokenizer = "abc"
	pairs[0].Chosen.Seed = 1<<64 - 1
	for _, s := range []*Side{&pairs[0].Chosen, &pairs[0].Rejected} {
		s.Sequences = []Sequence{{Tokens: []int32{3, 1, 4, 1}, Own: [][2]int{{1, 2}, {3, 4}}}, {Tokens: []int32{5, 9}, Own: [][2]int{{1, 2}}}}
	}
	var b bytes.Buffer
	if err := WritePairs(&b, pairs); err != nil {
		t.Fatal(err)
	}
	got, err := ReadPairs(&b, "pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(pairs, got); d != "" {
		t.Error(d)
	}
}

func TestBadPairs(t *testing.T) {
	swap := func(old, other string) string {
		if !strings.Contains(goodLine, old) {
			t.Fatalf("no %s", old)
		}
		return goodLine + "\n\n" + strings.Replace(goodLine, old, other, 1) + "\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"broken JSON":       {goodLine + "\n{\"task\":", "f.jsonl, line 2: unexpected end"},
		"not better":        {swap(`"reward":1`, `"reward":0.25`), "line 3: the chosen side earned 0.25, not more"},
		"reward beyond":     {swap(`"reward":1`, `"reward":1.5`), "line 3: the chosen side: a reward of 1.5"},
		"another beginning": {swap(`"prompt":"v"`, `"prompt":"u"`), "did not begin with the prompt"},
		"nothing written":   {swap(`[{"view":"v","cell":"a < b"}]`, `[]`), "has no exchanges"},
		"stretch":           {swap(`"cell":"a < b"}]`, `"cell":"a < b"}],"sequences":[{"tokens":[1,2],"own":[[1,3]]}]`), "the stretch [1 3]"},
		"no stretch":        {swap(`"cell":"a < b"}]`, `"cell":"a < b"}],"sequences":[{"tokens":[1,2],"own":[]}]`), "nothing that the policy wrote"},
		"token":             {swap(`"cell":"a < b"}]`, `"cell":"a < b"}],"sequences":[{"tokens":[1,-2],"own":[[1,2]]}]`), "the token -2"},
		"no tokenizer":      {swap(`"cell":"a < b"}]`, `"cell":"a < b"}],"sequences":[{"tokens":[1,2],"own":[[1,2]]}]`), "without a tokenizer"},
		"turns":             {swap(`"turns":1`, `"turns":-1`), "turns are below 0"},
		"empty":             {"\n", "there are no pairs"},
	} {
		_, err := ReadPairs(strings.NewReader(c.text), "f.jsonl")
		if err == nil || !strings.Contains(err.Error(), c.want) || hint.Of(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Pairs of programs, as `pairs build` and others write them.
	for _, text := range []string{`{"prompt":"Write f.","chosen":"def f(): pass","rejected":"def f(): fail"}`,
		`{"task_id":"MBPP/1","prompt":[{"role":"user","content":"Write f."}],"chosen":[{"role":"assistant","content":"x"}],"rejected":[{"role":"assistant","content":"y"}]}`} {
		_, err := ReadPairs(strings.NewReader("\n"+text+"\n"), "f.jsonl")
		var code *CodeError
		if !errors.As(err, &code) || code.Line != 2 || !strings.Contains(code.Hint(), "--engine trl") ||
			!strings.Contains(code.Error(), "f.jsonl, line 2") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := ReadFile(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Error(err)
	}
}

func FuzzReadPairs(f *testing.F) {
	f.Add(goodLine)
	f.Add(goodLine + "\n" + goodLine + "\n")
	f.Add(`{"prompt":"p","chosen":"a","rejected":"b"}`)
	f.Add(`{"prompt":"","tokenizer":"x","chosen":{"reward":1,"seed":"0","exchanges":[{}],"sequences":[{"tokens":[1,2],` +
		`"own":[[0,1],[1,2]]}]},"rejected":{}}`)
	f.Add("\x00\n[]\nnull\n")
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := ReadPairs(strings.NewReader(text), "f")
		if err != nil {
			if line, code := (*train.LineError)(nil), (*CodeError)(nil); !errors.As(err, &line) && !errors.As(err, &code) &&
				!errors.Is(err, ErrNoPairs) {
				t.Fatalf("an error of no line: %v", err)
			}
			return
		}
		var b bytes.Buffer
		if err := WritePairs(&b, pairs); err != nil {
			t.Fatal(err)
		}
		again, err := ReadPairs(&b, "f")
		if err != nil {
			t.Fatalf("what was read does not come back: %v", err)
		}
		for i, p := range pairs {
			if p.gap() <= 0 || p.gap() > 1 || again[i].gap() != p.gap() || again[i].Task != p.Task {
				t.Fatalf("pair %d: %+v", i, p)
			}
		}
	})
}
