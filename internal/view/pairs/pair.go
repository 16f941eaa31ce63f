package pairs

import (
	"encoding/json"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/doc"
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
	Facts      []doc.Fact   `json:"facts"`
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
	Text  string     `json:"text"`
	Facts []doc.Fact `json:"facts"`
	// Score is the share of tests, or the reward; null where there is none.
	Score   *float64 `json:"score"`
	Verdict string   `json:"verdict"`
	Error   string   `json:"error"`
	// Public and Mutated have a letter for each test that was run: 1 passed, 0 failed.
	Public  string `json:"public"`
	Mutated string `json:"mutated"`
	Turns   int    `json:"turns"`
	// Exchanges are a rollout as its policy lived it.
	Exchanges []runfile.Exchange `json:"exchanges"`
}

// maxExchanges bounds the turns of a rollout that are shown.
const maxExchanges = 500

func (r Run) pair(n int) (any, error) {
	rows, err := r.pairRows()
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= len(rows.File) {
		return nil, doc.NotFound("no pair %d of %d", n, len(rows.File))
	}
	file := rows.File[n]
	line := n
	for i := range file {
		line -= rows.perFile[i]
	}
	var p pairLine
	if err := r.Row(rows.Files[file], line, &p); err != nil {
		return nil, err
	}
	page := PairPage{N: n, File: rows.Files[file], Line: line + 1, Task: p.TaskID, Form: "code", Prompt: []PromptText{}, Facts: []doc.Fact{}}
	for _, m := range pairMessages(p.Prompt, "user") {
		page.Prompt = append(page.Prompt, PromptText{doc.Clip(m.Role, 40), doc.Clip(m.Content, doc.MaxText)})
	}
	if p.rollouts() {
		page.Task, page.Form = p.Task, "trace"
		if page.Chosen, err = rolloutOf(p.Chosen); err == nil {
			page.Rejected, err = rolloutOf(p.Rejected)
		}
		if err != nil {
			return nil, doc.Damaged("%s, line %d: no pair: %v", page.File, page.Line, err)
		}
	} else {
		page.Chosen, page.Rejected = programOf(p.Chosen), programOf(p.Rejected)
		if from := p.Provenance; from != nil {
			page.Chosen.fill(from.Chosen)
			page.Rejected.fill(from.Rejected)
			page.Similarity, page.PassRate = from.Similarity, from.TaskPassRate
			page.Facts = doc.Facts("dataset", from.Dataset, "tests' sha256", from.Tests, "sandbox", from.Sandbox, "deeprepo", from.Version)
		}
	}
	if n > 0 {
		page.Previous = new(n - 1)
	}
	if n+1 < len(rows.File) {
		page.Next = new(n + 1)
	}
	return page, nil
}

func programOf(raw json.RawMessage) PairSide {
	return PairSide{Text: doc.Clip(sideText(raw), doc.MaxText), Facts: []doc.Fact{}, Exchanges: []runfile.Exchange{}}
}

// fill says where a program is from and what its tests said.
func (s *PairSide) fill(o runfile.PairProgram) {
	s.Score, s.Verdict, s.Error = o.Score, doc.Clip(string(o.Verdict), 40), doc.Clip(o.Error, 400)
	s.Public, s.Mutated = doc.Clip(o.Public, 2000), doc.Clip(o.Mutated, 2000)
	s.Facts = doc.Facts("source", o.Source, "model", o.Generator, "mistake", o.Operator)
	s.fact("in line", o.Line > 0, o.Line)
	s.fact("sample", o.Sample != nil, deref(o.Sample))
	s.fact("temperature", o.Temperature != nil, deref(o.Temperature))
	s.fact("seed", o.Seed != nil, deref(o.Seed))
	s.fact("interpreter steps", o.Steps > 0, o.Steps)
}

// fact adds what is there.
func (s *PairSide) fact(name string, there bool, v any) {
	if there {
		s.Facts = append(s.Facts, doc.Fact{Name: name, Value: fmt.Sprint(v)})
	}
}

func rolloutOf(raw json.RawMessage) (PairSide, error) {
	var side runfile.RolloutSide
	if err := json.Unmarshal(raw, &side); err != nil {
		return PairSide{}, err
	}
	s := PairSide{Score: &side.Reward, Turns: side.Turns, Exchanges: []runfile.Exchange{}}
	s.Facts = doc.Facts("policy", side.Policy)
	s.fact("seed of the policy", side.Seed != 0, side.Seed)
	s.fact("seed of the workers", side.Workers != 0, side.Workers)
	text, size := "", 0
	for i, x := range side.Exchanges {
		if size += len(x.View) + len(x.Cell); i == maxExchanges || size > doc.MaxText {
			break
		}
		s.Exchanges = append(s.Exchanges, x)
		if i > 0 {
			text += "\n\n"
		}
		text += x.Cell
	}
	s.Text = text
	return s, nil
}
