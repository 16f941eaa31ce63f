package transformer

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// alone is the logits behind every token of a sequence, one at a time in its own decoder.
func alone(m *Model, tokens []int32) [][]float32 {
	var out [][]float32
	d := NewDecoder(m, 1, 1)
	for i, t := range tokens {
		out = append(out, slices.Clone(d.Step([]Row{{Pos: i, Token: t, Want: true}})[0]))
	}
	return out
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// TestAConversationIsTheSameInAnyCompany cuts conversations into steps at random, beside others at other places, some
// of them begun again, set back or made of another's beginning, in more rows than go through the layers at once, on one core
// and on three.
func TestAConversationIsTheSameInAnyCompany(t *testing.T) {
	m := New(Config{Vocab: 31, Dim: 64, Heads: 4, KVHeads: 2, Layers: 2, Hidden: 40, Context: 300}, 9)
	const slots = 5
	common := [slots]int{300, 3, 60, 128, 200} // tokens at the start that are those of slot 0
	var talks [slots][]int32
	var want [slots][][]float32
	for s := range talks {
		talks[s], _ = sequence(m.Config, 300, uint64(s))
		copy(talks[s], talks[0][:common[s]])
		want[s] = alone(m, talks[s])
	}
	rapid.Check(t, func(t *rapid.T) {
		d := NewDecoder(m, slots, rapid.SampledFrom([]int{1, 3}).Draw(t, "cores"))
		var at [slots]int
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			from, to := rapid.IntRange(0, slots-1).Draw(t, "from"), rapid.IntRange(0, slots-1).Draw(t, "to")
			if from != to && rapid.Bool().Draw(t, "shared") {
				at[to] = rapid.IntRange(0, min(at[from], common[from], common[to])).Draw(t, "as far as")
				d.Share(from, to, at[to])
			}
			var rows []Row
			var expect [][]float32
			for _, s := range rapid.Permutation([]int{0, 1, 2, 3, 4}).Draw(t, "order") {
				if rapid.IntRange(0, 9).Draw(t, "back") == 0 {
					at[s] = rapid.IntRange(0, at[s]).Draw(t, "to")
				}
				for range rapid.IntRange(0, 70).Draw(t, "tokens") {
					if at[s] == len(talks[s]) {
						break
					}
					r := Row{Slot: s, Pos: at[s], Token: talks[s][at[s]], Want: rapid.Bool().Draw(t, "want")}
					if r.Want {
						expect = append(expect, want[s][r.Pos])
					}
					rows = append(rows, r)
					at[s]++
				}
			}
			got := d.Step(rows)
			if len(got) != len(expect) {
				t.Fatalf("%d logits of %d wanted rows", len(got), len(expect))
			}
			for i := range got {
				if !sameBits(got[i], expect[i]) {
					t.Fatalf("the logits of wanted row %d of %d are not what its conversation gives alone", i, len(got))
				}
			}
		}
	})
}

func TestInterleavedRowsOfTwoConversations(t *testing.T) {
	m := New(tiny(), 9)
	a, _ := sequence(m.Config, 130, 1)
	b, _ := sequence(m.Config, 130, 2)
	var rows []Row
	for i := range a {
		rows = append(rows, Row{Slot: 0, Pos: i, Token: a[i], Want: true}, Row{Slot: 1, Pos: i, Token: b[i], Want: true})
	}
	got, wantA, wantB := NewDecoder(m, 2, 1).Step(rows), alone(m, a), alone(m, b)
	for i := range a {
		if !sameBits(got[2*i], wantA[i]) || !sameBits(got[2*i+1], wantB[i]) {
			t.Fatalf("position %d differs", i)
		}
	}
}

func TestNewWeightsForgetConversations(t *testing.T) {
	m, n := New(tiny(), 1), New(tiny(), 2)
	tokens, _ := sequence(m.Config, 20, 1)
	d := NewDecoder(m, 1, 1)
	d.Step([]Row{{Token: 1}, {Pos: 1, Token: 2}})
	d.Use(n, nil)
	for i, want := range alone(n, tokens) {
		if got := d.Step([]Row{{Pos: i, Token: tokens[i], Want: true}})[0]; !sameBits(got, want) {
			t.Fatalf("position %d differs", i)
		}
	}
	d.Use(m, nil)
	mustPanic(t, "does not follow", func() { d.Step([]Row{{Pos: 1}}) })
	mustPanic(t, "another shape", func() { d.Use(New(Config{}, 1), nil) })
}

// TestConversationsPartInALaterPage: two that share their first page read it together, and their second ones apart.
func TestConversationsPartInALaterPage(t *testing.T) {
	c := grouped()
	c.Context = 300
	m := New(c, 1)
	const shared, length = 150, 280
	var talks [2][]int32
	var want [2][][]float32
	for s := range talks {
		talks[s], _ = sequence(c, length, uint64(s))
		copy(talks[s], talks[0][:shared])
		want[s] = alone(m, talks[s])
	}
	d := NewDecoder(m, 2, 1)
	var rows []Row
	for i, token := range talks[0][:shared] {
		rows = append(rows, Row{Pos: i, Token: token})
	}
	d.Step(rows)
	d.Share(0, 1, shared)
	for i := shared; i < length; i++ {
		for s, got := range d.Step([]Row{{0, i, talks[0][i], true}, {1, i, talks[1][i], true}}) {
			if !sameBits(got, want[s][i]) {
				t.Fatalf("token %d of conversation %d is another than alone", i, s)
			}
		}
	}
}

// TestForgottenPagesAreUsedAgain: a slot gives its pages away, but for those that another holds.
func TestForgottenPagesAreUsedAgain(t *testing.T) {
	c := grouped()
	c.Context = 300
	m := New(c, 1)
	tokens, _ := sequence(c, 280, 3)
	want := alone(m, tokens)
	d := NewDecoder(m, 2, 1)
	read := func(slot, from, to int) {
		for i := from; i < to; i++ {
			if got := d.Step([]Row{{slot, i, tokens[i], true}})[0]; !sameBits(got, want[i]) {
				t.Fatalf("token %d of slot %d is another", i, slot)
			}
		}
	}
	read(0, 0, 260)
	d.Share(0, 1, 260)
	d.Forget(0)
	if len(d.free) != 0 {
		t.Errorf("%d pages are free that slot 1 holds", len(d.free))
	}
	read(1, 260, 280)
	d.Forget(1)
	if len(d.free) != 3 {
		t.Errorf("%d pages are free, of 3", len(d.free))
	}
	read(0, 0, 140)
	if len(d.free) != 1 {
		t.Errorf("%d pages are free: they are not used again", len(d.free))
	}
}

func TestDecoderRefusesWrongRows(t *testing.T) {
	m := New(tiny(), 1)
	for _, tt := range []struct {
		name string
		rows []Row
		want string
	}{
		{"slot", []Row{{Slot: 2}}, "slot 2 of 2"},
		{"negative slot", []Row{{Slot: -1}}, "slot -1 of 2"},
		{"token", []Row{{Token: 23}}, "token 23"},
		{"negative token", []Row{{Token: -1}}, "token -1"},
		{"context", []Row{{Pos: 160}}, "position 160 is not of the context"},
		{"negative position", []Row{{Pos: -1}}, "position -1"},
		{"gap", []Row{{Pos: 0}, {Pos: 2}}, "position 2 does not follow the 1"},
		{"twice", []Row{{Pos: 0}, {Pos: 0}}, "position 0 does not follow the 1"},
		{"nothing before", []Row{{Pos: 1}}, "position 1 does not follow the 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mustPanic(t, tt.want, func() { NewDecoder(m, 2, 1).Step(tt.rows) })
		})
	}
}

func TestAStepOfNothing(t *testing.T) {
	d := NewDecoder(New(tiny(), 1), 1, 1)
	if got := d.Step(nil); len(got) != 0 {
		t.Errorf("%d logits of no rows", len(got))
	}
	if got := d.Step([]Row{{Token: 3}}); len(got) != 0 {
		t.Errorf("%d logits where none are wanted", len(got))
	}
}

func TestDecoderDoesNotAllocate(t *testing.T) {
	m := New(Small(), 1)
	d := NewDecoder(m, 4, 1)
	talk := func() {
		rows := make([]Row, 0, 4)
		for i := range 150 {
			rows = rows[:0]
			for s := range 4 {
				rows = append(rows, Row{Slot: s, Pos: i, Token: int32(i % 20), Want: true})
			}
			d.Step(rows)
		}
	}
	talk()
	if n := testing.AllocsPerRun(3, talk); n > 3 {
		t.Errorf("%v allocations in 150 steps", n)
	}
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if r := fmt.Sprint(recover()); !containsAll(r, want) {
			t.Errorf("panic %q, want one about %q", r, want)
		}
	}()
	f()
}
