package dataset

import (
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// every judges one program of each task, two at a time, and returns the judgements by task ID.
func every(t *testing.T, s *Set, code func(Task) string) map[string]sandbox.Judgement {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	all := map[string]sandbox.Judgement{}
	work := make(chan Task)
	for range 2 {
		wg.Go(func() {
			for task := range work {
				p := task.Program(code(task))
				p.KeepGoing = false
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
	for _, task := range s.Tasks {
		work <- task
	}
	close(work)
	wg.Wait()
	return all
}

func canonical(t Task) string { return t.Canonical }

// TestCanonical judges the references of the real data. What fails has to be among the set's known failures, and the
// other way round.
func TestCanonical(t *testing.T) {
	for name, path := range map[string]string{
		"humaneval": "humaneval/HumanEval.jsonl.gz", "mbpp": "mbpp/mbpp.jsonl", "mbpp-sanitized": "mbpp/sanitized-mbpp.json", "quixbugs": "quixbugs",
	} {
		t.Run(name, func(t *testing.T) {
			s := real(t, name, path)
			passed := 0
			for id, j := range every(t, s, canonical) {
				why, known := s.Info.KnownFailures[id]
				switch {
				case j.Verdict == sandbox.Passed && known:
					t.Errorf("%s passes, but is said to fail: %s", id, why)
				case j.Verdict == sandbox.Passed:
					passed++
				case !known:
					t.Errorf("%s: %s: %v", id, j.Verdict, j.Error)
				}
			}
			t.Logf("%d of %d references pass", passed, len(s.Tasks))
		})
	}
}
