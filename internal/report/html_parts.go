package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/finding"
)

// What the turns may add to a page, in bytes. A run of a thousand dispatches shares it, so that the page stays small; the
// full texts are in trace.jsonl.
const (
	dispatchBudget = 400 << 10
	turnBudget     = 400 << 10
	maxDispatches  = 1500
)

type mapView struct {
	Width, Height float64
	Boxes         []boxView
	Bars          []barView
	More          int
}

// boxView is one rectangle of the treemap, in the units of its viewBox.
type boxView struct {
	X, Y, W, H          string
	Class               string // d for a directory, c0 to c4 for a file's coverage
	Label, Tip          string
	LabelX, LabelY      string
	Href                string
	Mark, MarkX, MarkY  string // findings: number and place of the dot
	MarkClass, MarkSize string
	MarkTextY           string
}

type barView struct {
	Path, Percent string
	Width         float64
	Class         string
	Mark          int
	MarkClass     string
}

func newMap(d Document) mapView {
	m := mapView{Width: mapWidth, Height: mapHeight}
	type marks struct {
		n, worst int
		anchor   string
	}
	of := map[string]*marks{}
	for i, f := range d.Report.Findings {
		k := of[f.File]
		if k == nil {
			k = &marks{anchor: fmt.Sprintf("#f%d", i+1)}
			of[f.File] = k
		}
		k.n++
		k.worst = max(k.worst, finding.SeverityRank(f.Severity))
	}
	num := func(f float64) string { return fmt.Sprintf("%.1f", f) }
	for _, b := range treemap(d.Files) {
		if b.w < 0.5 || b.h < 0.5 {
			continue
		}
		v := boxView{X: num(b.x + 0.5), Y: num(b.y + 0.5), W: num(max(0.5, b.w-1)), H: num(max(0.5, b.h-1)), LabelX: num(b.x + 5), LabelY: num(b.y + 11.5)}
		chars := int((b.w - 8) / 5.5)
		f := b.area.file
		if f == nil {
			v.Class = "d"
			if len(b.area.children) == 0 {
				v.Class = "rest"
			}
			v.Tip = fmt.Sprintf("%s: %s lines", inline(cmp.Or(b.area.path, b.area.name)), count(int(b.area.weight)))
			if b.labelled() && chars > 3 {
				v.Label = cutRight(inline(b.area.name), chars)
			}
			m.Boxes = append(m.Boxes, v)
			continue
		}
		share := float64(f.Dispatched) / float64(max(1, f.Lines))
		v.Class = coverageClass(f)
		v.Tip = fmt.Sprintf("%s: %s, %s seen by a worker", inline(f.Path), plural(f.Lines, "line", "lines"), percent(share))
		if chars > 4 && b.h > 16 {
			v.Label = cutRight(inline(b.area.name), chars)
		}
		if k := of[f.Path]; k != nil {
			v.Tip += ", " + plural(k.n, "finding", "findings")
			v.Href = k.anchor
			size := min(9, b.w/2-1, b.h/2-1)
			v.MarkClass = severityOf(k.worst)
			v.MarkSize, v.MarkX, v.MarkY = num(max(1.5, size)), num(b.x+b.w-max(2.5, size)-2), num(b.y+b.h-max(2.5, size)-2)
			v.MarkTextY = num(b.y + b.h - max(2.5, size) + 1.2)
			if size >= 7 {
				v.Mark = count(k.n)
			}
			if b.h < 34 && v.Label != "" {
				v.Label = cutRight(v.Label, max(1, chars-4))
			}
		}
		m.Boxes = append(m.Boxes, v)
	}
	files := slices.Clone(d.Files)
	slices.SortFunc(files, func(a, b FileCoverage) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Path, b.Path))
	})
	for i, f := range files {
		if i == maxBars {
			m.More = len(files) - i
			break
		}
		share := float64(f.Dispatched) / float64(max(1, f.Lines))
		v := barView{Path: inline(f.Path), Percent: percent(share), Width: 100 * min(1, max(0, share)), Class: coverageClass(&f)}
		if k := of[f.Path]; k != nil {
			v.Mark, v.MarkClass = k.n, severityOf(k.worst)
		}
		m.Bars = append(m.Bars, v)
	}
	return m
}

func severityOf(rank int) string { return finding.Severities()[5-max(1, rank)] }

func coverageClass(f *FileCoverage) string {
	switch share := float64(f.Dispatched) / float64(max(1, f.Lines)); {
	case f.Lines == 0 || share >= 0.999:
		return "c4"
	case share <= 0:
		return "c0"
	case share < 0.5:
		return "c1"
	case share < 0.9:
		return "c2"
	}
	return "c3"
}

type turnView struct {
	Number                              int
	Node, Seconds, Cost, Summary        string
	Failed                              bool
	Width                               float64
	Reasoning, Output, Error            string
	Code                                []codeLine
	Dispatches                          []dispatchView
	More, DispatchErrors, DispatchCount int
}

type dispatchView struct {
	ID, Model, Files, Prompt, Reply, Error, Cost, Seconds string
	Cached                                                bool
}

func newTurns(h *highlighter, turns []Turn) []turnView {
	dispatches, slowest := 0, 0.0
	for _, t := range turns {
		dispatches += len(t.Dispatches)
		slowest = max(slowest, t.Seconds)
	}
	perText := clamp(turnBudget/max(1, 4*len(turns)), 400, 8<<10)
	perDispatch := clamp(dispatchBudget/max(1, 2*min(dispatches, maxDispatches)), 120, 2000)
	left := maxDispatches
	out := make([]turnView, 0, len(turns))
	for _, t := range turns {
		v := turnView{
			Number: t.Number, Seconds: duration(t.Seconds), Cost: dollars(t.CostUSD), Failed: t.Error != "",
			Reasoning: visible(clip(t.Reasoning, perText)), Output: visible(clip(t.Output, perText)), Error: visible(clip(t.Error, perText)),
			DispatchCount: len(t.Dispatches),
		}
		if t.Node != "" && t.Node != "root" {
			v.Node = inline(clip(t.Node, 80))
		}
		if slowest > 0 {
			v.Width = 100 * t.Seconds / slowest
		}
		if t.Code != "" {
			v.Code = h.lines("cell.py", clip(t.Code, perText), 1, 0, 0)
		}
		v.Summary = cutRight(inline(firstLine(t.Code, t.Reasoning)), 90)
		for i, x := range t.Dispatches {
			if x.Error != "" {
				v.DispatchErrors++
			}
			if left == 0 {
				if v.More == 0 {
					v.More = len(t.Dispatches) - i
				}
				continue
			}
			left--
			dv := dispatchView{ID: inline(clip(x.ID, 40)), Model: inline(clip(x.Model, 80)), Prompt: visible(clip(x.Prompt, perDispatch)), Reply: visible(clip(x.Reply, perDispatch)),
				Error: visible(clip(x.Error, 500)), Cost: dollars(x.CostUSD), Seconds: duration(x.Seconds), Cached: x.Cached}
			if len(x.Files) > 0 {
				dv.Files = inline(clip(x.Files[0], 120))
				if n := len(x.Files) - 1; n > 0 {
					dv.Files += fmt.Sprintf(" and %d more", n)
				}
			}
			v.Dispatches = append(v.Dispatches, dv)
		}
		out = append(out, v)
	}
	return out
}

// firstLine is the first line that says something: of the code, or else of the words around it.
func firstLine(texts ...string) string {
	for _, t := range texts {
		for line := range linesOf(t) {
			return line
		}
	}
	return ""
}

func clamp(n, low, high int) int { return max(low, min(high, n)) }
