package report

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Judge fills in what the rungs' tests say: a rung passes when its reward is higher than the base's at a p-value of at
// most 0.05, corrected for the number of rungs (Holm 1979); the gate when one rung does.
func Judge(s *runfile.TrainingSummary) {
	s.Gate = &runfile.TrainingGate{}
	best := -1
	for i := range s.Ladder {
		g := &s.Ladder[i]
		g.Passed = g.Status == trace.StatusCompleted && g.Test != nil && g.Test.Diff > 0 && g.Test.PHolm <= alpha
		if g.Passed && (best < 0 || g.Test.Diff > s.Ladder[best].Test.Diff) {
			best = i
		}
	}
	if best < 0 {
		s.Gate.Words = "the gate says no: no training earned more on the held-out tasks than the base did, beyond chance"
		return
	}
	g := s.Ladder[best]
	s.Gate.Passed = true
	s.Gate.Words = fmt.Sprintf("the gate says yes: with %d pairs the policy earns %+.3f on the held-out tasks (p %.3g)", g.Pairs,
		g.Test.Diff, g.Test.PHolm)
	if len(s.Ladder) > 1 {
		s.Gate.Words += fmt.Sprintf("; of %d sizes the one with the largest difference is named, so expect a little less of it", len(s.Ladder))
	}
}

// alpha is the p-value up to which a difference counts.
const alpha = 0.05

// ladderTable is a row a rung; no rows where there is no ladder.
func ladderTable(s runfile.TrainingSummary) Table {
	t := Table{Title: "Preference pairs: how many, and what they were worth"}
	if len(s.Ladder) == 0 {
		return t
	}
	t.Rows = [][]string{{"Pairs", "Tasks", "Gap", "Steps", "Held-out reward", "Against the base", "95% interval", "p (Holm)",
		"Against the row above", "Accuracy", "Held-out loss", "Chosen drift", "Alarms", "Gate"}}
	if s.Before != nil && s.Before.Reward.Mean != nil {
		t.Rows = append(t.Rows, []string{"0 (base)", missing, missing, missing, fmt.Sprintf("%.3f", *s.Before.Reward.Mean), missing, missing,
			missing, missing, missing, "0.693", "0", missing, missing})
	}
	for _, g := range s.Ladder {
		row := []string{fmt.Sprint(g.Pairs), fmt.Sprint(g.Tasks), fmt.Sprintf("%.2f", g.Gap), fmt.Sprint(g.Steps), missing, missing, missing,
			missing, missing, missing, missing, missing, fmt.Sprint(len(g.Alarms)), "no"}
		if g.After != nil && g.After.Reward.Mean != nil {
			row[4] = fmt.Sprintf("%.3f", *g.After.Reward.Mean)
		}
		if g.Test != nil {
			row[5], row[6], row[7] = fmt.Sprintf("%+.3f", g.Test.Diff), g.Test.CI.String(), fmt.Sprintf("%.3g", g.Test.PHolm)
		}
		if g.Next != nil {
			row[8] = fmt.Sprintf("%+.3f (p %.3g)", g.Next.Diff, g.Next.P)
		}
		if h := g.Heldout; h != nil {
			row[9], row[10], row[11] = fmt.Sprintf("%.0f%% of %d", 100*h.Accuracy, h.Pairs), fmt.Sprintf("%.3f", h.PreferenceLoss),
				fmt.Sprintf("%+.3f", h.ChosenDrift)
		}
		if g.Status != trace.StatusCompleted {
			row[13] = "no: " + string(g.Status)
		} else if g.Passed {
			row[13] = "yes"
		} else if s.Gate == nil {
			row[13] = missing
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// addLadder says what must be known of the ladder.
func addLadder(s *runfile.TrainingSummary, add func(string, ...any)) {
	if len(s.Ladder) == 0 {
		return
	}
	add("Neither the loss nor the accuracy on pairs says that a policy got better: the gate looks at held-out rewards alone. A policy " +
		"that learnt nothing has the loss 0.693 (ln 2); drift is in nats a token, below 0 where the chosen rollouts became less likely.")
	if n := len(s.Ladder); n > 1 {
		first, last := s.Ladder[0], s.Ladder[n-1]
		steps := "so more pairs also mean more steps"
		if first.Steps == last.Steps {
			steps = "and equally many steps"
		}
		add("The %d sizes are parts of one another and have equal options, "+steps+". Their pairs were made alike (mean gap %.2f with %d "+
			"pairs, %.2f with %d): they differ in number, not in quality.", n, first.Gap, first.Pairs, last.Gap, last.Pairs)
		add("One training a size: that one size is above another speaks of these weights on other tasks, not of other trainings with as " +
			"many pairs.")
	}
	for _, g := range s.Ladder {
		for _, a := range g.Alarms {
			add("Alarm with %d pairs: %s", g.Pairs, a)
		}
	}
}
