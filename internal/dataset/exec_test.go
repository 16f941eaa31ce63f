package dataset

import (
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// every judges one program of each task, two at a time, and returns the judgements by task ID.
func every(t *testing.T, tasks []Task, code func(Task) string, limits sandbox.Limits) map[string]sandbox.Judgement {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	all := map[string]sandbox.Judgement{}
	work := make(chan Task)
	for range 2 {
		wg.Go(func() {
			for task := range work {
				p := task.Program(code(task))
				p.Limits = limits
				j, err := box.Exec(t.Context(), p)
				if err != nil {
					t.Errorf("%s: %v", task.ID, err)
				}
				mu.Lock()
				all[task.ID] = j
				mu.Unlock()
			}
		})
	}
	for _, task := range tasks {
		work <- task
	}
	close(work)
	wg.Wait()
	return all
}

// realSets are the sets of the shared data, and how many of their tasks are left out of TestCanonical between two.
var realSets = []struct {
	name, path string
	step       int
}{
	{"humaneval", "humaneval/HumanEval.jsonl.gz", 1}, {"mbpp", "mbpp/mbpp.jsonl", 1},
	{"mbpp-sanitized", "mbpp/sanitized-mbpp.json", 4}, {"quixbugs", "quixbugs", 1},
}

// TestCanonical judges the references of the real data. What fails has to be among the set's known failures, and the
// other way round.
func TestCanonical(t *testing.T) {
	for _, set := range realSets {
		t.Run(set.name, func(t *testing.T) {
			s := real(t, set.name, set.path)
			var tasks []Task
			for i := 0; i < len(s.Tasks); i += set.step {
				tasks = append(tasks, s.Tasks[i])
			}
			passed := 0
			// MBPP/123 takes 83 million steps, ten seconds of an idle core.
			for id, j := range every(t, tasks, func(t Task) string {
				return t.Canonical
			}, sandbox.Limits{Steps: 200_000_000, Wall: 2 * time.Minute}) {
				why, known := s.Info.KnownFailures[id]
				switch {
				case j.Verdict == sandbox.Passed && known:
					t.Errorf("%s passes, but is said to fail: %s", id, why)
				case j.Verdict == sandbox.Passed:
					passed++
				case !known:
					t.Errorf("%s: %s: %+v", id, j.Verdict, j.Error)
				}
			}
			t.Logf("%d of %d references pass", passed, len(tasks))
		})
	}
}

// TestQuixBugsRejects: no buggy program passes. Those that do not end are the ones that have to time out.
func TestQuixBugsRejects(t *testing.T) {
	s := real(t, "quixbugs", "quixbugs")
	verdicts := map[sandbox.Verdict]int{}
	endless := map[string]bool{"QuixBugs/bitcount": true, "QuixBugs/sqrt": true}
	for id, j := range every(t, s.Tasks, func(t Task) string { return t.Rejects[0] }, sandbox.Limits{Steps: 5_000_000, Wall: time.Minute}) {
		verdicts[j.Verdict]++
		if want := map[bool]sandbox.Verdict{true: sandbox.Timeout, false: sandbox.Failed}[endless[id]]; j.Verdict != want {
			t.Errorf("%s: %s, want %s: %+v", id, j.Verdict, want, j.Error)
		}
	}
	t.Log(verdicts)
}

// TestNullPrograms: what does nothing passes nowhere.
func TestNullPrograms(t *testing.T) {
	s := real(t, "humaneval", "humaneval/HumanEval.jsonl.gz")
	for name, c := range map[string]struct {
		code func(Task) string
		want sandbox.Verdict
	}{
		"empty completion": {func(t Task) string { return t.Whole("") }, sandbox.Failed},
		"pass":             {func(t Task) string { return t.Whole("    pass\n") }, sandbox.Failed},
		"no entry point":   {func(Task) string { return "x = 1\n" }, sandbox.NoEntryPoint},
	} {
		t.Run(name, func(t *testing.T) {
			for id, j := range every(t, s.Tasks[:40], c.code, sandbox.Limits{}) {
				if j.Verdict != c.want {
					t.Errorf("%s: %s, want %s", id, j.Verdict, c.want)
				}
			}
		})
	}
}
