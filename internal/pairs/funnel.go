package pairs

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Step is one filter: what went in, what came out, and why the rest did not.
type Step struct {
	Name string `json:"name"`
	// Of is what the step counts: samples, programs, pairs.
	Of  string `json:"of"`
	In  int    `json:"in"`
	Out int    `json:"out"`
	// Why says what it takes to be dropped here.
	Why string `json:"why"`
}

// Funnel is all steps in their order.
type Funnel []Step

func (f *Funnel) step(name, of string, in, out int, why string) {
	*f = append(*f, Step{name, of, in, out, why})
}

// WriteText prints the funnel as a table.
func (f Funnel) WriteText(w io.Writer) {
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
	fmt.Fprintln(t, "step\tof\tin\tdropped\tout\tdropped are")
	for _, s := range f {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\n", s.Name, s.Of, s.In, s.In-s.Out, s.Out, s.Why)
	}
	t.Flush()
}
