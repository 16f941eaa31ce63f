package pairs

import (
	"context"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// program is one thing to run: each is run once, however many pairs hold it.
type program struct {
	group int
	code  string
	// challenge has the harder tests decide that a dataset keeps beside its ordinary ones.
	challenge bool
}

// execute runs both sides of every pair and compares the verdicts with the labels.
//
// A text is run as it is. Where the chosen side itself is a reply in Markdown, the pair is one of chat replies, and
// the code is taken out of both. A rejected text with a fence that fails as it stands is run a second time without it, to
// see whether it is rejected for its format alone.
func execute(ctx context.Context, r *runfile.PairAudit, pairs []Pair, tasks grouping, c AuditConfig) error {
	selected := map[string]bool{}
	for _, t := range tasks.task {
		if t != nil {
			selected[t.ID] = true
		}
	}
	if len(selected) == 0 {
		r.Labels = &runfile.PairLabels{Unknown: len(pairs), Wrong: []runfile.WrongLabel{}}
		return nil
	}
	v := verify.New(verify.Config{Box: c.Box, Set: c.Set, Workers: c.Workers, Cache: c.Cache, Live: true, Observe: c.ObserveGate,
		Selected: func(id string) bool { return selected[id] }})
	controls, err := v.Gate(ctx)
	if err != nil {
		return err
	}
	r.Controls = &controls
	sides := make([]sidePrograms, len(pairs))
	var all []program
	want := map[program]bool{}
	add := func(p program) program {
		if !want[p] {
			want[p] = true
			all = append(all, p)
		}
		return p
	}
	for i, p := range pairs {
		g := tasks.of[i]
		if tasks.task[g] == nil {
			continue
		}
		s, err := programsOf(ctx, p, g, *tasks.task[g], c.Extract)
		if err != nil {
			return err
		}
		add(s.chosen)
		add(s.rejected)
		if len(tasks.task[g].Challenges) > 0 {
			add(s.harder())
		}
		if s.bare != nil {
			add(*s.bare)
		}
		sides[i] = s
	}
	results, err := runAll(ctx, v, all, tasks, c)
	if err != nil {
		return err
	}
	r.Executed = len(all)
	judgeLabels(r, pairs, tasks, sides, results)
	return nil
}

// sidePrograms are what is run for one pair.
type sidePrograms struct {
	chosen, rejected program
	bare             *program // the rejected side without its fence
}

// harder is the chosen program with the harder tests.
func (s sidePrograms) harder() program {
	p := s.chosen
	p.challenge = true
	return p
}

func programsOf(ctx context.Context, p Pair, g int, t dataset.Task, x *extract.Extractor) (sidePrograms, error) {
	code := func(text string) (program, error) {
		found, err := x.Extract(ctx, t, text, extract.Chat)
		return program{group: g, code: found.Code}, err
	}
	chosen, rejected := p.ChosenText(), p.RejectedText()
	if x != nil && strings.Contains(chosen, fence) {
		a, err := code(chosen)
		if err != nil {
			return sidePrograms{}, err
		}
		b, err := code(rejected)
		return sidePrograms{chosen: a, rejected: b}, err
	}
	s := sidePrograms{chosen: program{group: g, code: chosen}, rejected: program{group: g, code: rejected}}
	if x != nil && strings.Contains(rejected, fence) {
		bare, err := code(rejected)
		if err != nil {
			return s, err
		}
		if bare != s.rejected {
			s.bare = &bare
		}
	}
	return s, nil
}

// runAll judges programs, several at once.
func runAll(ctx context.Context, v *verify.Verifier, all []program, tasks grouping, c AuditConfig) (map[program]verify.Result, error) {
	return verify.Each(ctx, all, c.Workers, c.Observe, func(ctx context.Context, p program) (verify.Result, error) {
		t := *tasks.task[p.group]
		if p.challenge {
			t.Tests = t.Challenges
		}
		return v.Judge(ctx, t, p.code)
	})
}

// judgeLabels compares verdicts with labels.
func judgeLabels(r *runfile.PairAudit, pairs []Pair, tasks grouping, sides []sidePrograms, results map[program]verify.Result) {
	l := &runfile.PairLabels{Wrong: []runfile.WrongLabel{}}
	format := 0
	r.RejectedVerdicts, r.RejectedErrors = map[string]int{}, map[string]int{}
	for i, p := range pairs {
		if tasks.task[tasks.of[i]] == nil {
			l.Unknown++
			continue
		}
		s := sides[i]
		chosen, rejected := results[s.chosen], results[s.rejected]
		r.RejectedVerdicts[string(rejected.Verdict)]++
		if rejected.ErrorClass != "" {
			r.RejectedErrors[rejected.ErrorClass]++
		}
		if s.bare != nil && !rejected.Passed && results[*s.bare].Passed {
			format++
		}
		if chosen.Verdict == sandbox.InfraError || rejected.Verdict == sandbox.InfraError {
			l.Infra++
			continue
		}
		l.Checked++
		if hard, ok := results[s.harder()]; ok && chosen.Passed && hard.Verdict != sandbox.InfraError && !hard.Passed {
			l.ChosenFailChallenge++
		}
		if chosen.Passed {
			l.ChosenPass++
		} else {
			l.Wrong = append(l.Wrong, wrong(p, "chosen", chosen))
		}
		if !rejected.Passed {
			l.RejectedFail++
		} else {
			l.Wrong = append(l.Wrong, wrong(p, "rejected", rejected))
		}
	}
	r.Labels, r.FormatOnly = l, &format
}

func wrong(p Pair, side string, r verify.Result) runfile.WrongLabel {
	w := runfile.WrongLabel{Line: p.Line, TaskID: p.TaskID, Side: side, Verdict: string(r.Verdict)}
	if r.ErrorClass != "" {
		w.Error = r.ErrorClass + ": " + r.ErrorMessage
		if r.FailedTest != "" {
			w.Error = r.FailedTest + ": " + w.Error
		}
	}
	return w
}
