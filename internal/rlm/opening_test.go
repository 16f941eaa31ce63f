package rlm

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
)

// The first message has a stated size, whatever a codebase is called and holds.
func TestTheFirstMessageIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("short: nothing in it runs in parallel, and it takes long under the race detector")
	}
	many, wide, deep, entries := map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}
	for i := range 100_000 {
		many[fmt.Sprintf("src/d%02d/e%02d/file%05d.py", i%97, i%89, i)] = "x = 1\n"
	}
	for i := range 3_000 {
		wide[strings.Repeat("\x01", 100)+fmt.Sprint(i)+".py"] = ""
		deep[strings.Repeat(fmt.Sprintf("d%d/", i), i%300)+"x.py"] = ""
	}
	for i := range 200 {
		entries[fmt.Sprintf("%s%d/main.py", strings.Repeat("\n\t", 1000), i)] = "if __name__ == '__main__':\n    main()\n"
	}
	for name, files := range map[string]map[string]string{"many": many, "wide": wide, "deep": deep, "entries": entries, "none": {}} {
		code := codebase.FromMap(files)
		for _, id := range []string{"", "t001.c01.d001.0001"} {
			started := time.Now()
			stats := code.Stats()
			n := &node{id: id, task: strings.Repeat("do it ", 50_000), maxTurns: 20, turn: 1, run: &run{cfg: Config{Codebase: code,
				Gate: Gate{Mode: GateHold, Coverage: 1}}, ledger: coverage.New(codebase.FromMap(nil)), fileTree: code.Tree(maxTree),
				metadata: metadata{TotalFiles: stats.Files, TotalLines: stats.Lines, EntryPoints: code.EntryPoints()}}}
			first := n.opening() + "\n" + n.countdown(1)
			if len(first) > MaxOpening {
				t.Errorf("%s: %d characters, at most %d are promised", name, len(first), MaxOpening)
			}
			if name == "entries" && !strings.Contains(first, `more in metadata["entry_points"]`) {
				t.Errorf("entries: %.200q", first)
			}
			if name == "many" && (!strings.Contains(first, "100000 files") || len(first) < maxTree/4) {
				t.Errorf("many: %d characters, %.200q", len(first), first)
			}
			if took := time.Since(started); took > 30*time.Second {
				t.Errorf("%s took %v", name, took)
			}
		}
	}
}
