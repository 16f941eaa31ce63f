package cli

import (
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/money"
)

// evalShown shows an eval on p: one line that is redrawn on a terminal, a line at every tenth elsewhere.
func evalShown(p *progress) func(eval.Progress) {
	return func(s eval.Progress) { p.show(evalLine(s), part("", 10, s.Done, s.Total)) }
}

func evalLine(s eval.Progress) string {
	reward := "-"
	if s.Counted > 0 {
		reward = fmt.Sprintf("%.3f", s.Reward)
	}
	line := fmt.Sprintf("rollouts %d/%d  reward %s  %s  %s", s.Done, s.Total, reward, money.Text(s.Spent, "$?"), s.Elapsed.Round(time.Second))
	if s.Errors > 0 {
		line += fmt.Sprintf("  %d errors", s.Errors)
	}
	return line + remaining(s.Left)
}
