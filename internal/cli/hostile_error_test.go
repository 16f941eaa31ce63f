package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer/html"
)

// hostileError is what a provider may say of a failed call: it renames the window, clears the screen, ends a line, and holds
// markup of a terminal, of Markdown and of a page.
const hostileError = "no more \x1b]0;owned\x07\x1b[2J\x1b[31mred\u009b31m\r\nforged: line\u202e <img src=x onerror=alert(1)></script>" +
	"<script>alert(1)</script> [a](javascript:alert(1)) \u2028 end"

// A provider's error message reaches the terminal, the reports and the JSON as inert text, whoever's call failed.
func TestAProvidersErrorIsInert(t *testing.T) {
	hostile := llmtest.Reply{Status: 400, Error: hostileError, Code: "bad\x1b[31m<img src=x>"}
	tests := []struct {
		name  string
		reply func(r llmtest.ChatRequest) llmtest.Reply
	}{
		{"of the root's call", func(llmtest.ChatRequest) llmtest.Reply { return hostile }},
		{"of the root's second call", func(r llmtest.ChatRequest) llmtest.Reply {
			if r.Model == "root" && len(r.Messages) > 2 {
				return hostile
			}
			return fakeModels(0, adding)(r)
		}},
		{"of the workers' calls", func(r llmtest.ChatRequest) llmtest.Reply {
			if r.Model == "root" && len(r.Messages) > 2 {
				return llmtest.Text("```python\nset_answer('# Report\\n' + replies[0])\n```")
			}
			if r.Model == "worker" {
				return hostile
			}
			return fakeModels(0, adding)(r)
		}},
		{"with a wait", func(llmtest.ChatRequest) llmtest.Reply {
			return llmtest.Reply{Status: 429, Error: hostileError, RetryAfter: time.Hour}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProgram(t, tt.reply)
			writeFiles(p, 3)
			review := []string{"analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache", "--out"}
			for _, run := range [][]string{append(slices.Clone(review), "run"), {"resume", "run"}, append(slices.Clone(review), "other", "--json")} {
				var stdout, stderr bytes.Buffer
				cmd := p.command(run...)
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				if err := cmd.Run(); err == nil {
					t.Errorf("%v succeeded: %s", run, stdout.String())
				}
				inert(t, run[0]+": stdout", stdout.String())
				inert(t, run[0]+": stderr", stderr.String())
				if all := stdout.String() + stderr.String(); !strings.Contains(all, "no more") || strings.Contains(all, "\nforged") {
					t.Errorf("%v: the message is not said, or in lines of its own:\n%s", run, all)
				}
				if slices.Contains(run, "--json") && !json.Valid(stdout.Bytes()) {
					t.Errorf("stdout is no JSON:\n%s", stdout.String())
				}
			}
			for _, dir := range []string{"run", "other"} {
				for _, name := range []string{"report.md", "report.html", "report.json", "report.sarif", "coverage.json", "run.json"} {
					data, err := os.ReadFile(p.path(dir, name))
					if err != nil {
						t.Fatal(err)
					}
					inert(t, name, string(data))
					if strings.HasSuffix(name, "json") || strings.HasSuffix(name, "sarif") {
						if !json.Valid(data) {
							t.Errorf("%s is no JSON", name)
						}
						continue
					}
					shown := string(data)
					if name == "report.md" { // as the most careless viewer shows it
						var page bytes.Buffer
						if err := goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe())).Convert(data, &page); err != nil {
							t.Fatal(err)
						}
						shown = page.String()
					}
					for _, markup := range []string{"<img src=x", "<script>alert", `href="javascript:`} {
						if strings.Contains(shown, markup) {
							t.Errorf("%s holds %s", name, markup)
						}
					}
				}
			}
			trace, err := os.ReadFile(p.path("run", "trace.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(trace) {
				if !json.Valid(line) {
					t.Errorf("the trace holds %q", line)
				}
			}
			inert(t, "the trace", string(trace))
		})
	}
}

// inert fails the test where a text holds a character that does something to a terminal, beyond line ends and tabs. JSON is
// data: it may change the direction of writing.
func inert(t *testing.T, what, text string) {
	t.Helper()
	data := json.Valid([]byte(text)) || strings.HasPrefix(what, "the trace") || strings.HasPrefix(what, "report.html")
	bad := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || !data && r >= '\u202a' && r <= '\u202e'
	}
	if i := strings.IndexFunc(text, bad); i >= 0 {
		t.Errorf("%s holds %q", what, text[max(0, i-60):min(len(text), i+30)])
	}
}
