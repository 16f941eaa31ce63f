package train

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/nano"
)

// Episode is one rollout of a policy: what it saw and wrote, and what that earned. Its JSON is one line of
// demonstrations.jsonl.
type Episode struct {
	Task string `json:"task"` // env.Task.ID
	// Policy names who played: the kind of a demonstration, or a model.
	Policy string  `json:"policy"`
	Reward float64 `json:"reward"`
	// Metrics are the environment's (see env.Rollout), and those of Cells under its names.
	Metrics   map[string]float64 `json:"metrics"`
	Exchanges []nano.Exchange    `json:"exchanges"`
	// Segments are what there is to learn from. Demonstrations have none: their texts are encoded when there is a
	// tokenizer.
	Segments []Segment `json:"-"`
	Turns    int       `json:"turns"`
	// Cut counts the replies that reached their limit before they ended.
	Cut int `json:"cut,omitempty"`
}

// Segment is one sequence that a model reads from its first token on, and learns from where it is its own.
type Segment struct {
	Tokens []int32
	// Own says for every token whether the policy wrote it.
	Own []bool
	// LogP is the log-probability of each own token when it was sampled; 0 elsewhere.
	LogP []float32
}

// Owned counts the tokens that the policy wrote.
func (s Segment) Owned() int {
	n := 0
	for _, own := range s.Own {
		if own {
			n++
		}
	}
	return n
}

// Join makes sequences of a conversation's turns. A turn whose context extends everything before it, token by token,
// continues the sequence; any other (the conversation outgrew the context and was shortened) begins a new one, in which
// what the policy wrote earlier counts as given.
func Join(turns []nano.Turn) []Segment {
	var out []Segment
	for _, t := range turns {
		if len(t.Reply) == 0 {
			continue
		}
		n := len(out)
		if n == 0 || len(t.Context) < len(out[n-1].Tokens) || !slices.Equal(t.Context[:len(out[n-1].Tokens)], out[n-1].Tokens) {
			out = append(out, Segment{})
			n++
		}
		s := &out[n-1]
		s.append(t.Context[len(s.Tokens):], nil, false)
		s.append(t.Reply, t.LogP, true)
	}
	return out
}

func (s *Segment) append(tokens []int32, logp []float32, own bool) {
	s.Tokens = append(s.Tokens, tokens...)
	for i := range tokens {
		s.Own = append(s.Own, own)
		p := float32(0)
		if i < len(logp) {
			p = logp[i]
		}
		s.LogP = append(s.LogP, p)
	}
}
