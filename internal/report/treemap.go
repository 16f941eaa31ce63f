package report

import (
	"cmp"
	"slices"
	"strings"
)

// area is something that gets a share of a treemap.
type area struct {
	name string // last segment of the path, or of several joined
	path string
	// weight is the number of lines, at least 1.
	weight   float64
	file     *FileCoverage // nil for a directory and for the rest of small files
	children []*area
}

// box is a placed rectangle.
type box struct {
	x, y, w, h float64
	area       *area
	depth      int
}

const (
	mapWidth, mapHeight = 1000.0, 460.0
	// maxMapFiles is how many files get their own rectangle; the smaller ones share one.
	maxMapFiles = 1200
	// mapHeader is the strip in which a directory's name stands.
	mapHeader = 15.0
)

// treemap lays the files out by directory, each as large as its lines. Deterministic for a set of files.
func treemap(files []FileCoverage) []box {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b FileCoverage) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Path, b.Path))
	})
	root := &area{}
	for i := range files {
		if i == maxMapFiles {
			rest := &area{name: plural(len(files)-i, "smaller file", "smaller files")}
			for _, f := range files[i:] {
				rest.weight += float64(max(1, f.Lines))
			}
			root.children = append(root.children, rest)
			break
		}
		root.insert(&files[i])
	}
	root.settle()
	var out []box
	root.place(0, 0, mapWidth, mapHeight, 0, &out)
	return out
}

// insert puts a file under the directories of its path.
func (a *area) insert(f *FileCoverage) {
	at := a
	segments := strings.Split(f.Path, "/")
	// A path of thousands of segments must not become a tree as deep.
	if len(segments) > 12 {
		segments = append(segments[:11], strings.Join(segments[11:], "/"))
	}
	for i, s := range segments {
		if i == len(segments)-1 {
			at.children = append(at.children, &area{name: s, path: f.Path, weight: float64(max(1, f.Lines)), file: f})
			return
		}
		var next *area
		for _, c := range at.children {
			if c.file == nil && c.name == s {
				next = c
				break
			}
		}
		if next == nil {
			next = &area{name: s, path: strings.Join(segments[:i+1], "/")}
			at.children = append(at.children, next)
		}
		at = next
	}
}

// settle sums the weights, joins directories that hold nothing but one directory, and sorts by weight.
func (a *area) settle() {
	for _, c := range a.children {
		c.settle()
		a.weight += c.weight
	}
	for i, c := range a.children {
		if c.file == nil && len(c.children) == 1 && c.children[0].file == nil && len(c.children[0].children) > 0 {
			only := c.children[0]
			a.children[i] = &area{name: c.name + "/" + only.name, path: only.path, weight: only.weight, children: only.children}
		}
	}
	slices.SortStableFunc(a.children, func(x, y *area) int { return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.name, y.name)) })
}

// place lays out the children of a in a rectangle and descends.
func (a *area) place(x, y, w, h float64, depth int, out *[]box) {
	for _, b := range squarify(a.children, x, y, w, h) {
		b.depth = depth
		*out = append(*out, b)
		if b.area.file != nil || len(b.area.children) == 0 {
			continue
		}
		const pad = 2.0
		top := pad
		if b.labelled() {
			top = mapHeader
		}
		if b.w > 2*pad && b.h > top+pad {
			b.area.place(b.x+pad, b.y+top, b.w-2*pad, b.h-top-pad, depth+1, out)
		}
	}
}

// labelled reports whether a directory is large enough for its name.
func (b box) labelled() bool { return b.area.file == nil && b.w > 60 && b.h > 40 && b.depth < 3 }

// squarify lays areas, sorted by falling weight, into a rectangle in rows along its shorter side, adding to a row as long
// as that makes its worst rectangle squarer (Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000).
func squarify(areas []*area, x, y, w, h float64) []box {
	total := 0.0
	for _, a := range areas {
		total += a.weight
	}
	if total <= 0 || w <= 0 || h <= 0 {
		return nil
	}
	scale := w * h / total
	out := make([]box, 0, len(areas))
	for len(areas) > 0 {
		side := min(w, h)
		n, sum := 1, areas[0].weight*scale
		for n < len(areas) {
			next := areas[n].weight * scale
			if worst(areas[0].weight*scale, areas[n-1].weight*scale, sum, side) < worst(areas[0].weight*scale, next, sum+next, side) {
				break
			}
			sum += next
			n++
		}
		thick := sum / side
		at := 0.0
		for _, a := range areas[:n] {
			long := a.weight * scale / thick
			if w >= h {
				out = append(out, box{x: x, y: y + at, w: thick, h: long, area: a})
			} else {
				out = append(out, box{x: x + at, y: y, w: long, h: thick, area: a})
			}
			at += long
		}
		if w >= h {
			x, w = x+thick, w-thick
		} else {
			y, h = y+thick, h-thick
		}
		areas = areas[n:]
		if len(areas) > 0 && (w <= 1e-9 || h <= 1e-9) {
			break // rounding has eaten the rest
		}
	}
	return out
}

// worst is the largest aspect ratio in a row of this total area along a side, given its largest and smallest area.
func worst(largest, smallest, sum, side float64) float64 {
	return max(side*side*largest/(sum*sum), sum*sum/(side*side*smallest))
}
