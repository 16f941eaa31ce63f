package report

import (
	"cmp"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// allEqual is the method of an interval (package stats) for values that do not vary.
const allEqual = "all-equal"

// ceiling is the reward above which an environment says little of what is better.
const ceiling = 0.95

// Explain gives a summary its caveats: the sample, and the questions that it does not answer.
func Explain(s *runfile.TrainingSummary) {
	s.Caveats = []string{}
	add := func(format string, args ...any) { s.Caveats = append(s.Caveats, fmt.Sprintf(format, args...)) }
	if s.Status == trace.StatusDiverged {
		add("The training was stopped because it diverged; what is shown after it is the best policy that it had measured, of step %d.",
			s.BestStep)
	}
	e := cmp.Or(s.After, s.Before)
	if e == nil {
		add("No policy was measured: nothing here says whether the training helped.")
		if s.Method == "dpo" && s.Measured == "" {
			add("Pairs of code are measured by programs: deeprepo code eval with the base and with the trained model, then deeprepo code compare.")
		}
		addLadder(s, add)
		return
	}
	addSample(s, e, add)
	if s.Environment != s.Measured {
		add("Trained by the reward of %s, measured by that of %s.", s.Environment, s.Measured)
	}
	if e.Warning != "" {
		add("The environment warns: %s", e.Warning)
	}
	add("The workers are simulated. What a real one would make of these prompts was not measured.")
	switch {
	case s.Method != "grpo" || s.Steps == 0:
	case s.BestStep == 0:
		add("No policy that was measured on the way was better than the base: the adapter that was kept is that of step 0, which changes " +
			"nothing.")
	default:
		add("The policy that was kept is that of step %d, chosen by its reward on other tasks of the same split than those shown here.",
			s.BestStep)
	}
	add("One training (seed %d): the intervals speak of other tasks, not of other trainings. deeprepo train compare sets several seeds "+
		"side by side.", s.Seed)
	addLadder(s, add)
	if s.Parameters > 0 {
		add("The policy has %s parameters and sees digests of 200 characters at most, not the messages: nothing here speaks of larger "+
			"models, or of real repositories.", Parameters(s.Parameters))
	}
	if e.Reward.Mean != nil && *e.Reward.Mean > ceiling {
		add("A mean of %.3f is near the top of the scale: harder tasks would tell more.", *e.Reward.Mean)
	}
}

// addSample says what was played.
func addSample(s *runfile.TrainingSummary, e *runfile.EvalSummary, add func(string, ...any)) {
	held := "of templates and planting operators that training never shows"
	if s.Split != env.Heldout {
		held = "that are NOT held out: this environment has no such split"
	}
	sample := fmt.Sprintf("%s %s, each played %s%s", count(e.Examples, "task"), held, times(e.Rollouts), at(s.Temperature.Measured))
	if s.Before != nil && s.After != nil {
		sample += "; before and after have the same tasks and the same luck"
	}
	add("%s.", sample)
	if s.Test != nil && s.Test.MDE > 0 {
		add("%d tasks detect differences from %.3f on, 80 times in 100.", s.Test.Tasks, s.Test.MDE)
	}
	for _, side := range []struct {
		name string
		e    *runfile.EvalSummary
	}{{"before", s.Before}, {"after", s.After}} {
		if side.e != nil && side.e.Errors > 0 {
			add("%d of %d rollouts %s ended in an error and are in no mean.", side.e.Errors, side.e.Done, side.name)
		}
		if side.e != nil && side.e.Reward.CIHow == allEqual {
			add("All rewards %s are equal, so the interval is that of the scale's ends.", side.name)
		}
	}
}

// Parameters is a number of weights in short: 0.92M.
func Parameters(n int) string {
	if n < 1_000_000/100 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.2fM", float64(n)/1e6)
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
