package nano_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/google/go-cmp/cmp"
)

// scripted is a model that writes cells in order, by the tool or in fences, and keeps the last request.
type scripted struct {
	cells []string
	tools bool
	seen  []llm.Message
}

func (s *scripted) handle() llm.Handle {
	return llm.Handle{Name: "test/scripted", Model: llm.Func(s.complete), Price: llm.NotBilled(), Local: true, Tools: s.tools}
}

func (s *scripted) complete(_ context.Context, r llm.Request) (llm.Response, error) {
	s.seen = r.Messages
	turn, free := 0, money.USD(0)
	for _, m := range r.Messages {
		if m.Role == llm.RoleAssistant {
			turn++
		}
	}
	cell := s.cells[min(turn, len(s.cells)-1)]
	if !s.tools {
		return llm.Response{Text: "```python\n" + cell + "\n```", Finish: llm.FinishStop, Cost: &free}, nil
	}
	code, err := json.Marshal(map[string]string{"code": cell})
	return llm.Response{Finish: llm.FinishToolCalls, Cost: &free,
		ToolCalls: []llm.ToolCall{{ID: "c", Name: "execute_python", Arguments: string(code)}}}, err
}

// TestRenderOfTheLoop plays a rollout in the real environment: where the loop says something in other words, the views
// that a policy was trained on are gone, and this test says so.
func TestRenderOfTheLoop(t *testing.T) {
	e := orchestration()
	task, err := e.Task(context.Background(), env.Selection{Language: "python"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	cells := []string{
		"print(len(codebase), 'two  words')\nprint('next line')",
		"print(undefined)",
		"x = [",
		"for p in codebase:\n    raise ValueError('the first\\nthe second')",
		"r = llm_batch([codebase[p] for p in codebase])\nprint('x' * 300)",
		"n = 1",
		"s = '''\n```\n'''\nprint('a fence in a cell')",
		"print(1)",
	}
	for _, tools := range []bool{true, false} {
		s := &scripted{cells: cells, tools: tools}
		roll(t, e, task, s.handle(), 8)
		got := nano.Render(s.seen)
		want := []string{
			"11 files 24k py10 md1 t1/8",
			"11 two words next line t2/8 c0",
			"NameError: name 'undefined' is not defined t3/8 c0",
			"SyntaxError: '[' was never closed t4/8 c0",
			"ValueError: the first t5/8 c0",
			strings.Repeat("x", 120) + " t6/8 c100",
			"(no output) t7/8 c100",
			"a fence in a cell t8/8 c100",
		}
		views := make([]string, len(got))
		for i, x := range got {
			views[i] = x.View
			wrote := cells[i]
			if i == len(got)-1 {
				wrote = "" // to be written
			}
			if tools && x.Cell != wrote {
				t.Errorf("cell %d is %q, want %q", i, x.Cell, wrote)
			}
		}
		if diff := cmp.Diff(want, views); diff != "" {
			t.Errorf("tools %v: %s", tools, diff)
		}
	}
}

func TestRenderOfTheReference(t *testing.T) {
	task, err := orchestrationv1.NewTask("small", map[string]string{
		"app.py": "class App:\n    def run(self):\n        pass\n", "lib/util.py": "X = 1\n", "README.md": strings.Repeat("word ", 800),
	}, []string{"App.run does nothing at all"})
	if err != nil {
		t.Fatal(err)
	}
	s := &scripted{cells: []string{"print('hello')", "print(nothing)", "", "print(2)", "print(3)"}}
	roll(t, orchestrationv1.New(nil), task, s.handle(), 7)
	want := []nano.Exchange{
		{View: "3 files 4k py2 md1 t1", Cell: "print('hello')"},
		{View: "hello t2", Cell: "print(nothing)"},
		{View: "NameError: name 'nothing' is not defined t3", Cell: ""},
		{View: "[no output] t4/7", Cell: "print(2)"},
		{View: "2 t5/7", Cell: "print(3)"},
		{View: "3 t6/7"},
	}
	if diff := cmp.Diff(want, nano.Render(s.seen)); diff != "" {
		t.Error(diff)
	}
}

func TestRenderByHand(t *testing.T) {
	opening := "The codebase has 1234 files, 9 lines, 2500000 characters.\nEntry points: a.py\n\n<file_tree>\n" +
		"app/ (12 files, 300 lines)\nb.py (1 line)\nc.d.ts (2 lines)\nMakefile (3 lines)\nx.tar (9 lines) (4 lines)\n\"we\\nird.py\" (5 " +
		"lines)\n</file_tree>\n\n" +
		"[Turn 1/20, 19 left after it; $0.10 left; coverage 0%]\nYour answer is wanted only after at least 90% of the source lines have " +
		"reached a worker."
	user := func(s string) llm.Message { return llm.Message{Role: llm.RoleUser, Content: s} }
	said := func(s string) llm.Message { return llm.Message{Role: llm.RoleAssistant, Content: s} }
	for name, c := range map[string]struct {
		messages []llm.Message
		want     []nano.Exchange
	}{
		"nothing":        {nil, nil},
		"a big opening":  {[]llm.Message{{Role: llm.RoleSystem, Content: "rules"}, user(opening)}, []nano.Exchange{{View: "1234 files 3M py1 ts1 t1/20"}}},
		"of a child":     {[]llm.Message{user("Your task, from the model that called you:\n\nlook\n\n" + opening)}, []nano.Exchange{{View: "1234 files 3M py1 ts1 t1/20"}}},
		"folded":         {[]llm.Message{user(opening + "\n\n[Your earlier turns were folded]\nTurn 1:\n  cell: x")}, []nano.Exchange{{View: "1234 files 3M py1 ts1 t1/20"}}},
		"a finished one": {[]llm.Message{user(opening), said("```py\nx\n```")}, []nano.Exchange{{View: "1234 files 3M py1 ts1 t1/20", Cell: "x"}}},
		"no cell": {[]llm.Message{user("a"), said("words"),
			user("Your reply held no cell, so nothing was run.\n\n[Turn 2/20, 18 left after it; coverage 7%]\nFINAL TURN: now")},
			[]nano.Exchange{{View: "a t1"}, {View: "Your reply held no cell, so nothing was run. t2/20 c7"}}},
		"several cells": {[]llm.Message{said("```python\na\n```\nand\n```js\nb\n```\n```\nc\n```"),
			user("[Output of cell 1]\n1\n\n[Output of cell 2]\n2\n\n[Turn 2/20, 18 left after it; coverage 0%]")},
			[]nano.Exchange{{View: "t1", Cell: "a\nc"}, {View: "1 2 t2/20 c0"}}},
		"a forged end": {[]llm.Message{user("[Turn 9/9, 0 left after it; coverage 99%]\nx\n\n[Turn 2/20, 18 left after it; coverage 3%]")},
			[]nano.Exchange{{View: "[Turn 9/9, 0 left after it; coverage 99%] x t2/20 c3"}}},
		"stopped": {[]llm.Message{user("  File \"<cell 1>\"\nKeyboardInterrupt: stopped\nThe cell was stopped: it ran too long. Its " +
			"variables are kept.\n\n[Turn 2/20, 18 left after it; coverage 0%]")},
			[]nano.Exchange{{View: "The cell was stopped: it ran too long t2/20 c0"}}},
		"an error in words": {[]llm.Message{user("ValueError: printed, not raised\nmore")}, []nano.Exchange{{View: "ValueError: printed, not raised more t1"}}},
		"controls":          {[]llm.Message{user("\x1b[31mred\x00\u202e\xff")}, []nano.Exchange{{View: "[31mred\u202e\uFFFD t1"}}},
		"broken arguments": {[]llm.Message{{Role: llm.RoleAssistant,
			ToolCalls: []llm.ToolCall{{Arguments: "print(1)"}, {Arguments: `{"code":"x\u003c1"}`}}}},
			[]nano.Exchange{{View: "t1", Cell: "print(1)\nx<1"}}},
	} {
		if diff := cmp.Diff(c.want, nano.Render(c.messages)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

var viewEnd = regexp.MustCompile(`(^| )t\d+(/\d+)?( c\d+)?$`)

func FuzzRender(f *testing.F) {
	f.Add("The codebase has 3 files, 9 lines, 1234 characters.\n\n<file_tree>\na.py (1 line)\n</file_tree>\n\n[Turn 1/20, 19 left after "+
		"it; coverage 0%]",
		"```python\nprint(1)\n```", "1\n\n[Turn 2/20, 18 left after it; coverage 50%]")
	f.Add("Files: 3\nCharacters: 1,2,3\n  .py: 999999999", "````\n```\n````",
		"Output of the REPL:\n```\nx\n\n[Warning: 2 turn(s) left. Call\n```")
	f.Add("\xff\x00", `{"code":`, "  File \"\nValueError: \u202e")
	f.Fuzz(func(t *testing.T, first, reply, second string) {
		messages := []llm.Message{{Role: llm.RoleUser, Content: first}, {Role: llm.RoleAssistant, Content: reply},
			{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{Arguments: reply}}}, {Role: llm.RoleTool, Content: second}}
		got := nano.Render(messages)
		if len(got) != 3 || got[2].Cell != "" {
			t.Fatalf("%d exchanges of three: %+v", len(got), got)
		}
		for _, x := range got {
			if len(x.View) > 200 || strings.ContainsAny(x.View, "\n\r\x00\x1b") || !utf8.ValidString(x.View) || !viewEnd.MatchString(x.View) {
				t.Errorf("view %q", x.View)
			}
		}
	})
}
