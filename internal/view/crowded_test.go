package view_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// TestAFileOfTooManyValues: "{}" is 2 bytes in a file and hundreds in memory; a file of 60 MB of them took more than 6 GB.
func TestAFileOfTooManyValues(t *testing.T) {
	many := strings.Repeat("null,", 1_000_001) + "null"
	for _, c := range []struct {
		resource string
		status   int
		files    map[string]string
	}{
		{"findings", 413, map[string]string{"run.json": reviewManifest, "report.json": `{"schema":1,"findings":[` + many + `]}`}},
		{"bench", 413, map[string]string{"run.json": asJSON(manifest("bench")), "bench.json": `{"rows":[` + many + `]}`}},
		{"compare/task/a", 422, map[string]string{"compare.json": `{}`, "flips.jsonl": `{"task_id":"a","x":[` + many + "]}\n"}},
	} {
		_, err := open(t, runtest.Tree(t, c.files)).Get(c.resource)
		var known *doc.Error
		if !errors.As(err, &known) || known.Status != c.status {
			t.Errorf("%s: %v", c.resource, err)
		}
	}
	// Commas in texts are no values.
	prose := `{"schema":1,"analysis":"\"` + strings.Repeat("a, b\\\\", 1_100_000) + `"}`
	dir := runtest.Tree(t, map[string]string{"run.json": reviewManifest, "report.json": prose, runfile.CoverageName: `{"schema":1}`})
	if _, err := open(t, dir).Get("findings"); err != nil {
		t.Errorf("a long text: %v", err)
	}
}
