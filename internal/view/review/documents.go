package review

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// New shows the review in a directory.
func New(d *dir.Dir) doc.Shown {
	r := &Run{Dir: d, traces: traces.New(d)}
	all := map[string]doc.Get{"findings": r.findings, "finding": r.finding, "files": r.files, "file": r.file, "claims": r.claimsSoFar}
	for _, name := range []string{"trace", "turn", "prompt", "dispatch"} {
		all[name] = func(rest string) (any, error) { return r.trace().Document(name, rest) }
	}
	return doc.Shown{
		Describe: r.describe, SoFar: r.soFar, Documents: all, Inventory: r.inventory, Outcome: runfile.ReportName, DispatchBytes: r.dispatchBytes,
		Parts: []doc.Part{
			{Section: doc.SectionFindings, Files: []string{runfile.ReportName}},
			{Section: doc.SectionTurns, Files: []string{runfile.TraceName}},
			{Section: doc.SectionCode, Files: []string{runfile.ReportName}},
		},
	}
}

// dispatchBytes is how many bytes of the trace are dispatches.
func (r *Run) dispatchBytes() int64 {
	s, err := r.trace().Refresh()
	if err != nil {
		return 0
	}
	return s.DispatchBytes()
}

// inventory gives what findings rest on before the rest: their files, and the dispatches that they came from. Prompts come
// last: they repeat each other, and what is new in each stands in its turn.
func (r *Run) inventory(give func(string)) {
	given := map[string]bool{}
	once := func(path string) {
		if !given[path] {
			given[path] = true
			give(path)
		}
	}
	s, err := r.trace().Refresh()
	if err != nil {
		s = traces.Snapshot{}
	}
	each := func(letter byte, name string) {
		for n, kind := range s.All() {
			if kind == letter {
				once(fmt.Sprintf("%s/%d", name, n))
			}
		}
	}
	give("findings")
	give("files")
	give("trace")
	each('r', "turn")
	if known, err := r.findings(""); err == nil {
		found := known.(Findings)
		for _, f := range found.Findings {
			once("file/" + f.File)
			for _, key := range f.Sources {
				if at, ok := found.Dispatches[key]; ok {
					once(fmt.Sprintf("dispatch/%d", at.Seq))
				}
			}
		}
	}
	each('d', "dispatch")
	if all, err := r.files(""); err == nil {
		for _, f := range all.(Files).Files {
			once("file/" + f.Path)
		}
	}
	each('r', "prompt")
}
