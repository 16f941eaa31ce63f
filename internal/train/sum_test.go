package train

import (
	"context"
	"errors"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/google/go-cmp/cmp"
)

// TestSumIsTheSame: however many cores there are, the gradient is the same, bit for bit.
func TestSumIsTheSame(t *testing.T) {
	model := transformer.New(small(), 1)
	adapter := transformer.NewAdapter(small(), 2, 4, 1)
	backward := func(i int, p *transformer.Pass, g *transformer.Grads) error {
		tokens, want := make([]int32, 3+i), make([]bool, 3+i)
		for j := range tokens {
			tokens[j], want[j] = int32((i*7+j*3)%20), true
		}
		logp, _ := p.Forward([]transformer.Sequence{{Tokens: tokens, Want: want}}, 1)
		for j := range logp[0] {
			logp[0][j] = -1
		}
		if g != nil {
			p.Backward(logp, nil, g)
		}
		return nil
	}
	for _, n := range []int{1, 3, 4, 11} {
		for _, a := range []*transformer.Adapter{nil, adapter} {
			var want [][]float32
			for _, cores := range []int{0, 1, 2, 3, 16} {
				s := NewSum(model, a, cores)
				for range 2 { // the sum begins at zero each time
					g, err := s.Each(context.Background(), n, false, backward)
					if err != nil {
						t.Fatal(err)
					}
					if want == nil {
						want = append(want, g.Data...)
						if g.Norm() == 0 {
							t.Fatal("the gradient is zero")
						}
					} else if diff := cmp.Diff(want, g.Data); diff != "" {
						t.Fatalf("%d parts on %d cores have another gradient", n, cores)
					}
				}
				if g, err := s.Each(context.Background(), n, true, backward); g != nil || err != nil {
					t.Errorf("measuring gives %v, %v", g, err)
				}
			}
		}
	}
}

func TestSumStops(t *testing.T) {
	s := NewSum(transformer.New(small(), 1), nil, 2)
	ctx, cancel := context.WithCancel(context.Background())
	seen := make([]bool, 40)
	_, err := s.Each(ctx, 40, false, func(i int, _ *transformer.Pass, _ *transformer.Grads) error {
		seen[i] = true
		if i == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || seen[37] {
		t.Errorf("after its end: %v", err)
	}
	bad := errors.New("bad")
	if _, err := s.Each(context.Background(), 9, false, func(i int, _ *transformer.Pass, _ *transformer.Grads) error {
		if i == 6 {
			return bad
		}
		return nil
	}); !errors.Is(err, bad) || err.Error() != "part 6 of the batch: bad" {
		t.Errorf("an error of one part: %v", err)
	}
}

// TestBundlesHaveTheirSequences: every sequence is there once, as the one its index says, however the batch is cut.
func TestBundlesHaveTheirSequences(t *testing.T) {
	sequences := make([]transformer.Sequence, 300)
	for i := range sequences {
		s := transformer.Sequence{Tokens: []int32{int32(i % 7), int32(i % 3)}, Want: make([]bool, 15)}
		for j := range 14 {
			s.Tokens = append(s.Tokens, int32((i*j)%20))
		}
		s.Want[14] = true
		sequences[i] = s
	}
	seen, parts := make([]int, len(sequences)), make(chan int, len(sequences))
	g, err := NewSum(transformer.New(small(), 1), nil, 2).EachBundle(t.Context(), sequences, true,
		func(of []int, bundle []transformer.Sequence, _ *transformer.Pass, _ *transformer.Grads) error {
			parts <- len(of)
			for j, k := range of {
				if seen[k]++; len(of) != len(bundle) || !cmp.Equal(bundle[j], sequences[k]) {
					t.Errorf("sequence %d is another one in its bundle", k)
				}
			}
			return nil
		})
	if g != nil || err != nil {
		t.Errorf("measuring gives %v, %v", g, err)
	}
	for k, n := range seen {
		if n != 1 {
			t.Errorf("sequence %d is there %d times", k, n)
		}
	}
	if len(parts) < 2 {
		t.Errorf("%d rows are one bundle", len(sequences)*16)
	}
}
