package native_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// TestControls has both sandboxes judge the references of HumanEval and MBPP, and HumanEval's null programs: they agree. It takes those
// of every eighth task, and all 2,122 with DEEPREPO_CONTROLS=all.
func TestControls(t *testing.T) {
	every := 8
	if os.Getenv("DEEPREPO_CONTROLS") == "all" {
		every = 1
	}
	b := box(t)
	for name, file := range map[string]string{"humaneval": "HumanEval.jsonl.gz", "mbpp": "mbpp.jsonl"} {
		path := filepath.Join("..", "..", "..", "..", "shared", "data", name, file)
		if _, err := os.Stat(path); err != nil {
			t.Skip("no data here: ", err)
		}
		set, err := dataset.Open(t.Context(), name, dataset.Options{Data: path})
		if err != nil {
			t.Fatal(err)
		}
		programs := map[string]sandbox.Program{}
		for i, task := range set.Tasks {
			if i%every != 0 {
				continue
			}
			programs[task.ID+" reference"] = task.Program(task.Canonical)
			for _, null := range verify.Nulls() {
				if code, ok := verify.Null(task, null); ok && name == "humaneval" {
					programs[task.ID+" "+null] = task.Program(code)
				}
			}
		}
		var wg sync.WaitGroup
		jobs := make(chan string)
		for range 2 {
			wg.Go(func() {
				for id := range jobs {
					p := programs[id]
					p.Limits = sandbox.Limits{Wall: 5 * time.Minute, Steps: 3_000_000_000}
					n, err := b.Exec(t.Context(), p)
					if err != nil {
						t.Error(err)
					}
					w, err := engine.Exec(t.Context(), p)
					if err != nil {
						t.Error(err)
					}
					if n.Verdict != w.Verdict {
						t.Errorf("%s: native %s %+v, embedded %s %+v", id, n.Verdict, n.Error, w.Verdict, w.Error)
					}
				}
			})
		}
		for id := range programs {
			jobs <- id
		}
		close(jobs)
		wg.Wait()
		t.Logf("%s: %d programs", name, len(programs))
	}
}
