package rules_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// TestRepeatedSamples runs each rule over its first bad sample, many times over. It takes milliseconds where a rule looks a thing up
// once a file, and minutes where one reads the whole file at each place in it. The time of the parser and of the flows, which have
// tests of their own, does not count. What is slow is tried again, for the machine may have been busy.
func TestRepeatedSamples(t *testing.T) {
	const short, enough = 10_000, 2 * time.Second
	parser := runtest.Parser(t)
	for _, r := range rules.All() {
		t.Run(strings.ReplaceAll(r.ID, "/", "."), func(t *testing.T) {
			long := timed(t, parser, &r, 4*short)
			if long < enough {
				return
			}
			small := timed(t, parser, &r, short)
			if long = min(long, timed(t, parser, &r, 4*short)); long >= enough && long > 8*small {
				t.Errorf("%v for %d bytes, %v for %d", small, short, long, 4*short)
			}
		})
	}
}

// timed is how long a rule takes for a file that holds its first bad sample so often that it has about size bytes.
func timed(t *testing.T, parser *syntax.Parser, r *rule.Rule, size int) time.Duration {
	path, spoken := r.Bad[0].Path, r.Languages[0]
	if path == "" {
		path = "src/app." + language.Extension(spoken)
	}
	if l := language.Read(path); l != "" && slices.Contains(r.Languages, l) {
		spoken = l
	}
	src := []byte(strings.Repeat(r.Bad[0].Source+"\n", size/(len(r.Bad[0].Source)+1)+1))
	var tree *syntax.Tree
	if language.Parses(spoken) {
		var err error
		if tree, err = parser.Parse(t.Context(), spoken, src); err != nil {
			t.Fatalf("%s: %v", r.ID, err)
		}
	}
	file := rule.NewFile(path, spoken, src, tree)
	start := time.Now()
	if _, err := file.Run(r); err != nil {
		t.Error(err)
	}
	return time.Since(start)
}
