package recipe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train/dpo"
)

// named is an environment that is never played.
type named struct {
	env.Environment
	name string
}

func (n named) Name() string { return n.name }

// TestPairsOfMeasuredTasksAreRefused has nothing learnt that is measured.
func TestPairsOfMeasuredTasksAreRefused(t *testing.T) {
	side := func(reward float64) dpo.Side {
		return dpo.Side{RolloutSide: runfile.RolloutSide{Reward: reward, Exchanges: []nano.Exchange{{View: "v", Cell: "c"}}}}
	}
	all := make([]dpo.Pair, 40)
	for i := range all {
		all[i] = dpo.Pair{Task: "orchestration/train/" + string(rune('a'+i)), Prompt: "v", Chosen: side(1), Rejected: side(0)}
	}
	r := &run{o: Options{DPO: &DPO{}}, c: Config{Measured: named{name: "orchestration"}}}
	read := func() (learn, held []dpo.Pair, err error) {
		t.Helper()
		f, err := os.Create(filepath.Join(t.TempDir(), "pairs.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := dpo.WritePairs(f, all); err != nil {
			t.Fatal(err)
		}
		r.o.DPO.Pairs = f.Name()
		return r.pairs(t.Context(), nano.Policy{})
	}
	learn, held, err := read()
	if err != nil || len(learn) != 36 || len(held) != 4 {
		t.Errorf("%d to learn from and %d to measure: %v", len(learn), len(held), err)
	}
	all[7].Task = "orchestration/heldout/python/console/easy/0/000004"
	if _, _, err := read(); err == nil || !strings.Contains(err.Error(),
		"pair 8 is of the held-out task orchestration/heldout/python/console/easy/0/000004") {
		t.Errorf("a pair of a held-out task: %v", err)
	}
}
