package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code := Main(append(append([]string{"deeprepo"}, args...), "--help"), nil, &out, &out); code != exitOK {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	return out.String()
}

// Every command stands in a group, its examples come first, and each has one.
func TestHelp(t *testing.T) {
	root := (&app{}).rootCommand()
	other := []string{"completion", "help", "version"}
	for _, cmd := range root.Commands() {
		if cmd.GroupID == "" && !cmd.Hidden && !slices.Contains(other, cmd.Name()) {
			t.Errorf("deeprepo %s stands in no group", cmd.Name())
		}
	}
	text := helpOf(t)
	at := -1
	for _, want := range []string{"Examples:", "Usage:", "Review:", "analyze ", "Measure:", "bench ", "Verify", "code ", "Train:", "train ",
		"Serve:", "fleet ", "Other:", "version ", "Flags:"} {
		next := strings.Index(text[max(at, 0):], "\n"+want)
		if strings.HasSuffix(want, " ") {
			next = strings.Index(text[max(at, 0):], "\n  "+want)
		}
		if next < 0 {
			t.Fatalf("%q is missing, or out of order:\n%s", want, text)
		}
		at = max(at, 0) + next
	}
	var walk func(cmd *cobra.Command, path []string)
	walk = func(cmd *cobra.Command, path []string) {
		text := helpOf(t, path...)
		examples, usage := strings.Index(text, "\nExamples:\n"), strings.Index(text, "\nUsage:\n")
		if usage < 0 || examples > usage || strings.Count(text, "\nExamples:\n") > 1 || !strings.HasPrefix(text, cmd.Short) {
			t.Errorf("%s: examples at %d, usage at %d:\n%s", cmd.CommandPath(), examples, usage, text)
		}
		if cmd.HasExample() != (examples >= 0) {
			t.Errorf("%s: its examples are not shown", cmd.CommandPath())
		}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() && !slices.Contains(other, sub.Name()) {
				walk(sub, append(slices.Clone(path), sub.Name()))
			}
		}
	}
	walk(root, nil)
}
