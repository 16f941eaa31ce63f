package dpo

import (
	"fmt"
	"testing"

	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
)

// played is a group whose rollouts earned so much.
func played(place int, rewards ...float64) Group {
	g := Group{Place: place, Task: fmt.Sprintf("t%03d", place)}
	for i, r := range rewards {
		g.Rollouts = append(g.Rollouts, Side{RolloutSide: runfile.RolloutSide{Reward: r, Seed: uint64(i), Turns: 1,
			Exchanges: []nano.Exchange{{View: g.Task, Cell: fmt.Sprintf("x = %d", i)}}}})
	}
	return g
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name    string
		rewards []float64
		gap     float64
		most    int
		want    [][2]uint64 // seeds of chosen and rejected
	}{
		{"best with worst, then the next", []float64{.5, .1, .9, .3}, .1, 9, [][2]uint64{{2, 1}, {0, 3}}},
		{"at most so many", []float64{.5, .1, .9, .3}, .1, 1, [][2]uint64{{2, 1}}},
		{"too close together", []float64{.5, .1, .9, .45}, .1, 9, [][2]uint64{{2, 1}}},
		{"exactly the gap", []float64{.5, .25}, .25, 9, [][2]uint64{{0, 1}}},
		{"all equal", []float64{.4, .4, .4}, .1, 9, nil},
		{"equal ones in the order of play", []float64{1, 0, 1, 0}, .1, 9, [][2]uint64{{0, 3}, {2, 1}}},
		{"one rollout", []float64{.4}, .1, 9, nil},
		{"none", nil, .1, 9, nil},
	} {
		var got [][2]uint64
		for _, p := range choose(played(0, c.rewards...), c.gap, c.most) {
			got = append(got, [2]uint64{p.Chosen.Seed, p.Rejected.Seed})
			if err := p.check(); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
	silent := played(0, .9, .5, .1)
	silent.Tokenizer = "abc"
	silent.Rollouts[1].Sequences = []Sequence{{Tokens: []int32{1, 2}, Own: [][2]int{{1, 2}}}}
	silent.Rollouts[2].Sequences = silent.Rollouts[1].Sequences
	if got := choose(silent, .1, 9); len(got) != 1 || got[0].Chosen.Seed != 1 {
		t.Errorf("a rollout that wrote nothing was chosen: %+v", got)
	}
}

// TestSplit has every beginning be spread over the tasks, keep held-out tasks apart, and hold gaps alike.
func TestSplit(t *testing.T) {
	var groups []Group
	for i := range 200 {
		groups = append(groups, played(i, 1, .9, .8, .7, .3, .2, .1, 0))
	}
	learn, measure := Split(groups, .1, 4, 50, 7)
	if len(learn) != 4*180 || len(measure) != 50 {
		t.Fatalf("%d to learn, %d to measure", len(learn), len(measure))
	}
	apart := map[string]bool{}
	for _, p := range measure {
		apart[p.Task] = true
	}
	for n, p := range learn {
		if apart[p.Task] {
			t.Fatalf("%s is on both sides", p.Task)
		}
		if want := min(n+1, 180); Tasks(learn[:n+1]) != want {
			t.Fatalf("the first %d pairs come from %d tasks", n+1, Tasks(learn[:n+1]))
		}
	}
	if small, large := Gap(learn[:120]), Gap(learn); small < large-.05 || small > large+.05 {
		t.Errorf("120 pairs are %.2f apart, all of them %.2f", small, large)
	}
	again, _ := Split(groups, .1, 4, 50, 7)
	if d := cmp.Diff(learn, again); d != "" {
		t.Errorf("the same options give another order: %s", d)
	}
	if other, _ := Split(groups, .1, 4, 50, 8); cmp.Equal(learn, other) {
		t.Error("another seed gives the same order")
	}
	// A saved order is parted without being changed.
	kept, held := HoldOut(learn, 30)
	if len(held) != 30 || len(kept) != len(learn)-4*18 || kept[0].Task != learn[0].Task {
		t.Errorf("%d kept, %d held out", len(kept), len(held))
	}
	for _, p := range kept {
		for _, q := range held {
			if p.Task == q.Task {
				t.Fatalf("%s is on both sides", p.Task)
			}
		}
	}
}

func TestSequence(t *testing.T) {
	got := sequence(train.Segment{Tokens: []int32{1, 2, 3, 4, 5, 6, 7}, Own: []bool{false, false, true, true, false, true, false}})
	if d := cmp.Diff(Sequence{Tokens: []int32{1, 2, 3, 4, 5, 6}, Own: [][2]int{{2, 4}, {5, 6}}}, got); d != "" {
		t.Error(d)
	}
	if got := sequence(train.Segment{Tokens: []int32{1, 2}, Own: []bool{false, false}}); got.check() == nil {
		t.Error("a sequence of nothing passes")
	}
}
