package patches

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Shapes of a test's name: pytest's, whose parameters may hold anything, and a bare function, as sympy's are.
var (
	nodeID   = regexp.MustCompile(`^(\w[\w./-]*\.py)((?:::\w+){1,5})(\[.*)?$`)
	function = regexp.MustCompile(`^\w+$`)
)

// test is one test that a fix makes pass.
type test struct {
	id  string // pytest's
	arg string // what selects it: its function, with all parameters
}

// testsOf finds tests by their names. Bare functions are looked for in files, the texts of the test patch.
func testsOf(names []string, files map[string]*string) ([]test, error) {
	var all []test
	for _, name := range names {
		if m := nodeID.FindStringSubmatch(name); m != nil && fs.ValidPath(m[1]) {
			all = append(all, test{name, m[1] + m[2]})
			continue
		}
		if !function.MatchString(name) {
			return nil, fmt.Errorf("the test %q is named in a way that is not known", termtext.Cut(name, 100))
		}
		found := false
		defined := regexp.MustCompile(`(?m)^def ` + name + `\(`) // name is a word
		for file, text := range files {
			if id := file + "::" + name; text != nil && defined.MatchString(*text) && nodeID.MatchString(id) {
				all, found = append(all, test{id, id}), true
			}
		}
		if !found {
			return nil, fmt.Errorf("the test %s is in no file of the test patch", name)
		}
	}
	slices.SortFunc(all, func(a, b test) int { return strings.Compare(a.id, b.id) })
	return slices.Compact(all), nil
}

// args are what pytest is given.
func args(tests []test) []string {
	var all []string
	for _, t := range tests {
		all = append(all, t.arg)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// passed counts the tests that ran, and those that passed in all phases. An id may have been cut at a blank, by those who
// read it out of a log.
func passed(tests []test, report []byte) (ran, ok int) {
	outcome := map[string]bool{}
	for line := range bytes.Lines(report) {
		var phase [3]string
		if json.Unmarshal(line, &phase) != nil {
			continue
		}
		id, good := phase[0], phase[2] == "passed"
		for _, id := range []string{id, strings.SplitN(id, " ", 2)[0]} {
			before, seen := outcome[id]
			outcome[id] = good && (before || !seen)
		}
	}
	for _, t := range tests {
		if good, seen := outcome[t.id]; seen {
			ran++
			if good {
				ok++
			}
		}
	}
	return ran, ok
}

// fault is the line of an output that says best why tests did not pass, "" where none does.
func fault(output []byte) string {
	best := ""
	for line := range strings.Lines(string(output)) {
		line = strings.TrimSpace(line)
		own := strings.HasPrefix(line, "E ")
		switch {
		case own && (best == "" || !strings.HasPrefix(best, "E ")),
			!strings.HasPrefix(best, "E ") && strings.Contains(line, "Error") && !strings.HasPrefix(line, "ERROR"):
			best = line
		}
	}
	return termtext.Cut(strings.TrimSpace(strings.TrimPrefix(strings.ToValidUTF8(best, "\uFFFD"), "E ")), 200)
}
