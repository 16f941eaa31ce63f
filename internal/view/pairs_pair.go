package view

import (
	"encoding/json"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// PairPage is one pair: the resource "pairs/N", N from 0.
type PairPage struct {
	N    int    `json:"n"`
	File string `json:"file"`
	Line int    `json:"line"` // from 1
	Task string `json:"task"`
	Form string `json:"form"` // code, trace
	// Prompt is what both sides answer.
	Prompt     []PromptText `json:"prompt"`
	Chosen     PairSide     `json:"chosen"`
	Rejected   PairSide     `json:"rejected"`
	Similarity *float64     `json:"similarity"`
	PassRate   *float64     `json:"pass_rate"`
	Facts      []Fact       `json:"facts"`
	Previous   *int         `json:"previous,omitempty"`
	Next       *int         `json:"next,omitempty"`
}

// PromptText is one message.
type PromptText struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// PairSide is one side of a pair.
type PairSide struct {
	// Text is the program; of a rollout, its cells one after the other.
	Text  string `json:"text"`
	Facts []Fact `json:"facts"`
	// Score is the share of tests, or the reward; null where there is none.
	Score   *float64 `json:"score"`
	Verdict string   `json:"verdict"`
	Error   string   `json:"error"`
	// Public and Mutated have a letter for each test that was run: 1 passed, 0 failed.
	Public  string `json:"public"`
	Mutated string `json:"mutated"`
	Turns   int    `json:"turns"`
	// Exchanges are a rollout as its policy lived it.
	Exchanges []Exchange `json:"exchanges"`
}

// Exchange is what a policy saw and the cell that it answered with.
type Exchange struct {
	View string `json:"view"`
	Cell string `json:"cell"`
}

// maxExchanges bounds the turns of a rollout that are shown.
const maxExchanges = 500

func (r *Run) pair(n int) (any, error) {
	rows, err := r.pairRows()
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= len(rows.File) {
		return nil, notFound("no pair %d of %d", n, len(rows.File))
	}
	file := rows.File[n]
	line := n
	for i := range file {
		line -= rows.perFile[i]
	}
	var p pairLine
	if err := r.row(rows.Files[file], line, &p); err != nil {
		return nil, err
	}
	doc := PairPage{N: n, File: rows.Files[file], Line: line + 1, Task: p.TaskID, Form: "code", Prompt: []PromptText{}, Facts: []Fact{}}
	for _, m := range pairMessages(p.Prompt, "user") {
		doc.Prompt = append(doc.Prompt, PromptText{termtext.CutWith(m.Role, 40, "…"), termtext.CutWith(m.Content, maxText, "…")})
	}
	if p.rollouts() {
		doc.Task, doc.Form = p.Task, "trace"
		if doc.Chosen, err = rolloutOf(p.Chosen); err == nil {
			doc.Rejected, err = rolloutOf(p.Rejected)
		}
		if err != nil {
			return nil, damaged("%s, line %d: no pair: %v", doc.File, doc.Line, err)
		}
	} else {
		doc.Chosen, doc.Rejected = programOf(p.Chosen), programOf(p.Rejected)
		if from := p.Provenance; from != nil {
			from.Chosen.fill(&doc.Chosen)
			from.Rejected.fill(&doc.Rejected)
			doc.Similarity, doc.PassRate = from.Similarity, from.TaskPassRate
			doc.Facts = facts("dataset", from.Dataset, "tests' sha256", from.Tests, "sandbox", from.Sandbox, "deeprepo", from.Version)
		}
	}
	if n > 0 {
		doc.Previous = new(n - 1)
	}
	if n+1 < len(rows.File) {
		doc.Next = new(n + 1)
	}
	return doc, nil
}

func programOf(raw json.RawMessage) PairSide {
	return PairSide{Text: termtext.CutWith(sideText(raw), maxText, "…"), Facts: []Fact{}, Exchanges: []Exchange{}}
}

// fill says where a program is from and what its tests said.
func (o origin) fill(s *PairSide) {
	s.Score, s.Verdict, s.Error = o.Score, termtext.CutWith(o.Verdict, 40, "…"), termtext.CutWith(o.Error, 400, "…")
	s.Public, s.Mutated = termtext.CutWith(o.Public, 2000, "…"), termtext.CutWith(o.Mutated, 2000, "…")
	s.Facts = facts("source", o.Source, "model", o.Generator, "mistake", o.Operator)
	add := func(name string, there bool, v any) {
		if there {
			s.Facts = append(s.Facts, Fact{name, fmt.Sprint(v)})
		}
	}
	add("in line", o.Line != nil, deref(o.Line))
	add("sample", o.Sample != nil, deref(o.Sample))
	add("temperature", o.Temperature != nil, deref(o.Temperature))
	add("seed", o.Seed != nil, deref(o.Seed))
	add("interpreter steps", o.Steps > 0, o.Steps)
}

func rolloutOf(raw json.RawMessage) (PairSide, error) {
	var side rolloutSide
	if err := json.Unmarshal(raw, &side); err != nil {
		return PairSide{}, err
	}
	s := PairSide{Score: &side.Reward, Turns: side.Turns, Exchanges: []Exchange{}}
	s.Facts = facts("policy", side.Policy, "seed of the policy", side.Seed, "seed of the workers", fmt.Sprint(side.Workers))
	text, size := "", 0
	for i, x := range side.Exchanges {
		if size += len(x.View) + len(x.Cell); i == maxExchanges || size > maxText {
			break
		}
		s.Exchanges = append(s.Exchanges, Exchange(x))
		if i > 0 {
			text += "\n\n"
		}
		text += x.Cell
	}
	s.Text = text
	return s, nil
}

// facts pairs names with those values that are not empty.
func facts(pairs ...string) []Fact {
	out := []Fact{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, Fact{pairs[i], termtext.CutWith(pairs[i+1], 500, "…")})
		}
	}
	return out
}

// deref is a pointer's value, or the zero value.
func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
