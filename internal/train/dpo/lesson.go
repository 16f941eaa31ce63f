package dpo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Set is a policy and pairs made ready for it: as tokens, with what the policy itself, the reference, makes of them.
// Trainings of parts of one set share it. It is not changed by them.
type Set struct {
	policy         nano.Policy
	learn, measure []lesson
	model          string   // a digest of the policy
	digests        []string // of each pair
}

// lesson is a pair as tokens.
type lesson struct{ chosen, rejected side }

// side is a rollout as tokens.
type side struct {
	sequences []transformer.Sequence // the policy's own tokens are wanted
	own       int                    // tokens that the policy wrote
	tokens    int                    // all that a model reads
	reference float64                // the sum of the reference's log-probabilities of its own tokens
}

// sequences are those of both sides, the chosen first.
func (l *lesson) sequences() []transformer.Sequence {
	return append(l.chosen.sequences[:len(l.chosen.sequences):len(l.chosen.sequences)], l.rejected.sequences...)
}

// Prepare makes pairs ready for a policy: learn to learn from, in their order, measure to be measured only. A pair that
// the policy cannot read, because it is of another tokenizer or too long for its context, is an error.
func Prepare(ctx context.Context, p nano.Policy, learn, measure []Pair, cores int) (*Set, error) {
	if err := p.Validate(); err != nil {
		return nil, hint.Wrap(err, "give a model directory that deeprepo train sft wrote")
	}
	if len(learn) == 0 {
		return nil, hint.Wrap(ErrNoPairs, "give pairs to learn from")
	}
	s := &Set{policy: p, model: train.Identity(p)}
	tokenizer, err := tokenizerDigest(p.Tokenizer)
	if err != nil {
		return nil, err
	}
	all := make([]lesson, 0, len(learn)+len(measure))
	for i, pair := range append(learn[:len(learn):len(learn)], measure...) {
		l, err := newLesson(p, tokenizer, pair)
		if err != nil {
			return nil, fmt.Errorf("pair %d, of %s: %w", i+1, pair.Task, err)
		}
		all = append(all, l)
		s.digests = append(s.digests, l.digest())
	}
	if err := refer(ctx, p.Computed(), all, cores); err != nil {
		return nil, err
	}
	s.learn, s.measure = all[:len(learn)], all[len(learn):]
	return s, nil
}

// digest identifies the first n pairs to learn from and those to measure.
func (s *Set) digest(n int) string {
	h := sha256.New()
	for _, d := range append(s.digests[:n:n], s.digests[len(s.learn):]...) {
		h.Write([]byte(d))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func newLesson(p nano.Policy, tokenizer string, pair Pair) (l lesson, err error) {
	if pair.Tokenizer != "" && pair.Tokenizer != tokenizer {
		return l, hint.Wrap(fmt.Errorf("it was sampled with another tokenizer (%s, not %s)", pair.Tokenizer, tokenizer),
			"give the policy that played the pairs, or pairs of this policy; pairs without their field \"tokenizer\" and their sequences are "+
				"encoded anew")
	}
	if l.chosen, err = newSide(p, pair.Chosen); err != nil {
		return l, fmt.Errorf("the chosen side: %w", err)
	}
	if l.rejected, err = newSide(p, pair.Rejected); err != nil {
		return l, fmt.Errorf("the rejected side: %w", err)
	}
	return l, nil
}

func newSide(p nano.Policy, s Side) (out side, err error) {
	sequences := s.Sequences
	if len(sequences) == 0 {
		stream, own, err := nano.Encode(p.Tokenizer, s.Exchanges)
		if err != nil {
			return out, err
		}
		sequences = []Sequence{sequence(train.Segment{Tokens: stream, Own: own})}
	}
	for _, q := range sequences {
		if err := q.check(); err != nil {
			return out, err
		}
		if n := len(q.Tokens); n > p.Model.Config.Context {
			return out, hint.Wrap(fmt.Errorf("a sequence of %d tokens does not fit the policy's context of %d", n, p.Model.Config.Context),
				"leave out the pair")
		}
		for _, t := range q.Tokens {
			if int(t) >= p.Model.Config.Vocab {
				return out, hint.Wrap(fmt.Errorf("the token %d is not in the vocabulary of %d", t, p.Model.Config.Vocab),
					"the pairs belong to another policy")
			}
		}
		w := transformer.Sequence{Tokens: q.Tokens, Want: make([]bool, len(q.Tokens)-1)}
		for _, o := range q.Own {
			for i := max(1, o[0]); i < o[1]; i++ { // a first token follows nothing
				w.Want[i-1] = true
				out.own++
			}
		}
		out.sequences, out.tokens = append(out.sequences, w), out.tokens+len(q.Tokens)
	}
	if out.own == 0 {
		return out, hint.Wrap(fmt.Errorf("the policy wrote nothing in it"), "leave out the pair")
	}
	return out, nil
}

// digest identifies what is learnt from a pair.
func (l lesson) digest() string {
	h := sha256.New()
	for _, s := range []side{l.chosen, l.rejected} {
		for _, q := range s.sequences {
			fmt.Fprintln(h, q.Tokens, q.Want)
		}
		h.Write([]byte{0})
	}
	return string(h.Sum(nil))
}

// refer gives all sides the reference's log-probabilities.
func refer(ctx context.Context, m *transformer.Model, all []lesson, cores int) error {
	_, err := train.NewReading(m, cores).Each(ctx, len(all), true, func(i int, p *transformer.Pass, _ *transformer.Grads) error {
		all[i].chosen.reference, all[i].rejected.reference = all[i].logp(p)
		return nil
	})
	return err
}

// logp is the sum of the log-probabilities of each side's own tokens. What both begin with is computed once.
func (l *lesson) logp(p *transformer.Pass) (chosen, rejected float64) {
	logp, _ := p.Forward(l.sequences(), 1)
	for i, of := range logp {
		sum := 0.0
		for _, v := range of { // 0 where not wanted
			sum += float64(v)
		}
		if i < len(l.chosen.sequences) {
			chosen += sum
		} else {
			rejected += sum
		}
	}
	return chosen, rejected
}
