package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/eval"
)

// evalProgress shows an eval on stderr: one line that is redrawn on a terminal, a line at every tenth elsewhere.
type evalProgress struct {
	view *progress

	mu    sync.Mutex
	tenth int
}

func newEvalProgress(w io.Writer) *evalProgress {
	return &evalProgress{view: newProgress(w), tenth: -1}
}

func (p *evalProgress) observe(s eval.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	tenth := 10 * s.Done / max(s.Total, 1)
	p.view.show(evalLine(s), tenth != p.tenth && s.Done > 0)
	if s.Done > 0 {
		p.tenth = tenth
	}
}

func (p *evalProgress) say(line string) { p.view.say(line) }

func (p *evalProgress) close() { p.view.close() }

func evalLine(s eval.Progress) string {
	reward, spent := "-", "$?"
	if s.Counted > 0 {
		reward = fmt.Sprintf("%.3f", s.Reward)
	}
	if s.Spent != nil {
		spent = "$" + strings.TrimPrefix(s.Spent.Round(4), "$")
	}
	line := fmt.Sprintf("rollouts %d/%d  reward %s  %s  %s", s.Done, s.Total, reward, spent, s.Elapsed.Round(time.Second))
	if s.Errors > 0 {
		line += fmt.Sprintf("  %d errors", s.Errors)
	}
	if s.Left > 0 {
		line += "  about " + s.Left.Round(time.Second).String() + " left"
	}
	return line
}
