package compare

import (
	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// paired are the tasks that two files have, in natural order, and what was left out.
type paired struct {
	ids                           []string
	base, other                   [][]float64 // verdicts
	baseTasks, otherTasks         []resultfile.Task
	onlyBase, onlyOther, unjudged []string
}

// pair matches the tasks of two files by their names, however they spell them.
func pair(base, other *resultfile.File) paired {
	at := map[string]resultfile.Task{}
	for _, t := range other.Tasks {
		at[resultfile.Key(t.ID)] = t
	}
	var p paired
	seen := map[string]bool{}
	for _, t := range base.Tasks {
		key := resultfile.Key(t.ID)
		seen[key] = true
		o, ok := at[key]
		if !ok {
			p.onlyBase = append(p.onlyBase, t.ID)
			continue
		}
		b, v := verdicts(t), verdicts(o)
		if len(b) == 0 || len(v) == 0 {
			p.unjudged = append(p.unjudged, t.ID)
			continue
		}
		p.ids = append(p.ids, t.ID)
		p.base, p.other = append(p.base, b), append(p.other, v)
		p.baseTasks, p.otherTasks = append(p.baseTasks, t), append(p.otherTasks, o)
	}
	for _, t := range other.Tasks {
		if !seen[resultfile.Key(t.ID)] {
			p.onlyOther = append(p.onlyOther, t.ID)
		}
	}
	return p
}

// single reports that each task has one verdict on either side.
func (p paired) single() bool {
	for i := range p.ids {
		if len(p.base[i]) != 1 || len(p.other[i]) != 1 {
			return false
		}
	}
	return true
}

// countFlips sorts the tasks into those that changed and those that did not.
func countFlips(c *runfile.Compared, p paired) {
	c.Improved, c.Regressed = []string{}, []string{}
	for i, id := range p.ids {
		b, o := stats.Mean(p.base[i]), stats.Mean(p.other[i])
		won := p.otherTasks[i]
		switch {
		case o > b:
			c.Improved = append(c.Improved, id)
		case o < b:
			c.Regressed = append(c.Regressed, id)
			won = p.baseTasks[i]
		case o == 0:
			c.BothFail++
			continue
		case o == 1:
			c.BothPass++
			continue
		default:
			c.Unchanged++
			continue
		}
		if allEmpty(won) {
			c.EmptyWins++
		}
	}
	c.Net = len(c.Improved) - len(c.Regressed)
}

// allEmpty reports that nothing was generated for a task.
func allEmpty(t resultfile.Task) bool {
	for _, s := range t.Samples {
		if !s.Empty() {
			return false
		}
	}
	return true
}
