package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
)

// trainProgress shows a training on stderr: one line that is redrawn on a terminal; elsewhere a line at every tenth of a
// part, and every few steps.
type trainProgress struct {
	*progress
	now func() time.Time

	mu     sync.Mutex
	phase  string
	began  time.Time
	offset int // steps that an earlier execution made
}

func (a *app) newTrainProgress() *trainProgress {
	return &trainProgress{progress: a.newProgress(), now: time.Now}
}

// lines is how many plain lines the steps of a training give.
const lines = 20

func (p *trainProgress) observe(s recipe.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.Phase == recipe.PhaseRollouts {
		if s.Step != nil {
			p.show(fmt.Sprintf("step %d: rollouts %d/%d  %s", s.Step.Step+1, s.Done, s.Total, stepWords(*s.Step)), "")
		}
		return
	}
	if s.Phase != p.phase {
		p.phase, p.began, p.offset = s.Phase, p.now(), s.Done
	}
	parts := 10
	if s.Phase == recipe.PhaseTraining || s.Phase == recipe.PhaseLessons {
		parts = lines
	}
	p.show(trainLine(s)+p.left(s), part(s.Phase, parts, s.Done, s.Total))
}

// left says when the part will be done at this pace.
func (p *trainProgress) left(s recipe.Progress) string {
	made := s.Done - p.offset
	if made < 1 || s.Done >= s.Total {
		return ""
	}
	return remaining(max(1, time.Duration(float64(p.now().Sub(p.began))/float64(made)*float64(s.Total-s.Done))))
}

func trainLine(s recipe.Progress) string {
	line := fmt.Sprintf("%s %d/%d", s.Phase, s.Done, s.Total)
	switch {
	case s.Phase == recipe.PhaseLessons && s.Step != nil:
		line += fmt.Sprintf("  loss %.3f", s.Step.Loss)
		if h := s.Step.Heldout; h != nil {
			line += fmt.Sprintf("  held out %.3f", *h)
		}
		line += fmt.Sprintf("  %.0f tokens/s", s.Step.TokensPerSecond)
	case s.Step != nil:
		line += "  " + stepWords(*s.Step)
	case s.Counted > 0:
		line += fmt.Sprintf("  reward %.3f", s.Reward)
	}
	return line
}

// stepWords is a step of rollouts in short.
func stepWords(s runfile.TrainingStep) string {
	if s.Pairs > 0 {
		return preferenceWords(s)
	}
	words := []string{fmt.Sprintf("reward %.3f", s.Reward)}
	if s.Heldout != nil {
		words = append(words, fmt.Sprintf("held out %.3f", *s.Heldout))
	}
	words = append(words, fmt.Sprintf("turns %.1f", s.Turns), fmt.Sprintf("dispatches %.1f", s.Dispatches),
		fmt.Sprintf("syntax errors %.0f%%", 100*s.SyntaxErrors),
		fmt.Sprintf("KL %.4f", s.KL), fmt.Sprintf("entropy %.3f", s.Entropy), fmt.Sprintf("%.0f tokens/s", s.TokensPerSecond))
	return strings.Join(words, "  ")
}
