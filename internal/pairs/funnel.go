package pairs

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Funnel is all steps in their order.
type Funnel []runfile.FunnelStep

func (f *Funnel) step(name, of string, in, out int, why string) {
	*f = append(*f, runfile.FunnelStep{Name: name, Of: of, In: in, Out: out, Why: why})
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
