package suggest

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"openrouter/claude-opus-4-6", "anthropic/claude-opus-4-6", "openai/gpt-5", "rules/all"}
	before := slices.Clone(known)
	for name, want := range map[string]string{
		"claude-opus-4-6":          "anthropic/claude-opus-4-6",
		"anthropic/claude-opus-46": "anthropic/claude-opus-4-6",
		"OpenAI/GPT-5":             "openai/gpt-5",
		"openai/gtp-5":             "openai/gpt-5",
		"rules/all":                "",
		"something else entirely":  "",
		"":                         "",
		strings.Repeat("x", 1<<20): "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("%.40q: %q, want %q", name, got, want)
		}
	}
	if !slices.Equal(known, before) {
		t.Errorf("the caller's names are in another order: %q", known)
	}
}

func TestWithin(t *testing.T) {
	known := slices.Values([]string{"HumanEval/1", "HumanEval/12", "HumanEval/2"})
	for _, tt := range []struct {
		name  string
		edits int
		want  string
	}{
		{"humaneval/12", 3, "HumanEval/12"},
		{"HumanEval/3", 3, "HumanEval/1"}, // the first of those equally far
		{"Humaneval-12", 3, "HumanEval/12"},
		{"MBPP/3", 2, ""},
	} {
		if got := Within(tt.name, tt.edits, known); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.name, got, tt.want)
		}
	}
}
