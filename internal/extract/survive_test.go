package extract_test

import (
	"os"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// TestReferencesSurvive reads every reference of the datasets in every form that a model may give it. None may be lost
// or changed, but for what a step names.
func TestReferencesSurvive(t *testing.T) {
	x := extract.New(runtest.OpenParser)
	for name, file := range map[string]string{
		"humaneval": "../../../shared/data/humaneval/HumanEval.jsonl.gz", "mbpp": "../../../shared/data/mbpp/mbpp.jsonl",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(file); err != nil {
				t.Skip("the dataset is not here: ", err)
			}
			set, err := dataset.Open(t.Context(), name, dataset.Options{Data: file, Parser: runtest.OpenParser})
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]int{}
			for i, task := range set.Tasks {
				if name == "mbpp" && i%4 != 0 { // all of them survive, but take a while
					continue
				}
				code := strings.TrimRight(strings.ReplaceAll(task.Canonical, "\r\n", "\n"), " \n") + "\n"
				for form, reply := range map[string]string{
					"raw":      code,
					"CRLF":     strings.ReplaceAll(code, "\n", "\r\n"),
					"fenced":   "```python\n" + code + "```",
					"unclosed": "Here you are:\n```python\n" + code,
					"no info":  "```\n" + code + "```\n",
					"prose":    "Here is the function you asked for.\n\n" + code + "\nThis works, because it's simple: see above.\n",
					"fence and prose": "Sure! Here's a function:\n\n```python\n" + code + "```\n\nExample:\n\n```python\nprint(" + task.Entry +
						"(1))\n```\n\nThis returns the answer.",
					"thinking": "<think>\nLet me see: def f(x): ...\n</think>\n\n```python\n" + code + "```",
					"special":  "```python\n" + code + "```<|im_end|>",
					"tests":    "```python\n" + code + "\n# Test\nassert " + task.Entry + "(1) == 2\nprint(" + task.Entry + "(1))\n```",
				} {
					same(t, x, task, reply, extract.Chat, form, code, seen)
				}
				if task.Prefix == "" {
					for form, reply := range map[string]string{
						"raw": code, "done": code + "[DONE]\n\nYou are", "fence": code + "```\n\nText", "special": code + "<|endoftext|>import os",
						"next": code + "\n\n\"\"\"\nWrite a function to\n\"\"\"\ndef g():\n    pass\n",
					} {
						same(t, x, task, reply, extract.Complete, "complete "+form, code, seen)
					}
					continue
				}
				rest := strings.TrimPrefix(code, task.Prefix)
				for form, reply := range map[string]string{
					"rest": rest, "newline": "\n" + rest, "lost": strings.TrimPrefix(rest, "    "), "special": rest + "<file_sep>/x.py\nfrom x import y",
					"prose": rest + "\n\nThis function does it.\n", "fence": rest + "```\nText", "prompt": code, "more": rest + "\n\ndef other(x):\n    return (x\n",
					"main": rest + "\n\nif __name__ == '__main__':\n    print(" + task.Entry + "(1))\n",
				} {
					same(t, x, task, reply, extract.Complete, "complete "+form, code, seen)
				}
			}
			t.Log(seen)
		})
	}
}

// same checks that the program is the reference: its text, or the same but for steps that are named.
func same(t *testing.T, x *extract.Extractor, task dataset.Task, reply string, mode extract.Mode, form, code string, seen map[string]int) {
	t.Helper()
	e, err := x.Extract(t.Context(), task, reply, mode)
	if err != nil {
		t.Fatal(err)
	}
	seen[form+": "+string(e.Path)+" "+strings.Join(e.Steps, "+")]++
	got, want := squeeze(e.Code), squeeze(code)
	for _, step := range e.Steps {
		switch step {
		case extract.StepPreamble:
			got = strings.TrimPrefix(got, squeeze(task.Preamble))
		case extract.StepOwn: // references that print or try themselves out
			if strings.Contains(want, got) || lines(want, got) {
				return
			}
		}
	}
	if e.Path == extract.PathRestated && strings.HasSuffix(got, want) {
		return
	}
	if form == "tests" {
		got = strings.TrimSuffix(got, "#Test")
	}
	if got != want && !(strings.HasPrefix(got, want) && form == "complete more") {
		t.Errorf("%s, %s: %s %v\n%s\nwas\n%s", task.ID, form, e.Path, e.Steps, e.Code, code)
	}
}

// squeeze leaves out blanks, which do not tell programs apart here: no form moves a line.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// lines says whether less is more without some of its lines.
func lines(more, less string) bool {
	i := 0
	for j := 0; j < len(more) && i < len(less); j++ {
		if more[j] == less[i] {
			i++
		}
	}
	return i == len(less)
}

func FuzzExtract(f *testing.F) {
	for _, seed := range []string{whole, body, "```python\n" + whole + "```", "<think>" + whole, "```\n```\n```",
		"def total(xs):\n\"\"\"\n", "[DONE]", "</s>", "@\n@\n@\ndef total():", "x=\n" + strings.Repeat("(", 50)} {
		for at := range byte(6) {
			f.Add(seed, at)
		}
	}
	x := extract.New(runtest.OpenParser)
	f.Fuzz(func(t *testing.T, reply string, at byte) {
		task := []dataset.Task{human, basic, script}[at%3]
		mode := []extract.Mode{extract.Complete, extract.Chat}[at/3%2]
		a, err := x.Extract(t.Context(), task, reply, mode)
		if err != nil {
			t.Fatal(err)
		}
		b, err := x.Extract(t.Context(), task, reply, mode)
		if err != nil || a.Code != b.Code || a.Path != b.Path {
			t.Fatalf("twice: %+v, %+v, %v", a, b, err)
		}
		if (a.Path == extract.PathEmpty) != (a.Code == "") {
			t.Fatalf("%q has path %s", a.Code, a.Path)
		}
		if len(a.Code) > 2*len(reply)+len(task.Prefix)+len(task.Preamble)+4*strings.Count(reply, "\n")+16 {
			t.Fatalf("%d bytes of %d", len(a.Code), len(reply))
		}
	})
}
