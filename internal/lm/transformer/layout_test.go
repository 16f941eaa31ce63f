package transformer

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// rollouts makes sequences as a group's rollouts are: they begin alike, part at any place, come twice, end early, or have
// nothing that is wanted.
func rollouts(c Config, n int, seed uint64) []Sequence {
	rng := rand.New(rand.NewPCG(seed, 3))
	var out []Sequence
	for i := range n {
		tokens, want := sequence(c, 20+rng.IntN(130), seed+uint64(i))
		if i > 0 && i%5 != 0 { // every fifth one is alone
			from := out[rng.IntN(i)]
			k := rng.IntN(min(len(tokens), len(from.Tokens)))
			copy(tokens, from.Tokens[:k])
			copy(want, from.Want[:k])
		}
		out = append(out, Sequence{tokens, want})
	}
	short := out[2]
	return append(out, out[1], Sequence{short.Tokens[:len(short.Tokens)/2], short.Want}, Sequence{out[3].Tokens, make([]bool, 200)},
		Sequence{out[0].Tokens[:1], nil})
}

// TestSequencesTogetherAreAsAlone: what each is given, and the sum of their gradients, whether they share rows or not.
func TestSequencesTogetherAreAsAlone(t *testing.T) {
	for _, tt := range []struct {
		name string
		m    *Model
		a    *Adapter
		most int
	}{
		{"model", New(grouped(), 1), nil, maxProbs},
		{"probabilities computed again", New(grouped(), 1), nil, 0},
		{"adapter", New(tiny(), 1), busy(NewAdapter(tiny(), 3, 6, 5)), maxProbs},
		{"adapter beside eight bits", biased(wide()).InEightBits(), busy(NewAdapter(wide(), 3, 4, 5)), maxProbs},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sequences := rollouts(tt.m.Config, 12, 4)
			together, alone := NewPass(tt.m, tt.a), NewPass(tt.m, tt.a)
			together.most = tt.most
			got, want := NewGrads(together.Params()), NewGrads(alone.Params())
			logp, entropy := together.Forward(sequences, 0.8)
			var dlogp, dent [][]float32
			for i, s := range sequences {
				n := len(s.Tokens) - 1
				dlogp, dent = append(dlogp, weights(n, uint64(i))), append(dent, weights(n, uint64(100+i)))
				l, e := forward(alone, s.Tokens, s.Want, 0.8)
				alike(t, "log-probabilities", logp[i], l)
				alike(t, "entropies", entropy[i], e)
				backward(alone, dlogp[i], dent[i], want)
			}
			together.Backward(dlogp, dent, got)
			alike(t, "gradients", got.flat, want.flat)
		})
	}
}

// TestWhatIsSharedIsThereOnce: a row for every different beginning up to what is wanted last, and no other.
func TestWhatIsSharedIsThereOnce(t *testing.T) {
	for seed := range uint64(20) {
		sequences := rollouts(tiny(), 12, seed)
		beginnings := map[string]bool{}
		for _, s := range sequences {
			text := []byte{}
			for _, tok := range s.seen() {
				text = append(text, byte(tok))
				beginnings[string(text)] = true
			}
		}
		var l layout
		for range 2 { // the second time in the memory of the first
			if l.lay(sequences); len(l.tokens) != len(beginnings) {
				t.Fatalf("seed %d: %d rows for %d beginnings", seed, len(l.tokens), len(beginnings))
			}
		}
		seen := map[int32]bool{}
		for _, row := range l.wanted {
			if seen[row] {
				t.Fatalf("seed %d: row %d is predicted from twice", seed, row)
			}
			seen[row] = true
		}
		for _, tg := range l.predictions {
			if s := sequences[tg.sequence]; !s.Want[tg.i] || s.Tokens[tg.i+1] != tg.token || s.Tokens[tg.i] != l.tokens[l.wanted[tg.wanted]] {
				t.Fatalf("seed %d: %+v is not what sequence %d wants", seed, tg, tg.sequence)
			}
		}
	}
}

func TestBundles(t *testing.T) {
	for _, most := range []int{1, 160, 400, 1 << 20} {
		sequences := rollouts(tiny(), 12, 4)
		var all []int
		for _, b := range Bundles(sequences, most) {
			var part []Sequence
			for _, i := range b {
				part = append(part, sequences[i])
			}
			var l layout
			if l.lay(part); len(l.tokens) > most && slices.ContainsFunc(part, func(s Sequence) bool { return len(s.seen()) <= most }) {
				t.Errorf("at most %d: a bundle of %d sequences has %d rows", most, len(b), len(l.tokens))
			}
			all = append(all, b...)
		}
		slices.Sort(all)
		for i, k := range all {
			if i != k || len(all) != len(sequences) {
				t.Fatalf("at most %d: not every sequence is there once: %v", most, all)
			}
		}
	}
	if n := len(Bundles(rollouts(tiny(), 12, 4), 1<<20)); n != 1 {
		t.Errorf("%d bundles where one has room", n)
	}
	if got := Bundles(nil, 100); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
