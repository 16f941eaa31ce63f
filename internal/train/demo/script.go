package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

// Script is one scripted policy: a kind of it, with a style and luck of its own.
type Script struct {
	kind kind
	seed uint64
}

// Draw is the script of a seed. Kinds come as often as Kinds says.
func Draw(seed uint64) Script {
	r := rand.New(rand.NewPCG(seed, 1))
	all := kinds()
	total := 0
	for _, k := range all {
		total += k.weight
	}
	at := r.IntN(total)
	for _, k := range all {
		if at -= k.weight; at < 0 {
			return Script{kind: k, seed: seed}
		}
	}
	panic("demo: the weights do not add up") // at is less than their sum
}

// Kind names the sort of policy.
func (s Script) Kind() string { return s.kind.name }

// Handle is the script as a model, named demo/KIND: free and local. It calls tools, as small policies do.
func (s Script) Handle() llm.Handle {
	name := "demo/" + s.kind.name
	complete := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if err := ctx.Err(); err != nil {
			return llm.Response{}, err
		}
		exchanges, size := nano.Render(r.Messages), len(r.System)
		for _, m := range r.Messages {
			size += len(m.Content)
		}
		views := make([]string, len(exchanges))
		for i, e := range exchanges {
			views[i] = e.View
		}
		cell := s.Cell(views)
		arguments, err := json.Marshal(map[string]string{"code": cell})
		if err != nil {
			return llm.Response{}, fmt.Errorf("write the call: %w", err)
		}
		free := money.USD(0)
		return llm.Response{
			ToolCalls: []llm.ToolCall{{ID: fmt.Sprintf("call_%d", len(views)), Name: rlm.ToolName, Arguments: string(arguments)}},
			Finish:    llm.FinishToolCalls, Cost: &free, Model: name,
			Usage: llm.Usage{InputTokens: llm.EstimateTokens(size), OutputTokens: llm.EstimateTokens(len(cell))},
		}, nil
	}
	return llm.Handle{Name: name, Model: llm.Func(complete), Price: llm.NotBilled(), Local: true, Tools: true}
}

// Cell is what the script writes after these views; the last one is what it sees now. It depends on them and the seed
// alone: the rollout is thought through from its beginning.
func (s Script) Cell(views []string) string {
	r := rand.New(rand.NewPCG(s.seed, 2))
	style := newStyle(r)
	p := &play{kind: s.kind, style: style, plan: s.kind.plan(style)}
	if s.kind.good < 0 {
		p.plan = append(p.plan, step{cell: style.guess()})
	} else {
		before := ""
		if style.chance(s.kind.judges) {
			before = style.judged()
		}
		p.plan = append(p.plan, step{cell: before + style.report(s.kind.good)})
	}
	cell := ""
	for _, v := range views {
		cell = p.next(v)
	}
	return cell
}

// play is a script in play.
type play struct {
	kind  kind
	style *style
	plan  []step // what is still to be written
	last  string // the cell before
	meant string // what it was meant to be
}

// failed says that a view shows an error.
var errorLine = regexp.MustCompile(`(?m)^\s*[A-Z]\w*(Error|Exception|Interrupt)\b`)

func failed(view string) bool { return errorLine.MatchString(view) }

// covered says that a view's last line counts all lines as read.
func covered(view string) bool { return strings.HasSuffix(strings.TrimSpace(view), "c100") }

// next is the cell after a view.
func (p *play) next(view string) string {
	m := p.kind.mood
	if p.last != "" && failed(view) {
		switch x := p.style.r.Float64(); {
		case x < m.repeat:
			return p.last
		case x < m.repeat+m.despair:
			p.plan = nil
			return p.write(p.style.guess(), 0)
		case x < m.repeat+m.despair+m.skip:
			// as if nothing had been
		case p.last != p.meant: // it sees what is wrong; careless ones may still write it wrongly again
			return p.write(p.meant, m.sloppy/2)
		}
	}
	for len(p.plan) > 0 {
		s := p.plan[0]
		p.plan = p.plan[1:]
		if s.when == nil || s.when(view) {
			return p.write(s.cell, m.sloppy)
		}
	}
	return p.write(p.style.guess(), 0) // the report was refused, or failed
}

// write writes a cell as it is meant, or wrongly.
func (p *play) write(cell string, sloppy float64) string {
	p.meant, p.last = cell, cell
	if p.style.chance(sloppy) {
		p.last = broken(p.style.r, cell)
	}
	return p.last
}
