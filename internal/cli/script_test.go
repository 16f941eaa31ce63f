package cli

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// fill runs "fill FILE WORD FROM": every WORD in FILE becomes the text of FROM, without the blanks around it.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: fill file word from")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[0]), args[1], strings.TrimSpace(ts.ReadFile(args[2])))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// sameRewards runs "samerewards A B": two results.jsonl have the same rewards, rollout by rollout, and not only zeros.
func sameRewards(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: samerewards results results")
	}
	type place struct{ example, rollout int }
	read := func(name string) map[place]float64 {
		rewards := map[place]float64{}
		for line := range strings.Lines(ts.ReadFile(name)) {
			var row struct {
				Example int     `json:"example_id"`
				Rollout int     `json:"rollout"`
				Reward  float64 `json:"reward"`
			}
			ts.Check(json.Unmarshal([]byte(line), &row))
			rewards[place{row.Example, row.Rollout}] = row.Reward
		}
		return rewards
	}
	a, b := read(args[0]), read(args[1])
	sum := 0.0
	for at, reward := range a {
		other, ok := b[at]
		if !ok || other != reward {
			ts.Fatalf("example %d, rollout %d: %v and %v", at.example, at.rollout, reward, other)
		}
		sum += reward
	}
	if len(a) != len(b) || sum == 0 {
		ts.Fatalf("%d and %d rollouts, rewards add up to %v", len(a), len(b), sum)
	}
}
