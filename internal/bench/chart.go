package bench

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	picture "github.com/deeprepo/deeprepo/internal/chart"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/report"
)

// chart is a scatter plot with a labelled point for each configuration, written as SVG. Its colours are the page's.
type chart struct {
	ID, Title    string // ID is ours, and unique in its page
	XName, YName string
	X, Y         axis
	XText, YText func(float64) string // a value in words
	Points       []point
	UnknownX     string // what the band of points without x is called
	ZeroX        string // ... and that of points at 0 on a logarithmic axis
	YMarks       []tick // words in the right margin
	Target       string
}

// point is one configuration. X is nil when it is not known.
type point struct {
	Name  string
	X     *float64
	Y     float64
	Shape string // a strategy
}

// The picture, in its own units.
const (
	chartWidth, chartHeight   = 680.0, 400.0
	plotLeft, plotRight       = 54.0, 28.0 // margins
	plotTop, plotBottom       = 34.0, 52.0
	bandWidth                 = 84.0 // of points that have no place on the axis
	bandGap                   = 24.0 // between a band and the axis, for the words below them
	letterWidth, letterHeight = 6.9, 15.0
	pointRadius               = 5.5
	maxLabel                  = 30 // runes
)

// box is what a mark or a text takes.
type box struct{ x, y, w, h float64 }

func (b box) meets(o box) bool {
	return b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h
}

// placed is a point with its place and its label's.
type placed struct {
	point
	x, y  float64
	label string
	text  box
	side  string // where the label's own point of reference is: "", "end" or "middle"
	shown bool   // there was room for the label
}

// svg draws the chart.
func (c chart) svg() string {
	left, right := plotLeft, chartWidth-plotRight
	zero, unknown := false, false
	for _, p := range c.Points {
		zero = zero || c.X.log && p.X != nil && *p.X <= 0
		unknown = unknown || p.X == nil
	}
	zeroAt, unknownAt := left, right-bandWidth
	if zero {
		left += bandWidth + bandGap
	}
	if unknown {
		right -= bandWidth + bandGap
	}
	bottom := chartHeight - plotBottom
	var ps []placed
	for _, p := range c.Points {
		q := placed{point: p, y: bottom - clampUnit(c.Y.at(p.Y))*(bottom-plotTop), label: picture.Clip(p.Name, maxLabel)}
		switch {
		case p.X == nil:
			q.x = unknownAt + bandWidth/2
		case c.X.log && *p.X <= 0:
			q.x = zeroAt + bandWidth/2
		default:
			q.x = left + clampUnit(c.X.at(*p.X))*(right-left)
		}
		ps = append(ps, q)
	}
	arrange(ps, box{plotLeft, plotTop - 8, chartWidth - plotLeft - plotRight, bottom - plotTop + 8})

	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %g %g" role="img" aria-labelledby="%s-t %s-d" xmlns="http://www.w3.org/2000/svg">`+"\n", chartWidth, chartHeight, c.ID, c.ID)
	fmt.Fprintf(&b, "<title id=\"%s-t\">%s</title>\n<desc id=\"%s-d\">%s</desc>\n", c.ID, html.EscapeString(c.Title), c.ID, picture.Text(c.words()))
	c.frame(&b, left, right, bottom)
	if zero {
		band(&b, zeroAt, bottom, c.ZeroX)
	}
	if unknown {
		band(&b, unknownAt, bottom, c.UnknownX)
	}
	for _, p := range ps {
		if p.shown && far(p) {
			x, y := nearest(p)
			fmt.Fprintf(&b, `<line class="leader" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", p.x, p.y, x, y)
		}
	}
	slices.SortStableFunc(ps, func(p, q placed) int { // the target on top
		return strings.Compare(fmt.Sprint(p.Name == c.Target), fmt.Sprint(q.Name == c.Target))
	})
	for _, p := range ps {
		class := "point"
		if p.Name == c.Target {
			class += " target"
		}
		fmt.Fprintf(&b, `<path class="%s" d="%s"><title>%s</title></path>`+"\n", class, shape(p.Shape, p.x, p.y), picture.Text(c.word(p.point)))
		if p.shown {
			x, class := p.text.x, "name"
			switch p.side {
			case "end":
				x, class = x+p.text.w, "name end"
			case "middle":
				x, class = x+p.text.w/2, "name middle"
			}
			fmt.Fprintf(&b, `<text class="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, x, p.text.y+letterHeight-4, picture.Text(p.label))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// frame draws axes, grid and names.
func (c chart) frame(b *strings.Builder, left, right, bottom float64) {
	for _, t := range c.Y.ticks {
		y := bottom - c.Y.at(t.at)*(bottom-plotTop)
		fmt.Fprintf(b, `<line class="grid" x1="%g" y1="%.1f" x2="%g" y2="%.1f"/><text class="tick end" x="%g" y="%.1f">%s</text>`+"\n",
			plotLeft, y, chartWidth-plotRight, y, plotLeft-7, y+4, html.EscapeString(t.label))
	}
	for _, t := range c.YMarks {
		fmt.Fprintf(b, `<text class="mark" x="%g" y="%.1f">%s</text>`+"\n", chartWidth-plotRight+14, bottom-c.Y.at(t.at)*(bottom-plotTop)+4, html.EscapeString(t.label))
	}
	for _, t := range c.X.ticks {
		x := left + c.X.at(t.at)*(right-left)
		fmt.Fprintf(b, `<line class="notch" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/><text class="tick" x="%.1f" y="%.1f">%s</text>`+"\n",
			x, bottom, x, bottom+5, x, bottom+19, html.EscapeString(t.label))
	}
	fmt.Fprintf(b, `<path class="axis" d="M%g %gV%.1fH%g"/>`+"\n", plotLeft, plotTop, bottom, chartWidth-plotRight)
	fmt.Fprintf(b, `<text class="axisname" x="%g" y="%g">%s</text><text class="axisname end" x="%g" y="%.1f">%s</text>`+"\n",
		plotLeft-46, plotTop-16, html.EscapeString(c.YName), chartWidth-plotRight, bottom+40, html.EscapeString(c.XName))
}

// band sets a strip apart from the axis.
func band(b *strings.Builder, x, bottom float64, name string) {
	fmt.Fprintf(b, `<rect class="band" x="%g" y="%g" width="%g" height="%.1f"/><text class="tick" x="%g" y="%.1f">%s</text>`+"\n",
		x, plotTop, bandWidth, bottom-plotTop, x+bandWidth/2, bottom+19, html.EscapeString(name))
}

// arrange finds a place for every label that meets no other label and no point: beside its point, or else further away,
// with a line to it. One for which there is no room is left out; the chart's description has it all the same.
func arrange(ps []placed, within box) {
	taken := make([]box, 0, 2*len(ps))
	for _, p := range ps {
		taken = append(taken, box{p.x - pointRadius - 1, p.y - pointRadius - 1, 2*pointRadius + 2, 2*pointRadius + 2})
	}
	for i := range ps {
		p := &ps[i]
		w := float64(utf8.RuneCountInString(p.label)) * letterWidth
	search:
		for ring := range 14 {
			gap := pointRadius + 4 + float64(ring)*9
			half := letterHeight / 2
			for _, at := range []struct {
				side string
				x, y float64
			}{{"", gap, -half}, {"end", -gap - w, -half}, {"middle", -w / 2, -gap - 2*half}, {"middle", -w / 2, gap},
				{"", gap, -gap - half}, {"", gap, gap - half}, {"end", -gap - w, -gap - half}, {"end", -gap - w, gap - half}} {
				t := box{p.x + at.x, p.y + at.y, w, letterHeight}
				if t.x < within.x || t.y < within.y || t.x+t.w > within.x+within.w || t.y+t.h > within.y+within.h {
					continue
				}
				free := true
				for _, o := range taken {
					free = free && !t.meets(o)
				}
				if free {
					p.text, p.side, p.shown = t, at.side, true
					taken = append(taken, t)
					break search
				}
			}
		}
	}
}

// far reports a label that needs a line to its point.
func far(p placed) bool {
	x, y := nearest(p)
	return math.Hypot(x-p.x, y-p.y) > pointRadius+8
}

// nearest is the place of a label's edge that is nearest to its point.
func nearest(p placed) (x, y float64) {
	return max(p.text.x, min(p.x, p.text.x+p.text.w)), max(p.text.y+2, min(p.y, p.text.y+p.text.h-2))
}

// shape is a mark for a strategy, so that colour is not needed to tell them apart.
func shape(strategy string, x, y float64) string {
	r := pointRadius
	switch strategy {
	case env.StrategySingle:
		return picture.Square(x, y, r)
	case env.StrategyPrompt:
		return picture.Triangle(x, y, r)
	case env.StrategyGate:
		return picture.Diamond(x, y, r)
	}
	return picture.Circle(x, y, r)
}

// words tell the chart to those who do not see it.
func (c chart) words() string {
	var all []string
	for _, p := range c.Points {
		all = append(all, c.word(p))
	}
	if len(all) == 0 {
		return "No configuration has a run that is done."
	}
	return strings.Join(all, ". ") + "."
}

func (c chart) word(p point) string {
	x := c.UnknownX
	if p.X != nil {
		x = c.XText(*p.X)
	}
	return fmt.Sprintf("%s: %s, %s", report.Inline(p.Name), x, c.YText(p.Y))
}

func clampUnit(x float64) float64 { return max(0, min(1, x)) }
