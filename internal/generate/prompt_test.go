package generate_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
)

// tasks has one of each kind.
func tasks() map[string]dataset.Task {
	test := func(code string, public bool) dataset.Test {
		return dataset.Test{Name: code, Code: code, Public: public}
	}
	return map[string]dataset.Task{
		"prefix": {
			ID: "HumanEval/900", Text: "def twice(x: int) -> int:\n    \"\"\"Double x.\n    >>> twice(2)\n    4\n    \"\"\"\n", Prefix: "\n\ndef twice(x: int) -> int:\n    \"\"\"Double x.\n    >>> twice(2)\n    4\n    \"\"\"\n\n",
			Entry: "twice", Signature: "def twice(x: int) -> int:", Tests: []dataset.Test{test("assert twice(21) == 42", false)},
			Canonical: "def twice(x: int) -> int:\n    return 2 * x\n",
		},
		"described": {
			ID: "MBPP/900", Text: "Write a function to join words with \"\"\" between them.\\", Entry: "join_all", Signature: "def join_all(words, last):",
			Tests:     []dataset.Test{test("assert join_all(['a', 'b'], 1) == 'ab'", true), test("assert join_all([], 0) == ''", true), test("assert join_all(['secret'], 0) == 'secret'", false)},
			Canonical: "def join_all(words, last):\n    return ''.join(words)\n",
		},
		"setup": {
			ID: "MBPP/901", Text: "Write a function to count a tree's nodes.", Entry: "size", Signature: "def size(root):", Names: []string{"Node", "Leaf"},
			Setup: "class Node:\n    pass\n", Tests: []dataset.Test{test("root = Node()\nassert size(root) == 1", true)}, Canonical: "def size(root):\n    return 1\n",
		},
		"stdin": {
			ID: "APPS/900", Text: "Read two numbers and print their sum.\n\n```\n1 2\n```", PublicCases: 1,
			Cases: []sandbox.Case{{Stdin: "1 2\n", Stdout: "3\n"}, {Stdin: "secret 40 2\n", Stdout: "42\n"}},
		},
	}
}

func model(raw bool) llm.Handle { return llm.Handle{Name: "local/starcoder2-3b", Raw: raw} }

func sampler(t *testing.T, c generate.Config) *generate.Sampler {
	t.Helper()
	s, err := generate.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func prompt(t *testing.T, s *generate.Sampler, task dataset.Task) generate.Prompt {
	t.Helper()
	p, err := s.Prompt(task)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPrompts holds every prompt, to the letter, to a file of testdata: a change of a prompt changes scores, and must be
// seen in a review.
func TestPrompts(t *testing.T) {
	for kind, task := range tasks() {
		for _, mode := range []generate.Mode{generate.Chat, generate.Complete, generate.FewShot} {
			name := kind + "-" + string(mode)
			t.Run(name, func(t *testing.T) {
				p := prompt(t, sampler(t, generate.Config{Model: model(true), Mode: mode, ShowTests: -1}), task)
				got := fmt.Sprintf("raw %v, goes on with %q, stops at %q\n--------\n%s", p.Raw, p.Prefix, p.Stop, p.Text)
				runtest.Golden(t, name+".txt", got)
				if strings.Contains(p.Text, "secret") {
					t.Error("a test that is not public is shown")
				}
				if p.Raw && p.Prefix != "" && !strings.HasSuffix(p.Text, p.Prefix) {
					t.Errorf("the prompt does not end with %q, which a reply is put behind", p.Prefix)
				}
			})
		}
	}
}

// TestShowTests: as many public tests as asked for, and never another.
func TestShowTests(t *testing.T) {
	for show, want := range map[int]int{0: 1, 1: 1, 2: 2, 3: 2, -1: 2, generate.NoTests: 0} {
		for _, mode := range []generate.Mode{generate.Chat, generate.Complete, generate.FewShot} {
			p := prompt(t, sampler(t, generate.Config{Model: model(true), Mode: mode, ShowTests: show, Shots: []dataset.Task{}}),
				tasks()["described"])
			if n := strings.Count(p.Text, "assert join_all("); n != want {
				t.Errorf("%s with ShowTests %d: %d tests, want %d", mode, show, n, want)
			}
			if !strings.Contains(p.Text, "def join_all(words, last):") {
				t.Errorf("%s without tests does not say the signature", mode)
			}
		}
	}
}

// TestShotsAreOthers: a task is not an example of itself, and examples are answered.
func TestShotsAreOthers(t *testing.T) {
	shots := []dataset.Task{tasks()["prefix"], tasks()["described"]}
	s := sampler(t, generate.Config{Model: model(false), Mode: generate.FewShot, Shots: shots})
	p := prompt(t, s, tasks()["described"])
	if strings.Count(p.Text, "[DONE]") != 1 || strings.Count(p.Text, "[BEGIN]") != 2 || !strings.HasSuffix(p.Text, "\n[BEGIN]\n") ||
		strings.Contains(p.Text, "''.join(words)") {
		t.Errorf("prompt:\n%s", p.Text)
	}
	if p.Raw {
		t.Error("a model that takes no raw prompt is given one")
	}
}

// TestEveryPromptNamesItsFunction is the property whose lack made published MBPP scores 0%: over all tasks of the real
// datasets, in all modes, the prompt says the name and the signature.
func TestEveryPromptNamesItsFunction(t *testing.T) {
	const data = "../../../shared/data/"
	for name, file := range map[string]string{"humaneval": "humaneval/HumanEval.jsonl.gz", "mbpp": "mbpp/mbpp.jsonl",
		"mbpp-sanitized": "mbpp/sanitized-mbpp.json"} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(data + file); err != nil {
				t.Skip("the real dataset is not here: " + file)
			}
			set, err := dataset.Open(context.Background(), name, dataset.Options{Data: data + file, Parser: runtest.OpenParser})
			if err != nil {
				t.Fatal(err)
			}
			for _, mode := range []generate.Mode{generate.Chat, generate.Complete, generate.FewShot} {
				s := sampler(t, generate.Config{Model: model(true), Mode: mode, ShowTests: generate.NoTests})
				for _, task := range set.Tasks {
					p := prompt(t, s, task)
					own := p.Text[strings.LastIndex(p.Text, "You are an expert")+1:]
					if task.Entry == "" || task.Signature == "" || !strings.Contains(own, task.Entry) ||
						task.Prefix == "" && !strings.Contains(own, task.Signature) || !strings.Contains(own, "def "+task.Entry+"(") {
						t.Errorf("%s, %s: the prompt does not say %q:\n%s", task.ID, mode, task.Signature, own)
					}
				}
			}
		})
	}
}

func TestSolution(t *testing.T) {
	all := tasks()
	tests := []struct {
		name, kind string
		mode       generate.Mode
		reply      string
		want       string
		whole      bool
		truncated  bool
	}{
		{name: "cut off in the next function", kind: "described", mode: generate.Complete,
			reply: "\n    return ''.join(words)\n\ndef more(wor", whole: true, truncated: true,
			want: "def join_all(words, last):\n    return ''.join(words)\n\n"},
		{name: "cut off in the function itself", kind: "described", mode: generate.Complete, reply: "\n    return ''.jo", whole: true,
			truncated: true,
			want:      "def join_all(words, last):\n    return ''.jo"},
		{name: "cut off in the function itself, after another", kind: "described", mode: generate.FewShot,
			reply: "def help(w):\n    return w\n\ndef join_all(words, last):\n    return ''.jo", whole: true, truncated: true,
			want: "def help(w):\n    return w\n\ndef join_all(words, last):\n    return ''.jo"},
		{name: "not cut off", kind: "described", mode: generate.Complete, reply: "\n    return ''.join(words)\n\ndef more(words):\n    pass",
			whole: true,
			want:  "def join_all(words, last):\n    return ''.join(words)\n\ndef more(words):\n    pass"},
		{name: "a body", kind: "prefix", mode: generate.Complete, reply: "\n    return 2 * x\n\n\ndef other():\n    pass", whole: true,
			want: "def twice(x: int) -> int:\n    \"\"\"Double x.\n    >>> twice(2)\n    4\n    \"\"\"\n    return 2 * x\n\n"},
		{name: "a body with a function in it", kind: "prefix", mode: generate.Complete,
			reply: "\n    def f():\n        return x\n    return 2 * f()", whole: true,
			want: "def twice(x: int) -> int:\n    \"\"\"Double x.\n    >>> twice(2)\n    4\n    \"\"\"\n    def f():\n        return x\n    return 2 * f()"},
		{name: "nothing is no program, though the prefix would run", kind: "prefix", mode: generate.Complete, reply: " \n", whole: true, want: ""},
		{name: "another file", kind: "prefix", mode: generate.Complete, reply: "<file_sep>/tests/test_x.py\nfrom x import *", whole: true, want: ""},
		{name: "the head is the prompt's", kind: "described", mode: generate.Complete, reply: "\n    return ''.join(words)\nassert True",
			whole: true,
			want:  "def join_all(words, last):\n    return ''.join(words)"},
		{name: "MBPP never ends at a def", kind: "described", mode: generate.Complete,
			reply: "\n    return help(words)\n\ndef help(w):\n    return ''.join(w)\n\"\"\"\nnext", whole: true,
			want: "def join_all(words, last):\n    return help(words)\n\ndef help(w):\n    return ''.join(w)"},
		{name: "few-shot", kind: "described", mode: generate.FewShot,
			reply: "import re\ndef join_all(w, l):\n    return ''\n[DONE]\n\nYou are", whole: true,
			want: "import re\ndef join_all(w, l):\n    return ''\n"},
		{name: "a fence is for the extraction", kind: "described", mode: generate.FewShot, reply: "```python\ndef join_all(w, l): ...\n```", whole: false},
		{name: "chat is for the extraction", kind: "described", mode: generate.Chat, reply: "def join_all(w, l): ...", whole: false},
		{name: "a program that prints", kind: "stdin", mode: generate.Complete, reply: "\na, b = map(int, input().split())\nprint(a + b)\n",
			whole: true,
			want:  "\na, b = map(int, input().split())\nprint(a + b)\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := prompt(t, sampler(t, generate.Config{Model: model(true), Mode: tt.mode}), all[tt.kind])
			got, whole := p.Solution(tt.reply, tt.truncated)
			if diff := cmp.Diff(tt.want, got); diff != "" || whole != tt.whole {
				t.Errorf("whole %v, program (-want +got):\n%s", whole, diff)
			}
		})
	}
}

// TestStops: the family's tokens follow the code's stops, and a model of no known family has some, too.
func TestStops(t *testing.T) {
	for name, token := range map[string]string{
		"local/starcoder2-3b": "<file_sep>", "local/CodeLlama-7b": "</s>", "local/deepseek-coder-1.3b-base": "<｜end▁of▁sentence｜>",
		"ollama/qwen2.5-coder:1.5b-base": "<|file_sep|>", "local/SmolLM2-135M": "<|endoftext|>", "openrouter/meta-llama/llama-3-8b": "<|eot_id|>",
		"local/codegemma-2b": "<end_of_turn>", "local/llama-2-7b": "</s>", "local/something": "<|endoftext|>",
		"local/deepseek-r1-distill-qwen": "<｜end▁of▁sentence｜>",
	} {
		for _, kind := range []string{"prefix", "described", "stdin"} {
			s := sampler(t, generate.Config{Model: llm.Handle{Name: name, Raw: true}, Mode: generate.Complete})
			p := prompt(t, s, tasks()[kind])
			code, ok := p.Solution("\n    return 1"+token+"beyond", false)
			if !ok || strings.Contains(code, "beyond") || !strings.HasSuffix(code, "return 1") {
				t.Errorf("%s: %q does not end a reply: %q", name, token, code)
			}
			if def := strings.Contains(strings.Join(p.Stop, ""), "\ndef "); def != (kind == "prefix") {
				t.Errorf("%s, %s: stops at a def: %v", name, kind, def)
			}
			if strings.Contains(strings.Join(p.Stop, ""), "\nprint(") && kind == "stdin" {
				t.Error("a program that is to print stops at a print")
			}
		}
	}
}

func TestPick(t *testing.T) {
	for name, want := range map[string]generate.Mode{
		"local/qwen2.5-coder-1.5b": generate.Chat, "local/qwen2.5-coder-1.5b-base": generate.Complete, "openai/gpt-5": generate.Chat,
		"local/starcoder2-3b": generate.Complete, "local/starcoder2-15b-instruct-v0.1": generate.Chat, "ollama/codellama:7b-instruct": generate.Chat,
		"local/CodeLlama-7b-hf": generate.Complete, "local/deepseek-coder-1.3b-base": generate.Complete, "local/gemma-2b-it": generate.Chat, "local/gemma-2-2b-pt": generate.Complete,
		"base/gpt": generate.Chat,
	} {
		if got := generate.Pick(llm.Handle{Name: name, Raw: true}); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := generate.Pick(llm.Handle{Name: name}); got != generate.Chat {
			t.Errorf("%s without raw prompts: %s", name, got)
		}
	}
	if _, err := generate.New(generate.Config{Model: llm.Handle{Name: "anthropic/x"}, Mode: generate.Complete}); err == nil ||
		!strings.Contains(err.Error(), "conversations only") {
		t.Errorf("error %v", err)
	}
	for _, m := range append(generate.Modes(), "") {
		if got, err := generate.ParseMode(string(m)); err != nil || m != "" && got != m {
			t.Errorf("%q: %v, %v", m, got, err)
		}
	}
	if _, err := generate.ParseMode("prose"); err == nil {
		t.Error("prose is a mode")
	}
}
