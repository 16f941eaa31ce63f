package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestration"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// simProvider is the provider of simulated workers.
const simProvider = "sim"

// sim is the simulated worker of a job, by its name without the provider.
func (j job) sim() string { return fmt.Sprintf("%d-%d", j.codebase, j.repeat) }

// registerSim adds the simulated workers: sim/CODEBASE-REPEAT knows that codebase's truth, and has that repeat's luck.
// All configurations meet the same luck with the same prompt.
func registerSim(registry *llm.Registry, subjects []*subject) {
	var mu sync.Mutex
	readers := map[string]llm.Handle{} // a loop opens its worker for every dispatch
	registry.Register(simProvider, func(model string) (llm.Handle, error) {
		mu.Lock()
		defer mu.Unlock()
		if h, ok := readers[model]; ok {
			return h, nil
		}
		var b, r int
		if _, err := fmt.Sscanf(model, "%d-%d", &b, &r); err != nil || b < 0 || b >= len(subjects) || subjects[b].Task == "" {
			return llm.Handle{}, fmt.Errorf("no simulated worker %q", model)
		}
		readers[model] = orchestration.Sim(subjects[b].task(), int64(r))
		return readers[model], nil
	})
}

// simulated is what a machine has to be told to have the simulated worker of one run: it knows the codebase already.
type simulated struct {
	Name    string       `json:"name"` // without the provider
	Seed    int64        `json:"seed"`
	Defects []env.Defect `json:"defects"`
	Decoys  []env.Decoy  `json:"decoys"`
}

// simulated is the job's simulated worker, as it travels.
func (j job) simulated(s *subject) (json.RawMessage, error) {
	return json.Marshal(simulated{Name: j.sim(), Seed: int64(j.repeat), Defects: s.defects, Decoys: s.decoys})
}

// Perform is [review.Perform] for a bench's work, and for any other: where a simulated worker takes part, it is made of what
// came with the work. e's registry stays as it is.
func Perform(ctx context.Context, work review.Work, code *codebase.Codebase, w *trace.Writer, past []trace.Event,
	e review.Env) (review.Performed, error) {
	if len(work.Extra) > 0 {
		var s simulated
		if err := bounded.Unmarshal(work.Extra, &s); err != nil {
			return review.Performed{}, fmt.Errorf("the simulated worker: %w", err)
		}
		reader := orchestration.Sim(env.Task{Codebase: code, Defects: s.Defects, Decoys: s.Decoys}, s.Seed)
		e.Registry = e.Registry.Clone()
		e.Registry.Register(simProvider, func(string) (llm.Handle, error) { return reader, nil }, s.Name)
	}
	return review.Perform(ctx, work, code, w, past, e)
}
