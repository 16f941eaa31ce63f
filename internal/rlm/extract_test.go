package rlm

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/google/go-cmp/cmp"
)

func TestExtract(t *testing.T) {
	tests := []struct {
		name  string
		reply llm.Response
		want  []string // cells; "!" marks a broken one
	}{
		{"python fence", llm.Response{Text: "I look.\n```python\nprint(1)\n```\nthen"}, []string{"print(1)"}},
		{"py, repl and bare", llm.Response{Text: "```py\na=1\n```\n```repl\nb=2\n```\n```\nc = 3\n```"}, []string{"a=1", "b=2", "c = 3"}},
		{"upper case and attributes", llm.Response{Text: "```Python title=\"x\"\na=1\n```"}, []string{"a=1"}},
		{"other languages are not run", llm.Response{Text: "```json\n{\"a\": 1}\n```\n```bash\nrm -rf /\n```"}, nil},
		{"a bare fence with a tree", llm.Response{Text: "```\nsrc/\n  main.py\n```"}, nil},
		{"Markdown in a triple-quoted string", llm.Response{Text: "```python\nset_answer(\"\"\"# R\n```go\nx := 1\n```\nend\"\"\")\n```\nbye"},
			[]string{"set_answer(\"\"\"# R\n```go\nx := 1\n```\nend\"\"\")"}},
		{"single-quoted triple", llm.Response{Text: "```python\nx = '''\n```\n'''\n```"}, []string{"x = '''\n```\n'''"}},
		{"quotes in comments do not count", llm.Response{Text: "```python\n# it's \"\"\" here\nx = 1\n```\nafter\n```python\ny = 2\n```"},
			[]string{"# it's \"\"\" here\nx = 1", "y = 2"}},
		{"a string that never closes ends at the fence", llm.Response{Text: "```python\nx = \"\"\"oops\n```\nprose"}, []string{"x = \"\"\"oops"}},
		{"longer fences", llm.Response{Text: "````python\nx = 1\n```\ny = 2\n````"}, []string{"x = 1\n```\ny = 2"}},
		{"thinking is not run", llm.Response{Text: "<think>\n```python\nbad()\n```\n</think>\n```python\ngood()\n```"}, []string{"good()"}},
		{"a template that opened the thinking itself", llm.Response{Text: "```python\nbad()\n```\n</think>\n```python\ngood()\n```"}, []string{"good()"}},
		{"a cell inside an unclosed thinking", llm.Response{Text: "<think>hm\n```python\nx = 1\n```"}, []string{"x = 1"}},
		{"cut off in the middle", llm.Response{Text: "```python\nx = 1\nprint(", Finish: llm.FinishLength}, []string{"!"}},
		{"not closed but finished", llm.Response{Text: "```python\nx = 1", Finish: llm.FinishStop}, []string{"x = 1"}},
		{"tool call", llm.Response{Text: "```python\nignored()\n```",
			ToolCalls: []llm.ToolCall{{ID: "c", Name: ToolName, Arguments: `{"code": "x = 1", "reasoning": "r"}`}}},
			[]string{"x = 1"}},
		{"two tool calls", llm.Response{ToolCalls: []llm.ToolCall{{ID: "a", Name: ToolName, Arguments: `{"code":"x"}`},
			{ID: "b", Name: ToolName, Arguments: `{"code":"y"}`}}},
			[]string{"x", "y"}},
		{"a fence inside the tool call", llm.Response{ToolCalls: []llm.ToolCall{{Name: ToolName, Arguments: "{\"code\": \"```python\\nx = 1\\n```\"}"}}}, []string{"x = 1"}},
		{"raw code as arguments", llm.Response{ToolCalls: []llm.ToolCall{{Name: ToolName, Arguments: "x = 1"}}}, []string{"x = 1"}},
		{"broken arguments", llm.Response{ToolCalls: []llm.ToolCall{{Name: ToolName, Arguments: `{"code": "x`}}}, []string{"!"}},
		{"no such tool", llm.Response{ToolCalls: []llm.ToolCall{{Name: "bash", Arguments: `{"code": "x"}`}}}, []string{"!"}},
		{"FINAL outside of a fence", llm.Response{Text: "All done.\nFINAL(The answer (short) is 42)"}, []string{`FINAL("The answer (short) is 42")`}},
		{"FINAL_VAR outside of a fence", llm.Response{Text: "FINAL_VAR(report)"}, []string{`FINAL_VAR("report")`}},
		{"FINAL in prose is not a call", llm.Response{Text: "I will call FINAL(x) later."}, nil},
		{"a tool call written out", llm.Response{Text: "<tool_call>\n{\"name\": \"execute_python\", \"arguments\": {\"code\": \"x = {1: 2}\\nprint(x)\"}}\n</tool_call>"}, []string{"x = {1: 2}\nprint(x)"}},
		{"a tool call in a JSON fence", llm.Response{Text: "```json\n{\"name\": \"execute_python\", \"arguments\": {\"code\": \"print(1)\"}}\n```"}, []string{"print(1)"}},
		{"another tool written out", llm.Response{Text: "<tool_call>{\"name\": \"bash\", \"arguments\": {\"code\": \"ls\"}}</tool_call>"}, nil},
		{"nothing", llm.Response{Text: ""}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, b := range extract(tt.reply) {
				if b.broken != "" {
					got = append(got, "!")
					continue
				}
				got = append(got, b.code)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{"```python\nx\n```", "``` \n'''\n```", "<think>", "FINAL((", "````py\n```\n", "```python\n\"\"\"\n```\n\\"} {
		f.Add(s, `{"code":"x"}`)
	}
	f.Fuzz(func(t *testing.T, text, args string) {
		for _, b := range extract(llm.Response{Text: text, Finish: llm.FinishLength}) {
			if b.code == "" && b.broken == "" {
				t.Fatal("an empty cell")
			}
			if b.broken == "" && !strings.HasPrefix(b.code, "FINAL") && !strings.Contains(text, b.code) && !strings.Contains(text, `"code"`) &&
				!strings.Contains(strings.ToLower(text), "code") {
				t.Fatalf("cell %q does not stand in the reply", b.code)
			}
		}
		extract(llm.Response{ToolCalls: []llm.ToolCall{{Name: ToolName, Arguments: args}}})
		if out := withoutCells(text); len(out) > len(text) {
			t.Fatal("prose grew")
		}
	})
}

func TestPresets(t *testing.T) {
	for _, name := range PresetNames() {
		p, err := BuiltinPreset(name)
		if err != nil || p.Root == "" || p.Worker == "" {
			t.Errorf("preset %s: %+v, %v", name, p, err)
		}
	}
	own, err := ParsePreset("own", "# Root\nFind lies.\n\n# Worker\nRead closely.\n")
	if err != nil || own.Root != "Find lies." || own.Worker != "Read closely." {
		t.Errorf("own preset %+v, %v", own, err)
	}
	plain, err := ParsePreset("plain", "Find dead code.")
	if err != nil || plain.Root != "Find dead code." || !strings.Contains(plain.Worker, "JSON") {
		t.Errorf("plain preset %+v, %v", plain, err)
	}
	if _, err := ParsePreset("empty", " \n"); err == nil {
		t.Error("an empty preset was taken")
	}
	for _, bad := range []string{"", "../../etc/passwd", "nope"} {
		if _, err := BuiltinPreset(bad); err == nil {
			t.Errorf("preset %q exists", bad)
		}
	}
}
