package orchestration

import (
	"context"
	"sync/atomic"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/opinion"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

// aids are what roots can use to judge a task's code. They are made once for all rollouts of the task.
type aids struct {
	graph    func(context.Context) (*graph.Graph, error) // nil without a parser
	opinions *opinion.Opinions
}

func newAids(code *codebase.Codebase, o graph.Options) *aids {
	a := &aids{}
	if o.Parser != nil {
		a.graph = graph.Lazily(code, o)
	}
	a.opinions = opinion.New(code, claim.NewBase(code, o.Parser, a.graph), nil)
	return a
}

// counted are second opinions that are counted: the rubric charges for them.
type counted struct {
	rlm.Opinion
	count atomic.Int64
}

func (c *counted) Question(ctx context.Context, h llm.Handle, f finding.Finding) (request llm.Request, shown []string) {
	c.count.Add(1)
	return c.Opinion.Question(ctx, h, f)
}

// verdictName is the name of the schema of a verdict.
const verdictName = "verdict"
