package orchestrationv1_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
	"github.com/google/go-cmp/cmp"
)

// FuzzCells checks that a cell alone in a fence is that cell again.
func FuzzCells(f *testing.F) {
	f.Add("a\n```python\nx\n```\n```\n\n``` \n```py\nopen")
	f.Add("<think>```py\nno\n```</think>``` \ny")
	f.Fuzz(func(t *testing.T, reply string) {
		for _, code := range orchestrationv1.Cells(reply) {
			if strings.Contains(code, "<think>") {
				continue
			}
			if diff := cmp.Diff([]string{code}, orchestrationv1.Cells("```python\n"+code+"\n```")); diff != "" {
				t.Errorf("%q: %s", reply, diff)
			}
		}
	})
}

func TestCells(t *testing.T) {
	for reply, want := range map[string][]string{
		"":                                          nil,
		"text":                                      nil,
		"```python\na\nb\n```":                      {"a\nb"},
		"```py\na\n```\nand\n```\nb\n```":           {"a", "b"},
		"```python   \r\na\r\n```\t\r":              {"a\r"},
		"```python\na":                              {"a"}, // never closed
		"```python\n```":                            nil,   // empty
		"```python\n\n```":                          {""},  // a blank line is a cell
		" ```python\na\n```":                        nil,   // indented: the closing line then opens an empty block
		"```Python\na\n```\nb":                      {"b"}, // so here
		"```js\na\n```":                             nil,
		"```python x\na\n```":                       nil,
		"````\na\n```":                              nil,
		"```python\ns = '''\n```\n'''\n```":         {"s = '''"}, // strings are not looked into
		"```python\na\n``` \n```py\nb":              {"a", "b"},
		"```python\n```python\na\n```":              {"```python\na"}, // an inner tagged fence does not close
		"<think>```py\nx\n```</think>```py\ny\n```": {"y"},
		"<think>```py\nx\n```":                      nil, // the tag never closes: it stays, before the fence
		"<think>\n```py\nx\n```":                    {"x"},
		"a<think>b</think>\n```\nc\n```<think>\n</think>": {"c"},
		"```py\u3000\na\n```\x1f":                         {"a"},
	} {
		if diff := cmp.Diff(want, orchestrationv1.Cells(reply)); diff != "" {
			t.Errorf("%q: %s", reply, diff)
		}
	}
}
