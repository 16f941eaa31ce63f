package orchestration_test

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// siblings matches the files of our hard trees that come in families; what it captures is common to the files of one.
var siblings = map[string]*regexp.Regexp{
	"python":     regexp.MustCompile(`^src/\w+/(\w+)/\w+\.py$`),
	"go":         regexp.MustCompile(`^(intake|plugs|views)/\w+()\.go$`),
	"typescript": regexp.MustCompile(`^plugins/\w+((?:\.\w+)?\.ts)$`),
	"java":       regexp.MustCompile(`^src/main/.*/plugins/.*([A-Z][a-z]+)\.java$`),
}

// TestVariantsShowWhatWasPlanted compares the families of hard codebases: the defects in their files stand in what is shown,
// and it is little that is shown.
func TestVariantsShowWhatWasPlanted(t *testing.T) {
	e := catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser})
	for language, pattern := range siblings {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			planted, shown, chars, families := 0, 0, 0, 0
			for seed := range int64(3) {
				task, err := e.Task(t.Context(), env.Selection{Split: env.Heldout, Seed: seed + 1, Language: language, Difficulty: env.Hard}, 0)
				if err != nil {
					t.Fatal(err)
				}
				g, err := graph.Build(t.Context(), task.Codebase, graph.Options{Parser: runtest.OpenParser})
				if err != nil {
					t.Fatal(err)
				}
				paths := map[string][]string{}
				for _, p := range task.Codebase.Paths() {
					if m := pattern.FindStringSubmatch(p); m != nil && !strings.HasSuffix(p, "_test.go") {
						paths[m[1]] = append(paths[m[1]], p)
					}
				}
				for _, files := range paths {
					text := ""
					for _, v := range g.Variants(files) {
						text += v.String() + "\n"
					}
					families++
					chars += len(text)
					for _, d := range task.Defects {
						if !strings.Contains(" "+strings.Join(files, " ")+" ", " "+d.File+" ") {
							continue
						}
						planted++
						if shows(text, d) {
							shown++
						} else {
							t.Logf("seed %d: %s:%d is not shown", seed+1, d.File, d.Line)
						}
					}
				}
			}
			t.Logf("%d of %d defects in %d characters on %d families", shown, planted, chars, families)
			if planted < 20 || shown*20 < planted*19 || chars > 2500*families {
				t.Errorf("%d of %d defects are shown, in %d characters on %d families", shown, planted, chars, families)
			}
		})
	}
}

var place = regexp.MustCompile(`(\S+):(\d+)(?:-(\d+))?`)

// shows reports a text with a place that holds a line of a defect.
func shows(text string, d env.Defect) bool {
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "    ") || strings.Contains(line, ": varies over ") {
			continue
		}
		for _, m := range place.FindAllStringSubmatch(line, -1) {
			from, to := number(m[2]), max(number(m[2]), number(m[3]))
			if path.Clean(m[1]) == d.File && from <= max(d.Line, d.EndLine) && d.Line <= to {
				return true
			}
		}
	}
	return false
}

func number(digits string) (n int) {
	for _, r := range digits {
		n = 10*n + int(r-'0')
	}
	return n
}
