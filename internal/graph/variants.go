package graph

import (
	"cmp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/graph/alike"
	"github.com/deeprepo/deeprepo/internal/language"
)

// Variant is a family: files that are nearly the same but for the names that are each file's own.
type Variant struct {
	Files      []string    `json:"files"`
	Exceptions []Exception `json:"exceptions"`        // the rarest first
	Unsettled  []Unsettled `json:"unsettled"`         // functions that have places without a majority
	Partial    []Partial   `json:"partial,omitempty"` // what only some files have
}

// Exception is one way in which a few files of a family depart from the others.
type Exception struct {
	Part string `json:"part"` // a function or a constant, without the files' own names; "" outside of all
	What What   `json:"what"`
	Of   int    `json:"of"` // files that have the part
	// Places are where it stands, the first file's first. They may be several of one file.
	Places []Place `json:"places"`
	Diff   []Diff  `json:"diff,omitempty"` // of the first file
	// Doc is what the comment on the first file's function promises, UsualDoc what the others' does where that is not the same.
	Doc      string `json:"doc,omitempty"`
	UsualDoc string `json:"usual_doc,omitempty"`

	files int
	score float64
}

// Diff is one difference: lines of one file, and what one of the others has instead.
type Diff struct {
	Has   Place `json:"has"`
	Usual Place `json:"usual"`
}

// What says in what a file departs.
type What string

// The kinds of exception.
const (
	OtherCode    What = "code"
	OtherComment What = "comment" // and nothing else
	OtherBody    What = "body"    // a function that has little in common with the others
	OtherLine    What = "line"    // outside of functions: it lacks a line that the others have
)

// Place is lines of a file; no lines for a file that lacks something.
type Place struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"end_line,omitempty"`

	text string // its lines
}

// Unsettled is a function that the files write in their own ways, and where in some of them.
type Unsettled struct {
	Part   string  `json:"part"`
	Files  int     `json:"files"` // that have it
	Places []Place `json:"places"`
}

// Partial is a function that not every file of a family has.
type Partial struct {
	Part string   `json:"part"`
	Have []string `json:"have"`
	Lack []string `json:"lack"`
}

// Variants groups those of the files that are nearly the same, and compares them function by function; no paths are all
// files of a language that is parsed. Tests come last, and otherwise families with the most telling exceptions first.
func (g *Graph) Variants(paths []string) []Variant {
	if len(paths) == 0 {
		for i := range g.files {
			paths = append(paths, g.files[i].path)
		}
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	paths = slices.DeleteFunc(paths, func(p string) bool { _, ok := g.code.Text(p); return !ok })
	pieces := make([]alike.Piece, len(paths))
	parallel(len(paths), func(i int) {
		info, _ := g.code.File(paths[i])
		text, _ := g.code.Text(paths[i])
		pieces[i].Tokens = alike.Tokens(language.Family(info.Language), text, 1, nil)
	})
	groups := alike.Groups(pieces)
	list := make([]Variant, len(groups))
	parallel(len(groups), func(n int) {
		files := make([]string, len(groups[n]))
		for i, k := range groups[n] {
			files[i] = paths[k]
		}
		list[n] = g.family(files)
	})
	rank := func(v Variant) float64 {
		best := 0.0
		for _, e := range v.Exceptions {
			best = max(best, e.score)
		}
		if g.IsTest(v.Files[0]) {
			best -= 1000
		}
		return best
	}
	slices.SortStableFunc(list, func(a, b Variant) int { return cmp.Compare(rank(b), rank(a)) })
	return list
}
