package pairs

import (
	"cmp"
	"context"

	"github.com/deeprepo/deeprepo/internal/pairs/mutate"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// mostParents is of how many chosen programs of a task mutants are made.
const mostParents = 4

// mutants makes wrong programs of chosen ones.
func (b *builder) mutants(ctx context.Context, chosen []*candidate) ([]*candidate, error) {
	if b.Mutants < 1 || b.MutantWeight <= 0 {
		return nil, nil
	}
	parents := map[int]int{}
	var all []*candidate
	for _, parent := range chosen {
		if parents[parent.task]++; parents[parent.task] > mostParents {
			continue
		}
		made, err := mutate.Python(ctx, b.parser, parent.code, b.Mutants, b.draw(parent.code))
		if err != nil {
			return nil, err
		}
		for _, m := range made {
			all = append(all, &candidate{task: parent.task, code: ended(m.Code), kind: fromMutants, parent: parent,
				origin: runfile.PairOrigin{Source: fromMutants, Operator: m.Operator, Line: m.Line}})
		}
	}
	if err := b.run(ctx, "mutants", all); err != nil {
		return nil, err
	}
	var out []*candidate
	for _, m := range all {
		if r := m.result; r.Verdict == sandbox.Failed && !r.given() {
			out = append(out, m)
		}
	}
	b.funnel.step("mutants that are wrong", "mutants", len(all), len(out), "passing the dataset's tests, without an end, or without a verdict")
	return out, nil
}

// brief judges a mutant within twenty times the steps that its parent takes. One that does not end by then is of no use,
// and waiting for it as long as for a sample would take most of a build's time.
func (b *builder) brief(ctx context.Context, m *candidate) (verify.Result, error) {
	p := b.tasks[m.task].Program(m.code)
	p.KeepGoing = true
	p.Limits.Steps = max(2_000_000, 20*m.parent.result.Steps)
	var j sandbox.Judgement
	for range 2 { // a fault of the sandbox may be gone the second time
		var err error
		if j, err = b.Box.Exec(ctx, p); ctx.Err() != nil {
			return verify.Result{}, ctx.Err()
		} else if err != nil {
			j = sandbox.Judgement{Verdict: sandbox.InfraError}
		}
		if j.Verdict != sandbox.InfraError {
			break
		}
	}
	r := verify.Result{CodeResult: runfile.CodeResult{Verdict: j.Verdict, Interpreter: j.Steps}, Tests: j.Results}
	first := j.Error
	for _, test := range j.Results {
		first = cmp.Or(first, test.Error)
	}
	if first != nil {
		r.ErrorClass = first.Type
	}
	return r, nil
}
