package nano

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// What a policy writes comes back as it was written: it continues from its own words.
func FuzzReply(f *testing.F) {
	for _, cell := range []string{"", "print(1)", "s = '''\n```python\nx\n```\n'''\n", "````\n", "\n\n", "a\r\nb\x00\xff<\u2028",
		`{"code": "x"}`} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cell := clean(text)
		for _, tools := range [][]llm.Tool{nil, {{Name: "other"}, {Name: toolName}}} {
			m := llm.Message{Role: llm.RoleAssistant}
			m.Content, m.ToolCalls = reply(cell, 1, tools)
			if got := cellOf(m); got != cell {
				t.Errorf("%q became %q by %+v", cell, got, m)
			}
		}
	})
}
