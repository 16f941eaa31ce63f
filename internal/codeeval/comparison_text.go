package codeeval

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// mostListed is how many differences are printed: all are in what is kept, or printed as JSON.
const mostListed = 100

// WriteComparison prints for people on which programs both backends differ. Where one was asked it prints nothing.
func WriteComparison(w io.Writer, controls, samples *runfile.BackendComparison) error {
	var b strings.Builder
	var all []runfile.Difference
	differing := 0
	for _, one := range []struct {
		what string
		c    *runfile.BackendComparison
	}{{"controls", controls}, {"samples", samples}} {
		if one.c == nil {
			continue
		}
		fmt.Fprintf(&b, "  %d of %d %s got the same verdict from wasm and native: %s\n", one.c.Alike, one.c.Programs, one.what, alike(one.c))
		all = append(all, one.c.Differences...)
		differing += one.c.Differing()
	}
	if b.Len() == 0 {
		return nil
	}
	for _, d := range all[:min(len(all), mostListed)] {
		b.WriteString("  - " + termtext.OneLine(d.String()) + "\n")
	}
	if more := differing - min(len(all), mostListed); more > 0 {
		fmt.Fprintf(&b, "  and %d more: --json has up to %d, the rows of --out have all samples\n", more, runfile.MostDifferences)
	}
	_, err := io.WriteString(w, "\nboth backends\n"+b.String())
	return err
}

// alike says which verdicts they agree on.
func alike(c *runfile.BackendComparison) string {
	same := map[string]int{}
	for _, pair := range c.Verdicts {
		if pair.Wasm == pair.Native {
			same[string(pair.Wasm)] = pair.Programs
		}
	}
	return verdictCounts(same)
}
