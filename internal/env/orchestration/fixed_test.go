package orchestration

import (
	"context"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
)

func TestFixed(t *testing.T) {
	tasks := map[int64][]env.Task{0: {{ID: "a", Language: "go"}, {ID: "b", Language: "python"}, {ID: "c", Language: "go"}},
		1: {{ID: "c", Language: "go"}}}
	e := Fixed(FixedConfig{Name: "mine", Warning: "careful", Tasks: func(seed int64) []env.Task { return tasks[seed] }})
	about, grown := e.About(), New(Config{}).About()
	if e.Name() != "mine" || about.Summary != "fixed tasks" || about.Warning != "careful" || len(about.Splits) != 1 {
		t.Errorf("%s: %+v", e.Name(), about)
	}
	if about.RewardName != grown.RewardName || len(about.Parts) != len(grown.Parts) || about.MaxTurns != grown.MaxTurns {
		t.Errorf("the rules are other ones than those of grown tasks: %+v", about)
	}
	for _, c := range []struct {
		s    env.Selection
		size int
		last string
	}{
		{env.Selection{}, 3, "c"},
		{env.Selection{Seed: 1}, 1, "c"},
		{env.Selection{Language: "python", Difficulty: env.Hard, Split: env.Train, Files: 900}, 1, "b"},
		{env.Selection{Language: "go"}, 2, "c"},
		{env.Selection{Language: "java"}, 0, ""},
	} {
		if n := e.Size(c.s); n != c.size {
			t.Errorf("%+v: %d tasks, want %d", c.s, n, c.size)
		}
		if c.size > 0 {
			if got, err := e.Task(context.Background(), c.s, c.size-1); err != nil || got.ID != c.last {
				t.Errorf("%+v: last task %q (%v), want %q", c.s, got.ID, err, c.last)
			}
		}
		for _, i := range []int{-1, c.size} {
			if got, err := e.Task(context.Background(), c.s, i); hint.Of(err) == "" {
				t.Errorf("%+v: task %d is %q (%v), want an error with a hint", c.s, i, got.ID, err)
			}
		}
	}
}
