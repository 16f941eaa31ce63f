package dpo

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Pair is two rollouts of one task of which the first earned more. Its JSON is one line of pairs.jsonl.
type Pair struct {
	Task string `json:"task"` // env.Task.ID
	// Prompt is what both sides saw first.
	Prompt string `json:"prompt"`
	// Tokenizer is a digest of the one that Side.Sequences are made with; "" if there are none.
	Tokenizer string `json:"tokenizer,omitempty"`
	Chosen    Side   `json:"chosen"`
	Rejected  Side   `json:"rejected"`
}

// Side is one rollout of a pair.
type Side struct {
	runfile.RolloutSide
	// Sequences are its tokens as they were sampled. Without them the exchanges are encoded anew.
	Sequences []Sequence `json:"sequences,omitempty"`
}

// Sequence is a train.Segment in short.
type Sequence struct {
	Tokens []int32 `json:"tokens"`
	// Own are the stretches that the policy wrote, from the first token of each to behind its last one.
	Own [][2]int `json:"own"`
}

// sequence shortens a segment. What follows the policy's last token is left out: nothing hangs on it.
func sequence(s train.Segment) Sequence {
	var q Sequence
	for i, own := range s.Own {
		switch n := len(q.Own); {
		case !own:
		case n > 0 && q.Own[n-1][1] == i:
			q.Own[n-1][1]++
		default:
			q.Own = append(q.Own, [2]int{i, i + 1})
		}
	}
	if n := len(q.Own); n > 0 {
		q.Tokens = s.Tokens[:q.Own[n-1][1]]
	}
	return q
}

// check says why it is not a sequence.
func (s Sequence) check() error {
	at := 0
	for _, o := range s.Own {
		if o[0] < at || o[1] <= o[0] || o[1] > len(s.Tokens) {
			return fmt.Errorf("the stretch %v of a sequence of %d tokens is empty, out of order or beyond its end", o, len(s.Tokens))
		}
		at = o[1]
	}
	if at == 0 {
		return errors.New("a sequence holds nothing that the policy wrote")
	}
	for _, t := range s.Tokens {
		if t < 0 {
			return fmt.Errorf("the token %d is below 0", t)
		}
	}
	return nil
}

func (s Side) check() error {
	if !(s.Reward >= 0 && s.Reward <= 1) {
		return fmt.Errorf("a reward of %v is not from 0 to 1", s.Reward)
	}
	if len(s.Exchanges) == 0 {
		return errors.New("it has no exchanges")
	}
	if s.Turns < 0 {
		return errors.New("its turns are below 0")
	}
	for _, q := range s.Sequences {
		if err := q.check(); err != nil {
			return err
		}
	}
	return nil
}

// check says why it is not a pair.
func (p Pair) check() error {
	for _, s := range []struct {
		name string
		side Side
	}{{"chosen", p.Chosen}, {"rejected", p.Rejected}} {
		if err := s.side.check(); err != nil {
			return fmt.Errorf("the %s side: %w", s.name, err)
		}
		if view := s.side.Exchanges[0].View; view != p.Prompt {
			return fmt.Errorf("the %s side did not begin with the prompt", s.name)
		}
		if (len(s.side.Sequences) > 0) != (p.Tokenizer != "") {
			return fmt.Errorf("the %s side has sequences without a tokenizer, or a tokenizer without sequences", s.name)
		}
	}
	if !(p.Chosen.Reward > p.Rejected.Reward) {
		return fmt.Errorf("the chosen side earned %v, not more than the rejected one with %v", p.Chosen.Reward, p.Rejected.Reward)
	}
	return nil
}

// gap is what the chosen side earned more.
func (p Pair) gap() float64 { return p.Chosen.Reward - p.Rejected.Reward }

// Gap is the mean of what the chosen sides earned more.
func Gap(pairs []Pair) float64 {
	sum := 0.0
	for _, p := range pairs {
		sum += p.gap()
	}
	return train.Share(sum, float64(len(pairs)))
}

// Tasks counts the tasks of some pairs.
func Tasks(pairs []Pair) int {
	seen := map[string]bool{}
	for _, p := range pairs {
		seen[p.Task] = true
	}
	return len(seen)
}

// tokenizerDigest tells tokenizers apart.
func tokenizerDigest(t *bpe.Tokenizer) (string, error) {
	data, err := t.JSON()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]), nil
}
