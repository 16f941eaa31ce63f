package patches

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Summary counts rows, by repository and over all.
type Summary struct {
	Repos []Count `json:"repositories"`
	All   Count   `json:"all"`
	Rows  []Row   `json:"rows"`
}

// Count says of how many issues something is known.
type Count struct {
	Repo    string `json:"repo,omitempty"`
	Issues  int    `json:"issues"`
	Ran     int    `json:"ran"`   // at least one of their tests ran with the fix
	Holds   int    `json:"holds"` // the control does
	Patches int    `json:"patches"`
	Applied int    `json:"applied"`
	Parsed  int    `json:"parsed"`
	Tested  int    `json:"tested"` // their tests were run with the patch
	Passed  int    `json:"passed"`
}

func (c *Count) add(r Row) {
	yes := func(b *bool) int {
		if b != nil && *b {
			return 1
		}
		return 0
	}
	c.Issues++
	c.Holds += yes(r.Control.Holds)
	if after := r.Control.After; after != nil && after.Ran > 0 {
		c.Ran++
	}
	if t := r.Patch; t != nil && t.Applies != nil {
		c.Patches, c.Applied, c.Parsed = c.Patches+1, c.Applied+yes(t.Applies), c.Parsed+yes(t.Parses)
		if c.Passed += yes(t.Passes); t.Passes != nil {
			c.Tested++
		}
	}
}

// Summarise counts rows.
func Summarise(rows []Row) Summary {
	s := Summary{Rows: rows}
	repos := map[string]*Count{}
	for _, r := range rows {
		if repos[r.Repo] == nil {
			repos[r.Repo] = &Count{Repo: r.Repo}
		}
		repos[r.Repo].add(r)
		s.All.add(r)
	}
	for _, repo := range slices.Sorted(maps.Keys(repos)) {
		s.Repos = append(s.Repos, *repos[repo])
	}
	return s
}

// Write writes the table, and below it why a control or a patch is not as it should be.
func (s Summary) Write(w io.Writer) error {
	patched := s.All.Patches > 0
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', tabwriter.AlignRight)
	head := "repository\tissues\ttests ran\tcontrol holds\t"
	if patched {
		head += "patches\tapply\tparse\ttested\tpass\t"
	}
	fmt.Fprintln(t, head)
	for _, c := range append(slices.Clone(s.Repos), s.All) {
		name := c.Repo
		if name == "" {
			name = "all"
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t", name, c.Issues, c.Ran, c.Holds)
		if patched {
			fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t", c.Patches, c.Applied, c.Parsed, c.Tested, c.Passed)
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, r := range s.Rows {
		why := r.Control.Why
		if r.Patch != nil && r.Patch.Why != "" {
			why = "patch: " + r.Patch.Why
		}
		if why != "" {
			fmt.Fprintf(w, "%s: %s\n", r.InstanceID, termtext.OneLine(why))
		}
	}
	_, err := fmt.Fprintln(w, "The control holds where no test of FAIL_TO_PASS passes before the fix and all pass after it.")
	return err
}
