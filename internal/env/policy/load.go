package policy

import (
	"embed"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/samplefile"
)

//go:embed *.txtar
var files embed.FS

// names are the policies in the order of All: exploits, tricks, nulls, random ones, honest ones. Each has a file.
var names = strings.Fields(`finish-at-once name-all-paths name-each-path paste-tree boilerplate spam-findings carpet keywords echo-worker
	mutate-metadata forge-surface forge-calls cite-everything replay dismiss-everything merge-everything verify-spam grep-only ask-only
	heap-again stubs launder name-everything leaked-patch popular-files null idle random trusting issue-words honest`)

// loaded are the policies, read once.
var loaded = sync.OnceValue(func() []Policy {
	out, err := load()
	if err != nil {
		panic(err) // the files are part of the program, and the tests read them
	}
	return out
})

// borrowed is a line that stands for another policy's cell.
var borrowed = regexp.MustCompile(`(?m)^# cell (\d+) of (\S+)$`)

// load reads the policies' files.
func load() ([]Policy, error) {
	parsed := map[string]samplefile.File{}
	for _, name := range names {
		base := strings.ReplaceAll(name, "-", "_") + ".txtar"
		text, err := files.ReadFile(base)
		if err != nil {
			return nil, err
		}
		if parsed[name], err = samplefile.Parse(base, text, samplefile.Form{
			Keys: []string{"name", "kind", "about", "earns", "idea"}, Optional: []string{"memory", "only"}, Kinds: []string{"cell", "reply"},
		}); err != nil {
			return nil, err
		}
	}
	var out []Policy
	var failed []error
	for _, name := range names {
		f := parsed[name]
		p := Policy{Name: f.Header["name"], Kind: Kind(f.Header["kind"]), About: f.Header["about"], Memory: f.Header["memory"] == "yes",
			Only: f.Header["only"]}
		if p.Name != name {
			failed = append(failed, fmt.Errorf("the file of policy %s has the name %s", name, p.Name))
		}
		for earned := range strings.SplitSeq(f.Header["earns"], ",") {
			var s Sample
			if _, err := fmt.Sscan(earned, &s.Environment, &s.Lo, &s.Hi); err != nil {
				failed = append(failed, fmt.Errorf("policy %s: earns %q, want ENVIRONMENT LEAST MOST", name, earned))
			}
			p.Samples = append(p.Samples, s)
		}
		for _, s := range f.Samples {
			if s.Kind == "reply" {
				p.Replies = append(p.Replies, strings.TrimSpace(s.Text))
				continue
			}
			p.Replies = append(p.Replies, Cell(borrowed.ReplaceAllStringFunc(s.Text, func(line string) string {
				words := borrowed.FindStringSubmatch(line)
				n, _ := strconv.Atoi(words[1]) // it is digits
				cells := parsed[words[2]].Of("cell")
				if n < 1 || n > len(cells) {
					failed = append(failed, fmt.Errorf("policy %s: there is no %s", name, strings.TrimPrefix(line, "# ")))
					return line
				}
				return strings.TrimSpace(cells[n-1].Text)
			})))
		}
		out = append(out, p)
	}
	return out, errors.Join(failed...)
}
