package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// A rule that misses its bad sample, and one that matches its good one, end the command with 1, and are named.
func TestRulesThatFailTheirSamples(t *testing.T) {
	all := rules.All()
	one := all[0]
	one.Bad, one.Good = one.Good[:1], append([]rule.Sample{}, one.Bad[:1]...)
	var out bytes.Buffer
	a := &app{stdout: &out, stderr: &out, getenv: os.Getenv}
	defer a.close()
	err := a.testRules(t.Context(), []rule.Rule{one, all[1]})
	if exitCode(err) != exitNo {
		t.Errorf("%v", err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || lines[0] != one.ID+", bad 1: nothing matches" || !strings.HasPrefix(lines[1], one.ID+", good 1: line ") ||
		!strings.HasPrefix(lines[2], "2 rules, ") || !strings.HasSuffix(lines[2], ", 2 faults") {
		t.Errorf("%q", lines)
	}
}
