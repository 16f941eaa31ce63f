package compare

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// Condition is one model variant and its results.
type Condition struct {
	Name string
	// Size is the variable of the trend, such as the number of pairs it was trained with; nil when it is not known.
	Size *float64
	File *resultfile.File
}

// Conditions read result files. An argument is a file or a directory of a run, or NAME=FILE; without a name a condition is
// called by its file. sizes has one entry for each argument, or none at all.
func Conditions(args []string, sizes []*float64, o resultfile.Options) ([]Condition, error) {
	if len(sizes) != 0 && len(sizes) != len(args) {
		return nil, hint.Wrap(fmt.Errorf("%d sizes for %d result files", len(sizes), len(args)),
			"give one for each file, in their order; - where there is none")
	}
	var all []Condition
	count := map[string]int{}
	for i, arg := range args {
		name, path := splitName(arg)
		f, err := resultfile.Read(path, o)
		if err != nil {
			return nil, err
		}
		c := Condition{Name: name, File: f}
		if c.Name == "" {
			c.Name = stem(path)
		}
		if len(sizes) > 0 {
			c.Size = sizes[i]
		}
		if count[c.Name]++; count[c.Name] > 1 {
			c.Name = fmt.Sprintf("%s (%d)", c.Name, count[c.Name])
		}
		all = append(all, c)
	}
	return all, nil
}

// splitName splits NAME=FILE. A slash before the sign means that it belongs to the path.
func splitName(arg string) (name, path string) {
	name, path, ok := strings.Cut(arg, "=")
	if !ok || name == "" || path == "" || strings.ContainsAny(name, `/\`) {
		return "", arg
	}
	return strings.TrimSpace(name), path
}

// stem is a path's last element without the endings of result files.
func stem(path string) string {
	name := filepath.Base(filepath.Clean(path))
	for _, end := range []string{".gz", ".json", ".jsonl", "_eval_results", ".jsonl_results", "_results", "_humaneval", "_mbpp"} {
		if s := strings.TrimSuffix(name, end); s != "" {
			name = s
		}
	}
	return name
}

// counts are what a condition's file holds.
type counts struct {
	tasks, samples, judged, passed, unjudged int
	empty, emptyPassed, absent, truncated    int
	scores                                   [][]float64 // of each task that was judged
}

func count(f *resultfile.File) counts {
	c := counts{tasks: len(f.Tasks)}
	for _, t := range f.Tasks {
		for _, s := range t.Samples {
			c.samples++
			if s.Empty() {
				c.empty++
			}
			if s.Kind == resultfile.Absent {
				c.absent++
			}
			if s.Truncated {
				c.truncated++
			}
			switch {
			case s.Passed == nil:
				c.unjudged++
			case *s.Passed:
				c.judged++
				c.passed++
				if s.Empty() {
					c.emptyPassed++
				}
			default:
				c.judged++
			}
		}
		if scores := verdicts(t); len(scores) > 0 {
			c.scores = append(c.scores, scores)
		}
	}
	return c
}

// verdicts are a task's samples as 1 and 0, without those that were not judged.
func verdicts(t resultfile.Task) []float64 {
	var out []float64
	for _, s := range t.Samples {
		if s.Passed == nil {
			continue
		}
		v := 0.0
		if *s.Passed {
			v = 1
		}
		out = append(out, v)
	}
	return out
}

// passAt1 is the mean over tasks of the share of samples that passed, which is pass@1's unbiased estimate.
func (c counts) passAt1() float64 { return stats.Mean(stats.TaskMeans(c.scores)) }

// errNoVerdicts is a comparison of files that record none.
var errNoVerdicts = errors.New("no verdicts are recorded")

// NoVerdicts reports an error of Run that only says that a file records no verdicts.
func NoVerdicts(err error) bool { return errors.Is(err, errNoVerdicts) }
