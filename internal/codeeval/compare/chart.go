package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/chart"
)

// The picture, in its own units.
const (
	chartWidth, chartHeight = 760.0, 460.0
	plotLeft, plotRight     = 62.0, 34.0
	plotTop, plotBottom     = 84.0, 64.0
	dodge                   = 13.0 // between groups at one size
	aside                   = 3.0  // of a group's two verdicts from its middle, so that equal ones both show
	legendRow               = 19.0
	letterWidth             = 6.6
	mostSeriesName          = 34 // characters
)

// series is one line of the chart.
type series struct {
	name  string
	class string // recorded or rescored
	shape int    // by group
	marks []mark
}

// mark is one condition in it.
type mark struct {
	name string
	at   float64 // size, or place where there are no sizes
	y    float64
	ci   *[2]float64
}

// Chart draws pass@1 over size, with intervals: of one report, or of the recorded verdicts and those of a rescoring in one
// picture. Conditions that share a base are one line; without sizes they stand side by side. It is an SVG document on its
// own.
func Chart(title string, reports ...Report) string {
	sized := true
	for _, row := range reports[0].Conditions {
		sized = sized && row.Size != nil
	}
	var all []series
	for _, r := range reports {
		all = append(all, seriesOf(r, sized, len(reports) > 1)...)
	}
	slices.SortStableFunc(all, func(a, b series) int { return a.shape - b.shape }) // a group's two verdicts side by side
	p := newPlot(reports[0], all, sized)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img" aria-labelledby="t d">`+"\n", chartWidth, p.height, chartWidth, p.height)
	fmt.Fprintf(&b, "<title id=\"t\">%s</title>\n<desc id=\"d\">%s</desc>\n%s\n", chart.Text(title), chart.Text(words(all)), chartStyle)
	fmt.Fprintf(&b, `<rect class="page" width="%g" height="%g"/><text class="title" x="%g" y="27">%s</text>`+"\n", chartWidth, p.height, plotLeft-46, chart.Text(title))
	p.legend(&b, all)
	p.frame(&b, reports[0].unit(), sized)
	p.draw(&b, all, sized, len(reports) > 1)
	b.WriteString("</svg>\n")
	return b.String()
}

// seriesOf groups a report's conditions by base.
func seriesOf(r Report, sized, both bool) []series {
	var out []series
	for place, row := range r.Conditions {
		base := row.Base
		if base == "" {
			base = row.Name
		}
		i := slices.IndexFunc(out, func(s series) bool { return s.name == base })
		if i < 0 {
			i = len(out)
			out = append(out, series{name: base, class: r.Verdicts, shape: i})
		}
		m := mark{name: row.Name, at: float64(place), y: row.PassAt1, ci: row.CI95}
		if sized {
			m.at = *row.Size
		}
		out[i].marks = append(out[i].marks, m)
	}
	for i := range out {
		slices.SortStableFunc(out[i].marks, func(a, b mark) int {
			switch {
			case a.at < b.at:
				return -1
			case a.at > b.at:
				return 1
			}
			return 0
		})
		if len(out[i].marks) > 1 {
			out[i].name += " and what is compared with it"
			if sized {
				out[i].name = "from " + out[i].marks[0].name
			}
		}
		if both {
			out[i].name += map[string]string{Recorded: ", as reported", Rescored: ", tests run"}[r.Verdicts]
		}
	}
	return out
}

// plot maps values to the picture.
type plot struct {
	lo, hi        float64 // of y
	least, most   float64 // of x
	places        []string
	at            []float64 // all x, in order
	top, height   float64
	columns       int
	bottom, right float64
}

func newPlot(r Report, all []series, sized bool) plot {
	p := plot{lo: 1, hi: 0, least: math.Inf(1), most: math.Inf(-1), columns: 2}
	for _, s := range all {
		for _, m := range s.marks {
			p.lo, p.hi = min(p.lo, m.y), max(p.hi, m.y)
			if m.ci != nil {
				p.lo, p.hi = min(p.lo, m.ci[0]), max(p.hi, m.ci[1])
			}
			p.least, p.most = min(p.least, m.at), max(p.most, m.at)
			if !slices.Contains(p.at, m.at) {
				p.at = append(p.at, m.at)
			}
		}
	}
	// Whole tenths; 0 when that is near, so that a fall is not drawn larger than it is.
	slices.Sort(p.at)
	p.lo, p.hi = math.Floor(10*p.lo)/10, math.Ceil(10*p.hi)/10
	if p.lo <= 0.3 {
		p.lo = 0
	}
	if p.hi <= p.lo {
		p.hi = p.lo + 0.1
	}
	if !sized {
		p.places = make([]string, len(r.Conditions))
		for i, row := range r.Conditions {
			p.places[i] = row.Name
		}
	}
	p.top = plotTop + legendRow*float64((len(all)-1)/p.columns)
	p.height = chartHeight + legendRow*float64((len(all)-1)/p.columns)
	p.bottom, p.right = p.height-plotBottom, chartWidth-plotRight
	return p
}

func (p plot) y(v float64) float64 { return p.bottom - (v-p.lo)/(p.hi-p.lo)*(p.bottom-p.top) }

func (p plot) x(v float64) float64 {
	inset := 44.0 // marks and their numbers stay off the frame
	if n := float64(len(p.places)); n > 0 {
		inset = (p.right - plotLeft) / n / 2
	}
	left, right := plotLeft+inset, p.right-inset
	if p.most <= p.least {
		return (left + right) / 2
	}
	return left + (v-p.least)/(p.most-p.least)*(right-left)
}

// frame draws the axes, the grid and their names.
func (p plot) frame(b *strings.Builder, unit string, sized bool) {
	step := 0.1
	switch {
	case p.hi-p.lo > 0.65:
		step = 0.2
	case p.hi-p.lo < 0.25:
		step = 0.05
	}
	for i := 0; p.lo+float64(i)*step <= p.hi+1e-9; i++ {
		v := p.lo + float64(i)*step
		fmt.Fprintf(b, `<line class="grid" x1="%g" y1="%.1f" x2="%g" y2="%.1f"/><text class="tick end" x="%g" y="%.1f">%.0f%%</text>`+"\n",
			plotLeft, p.y(v), p.right, p.y(v), plotLeft-8, p.y(v)+4, 100*v)
	}
	ticks := map[float64]string{}
	for i, name := range p.places {
		ticks[float64(i)] = chart.Clip(name, max(6, int((p.right-plotLeft)/float64(len(p.places))/letterWidth)-1))
	}
	if sized {
		for _, v := range p.sizes() {
			ticks[v] = number(v)
		}
	}
	for _, v := range slices.Sorted(keys(ticks)) {
		fmt.Fprintf(b, `<line class="notch" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/><text class="tick" x="%.1f" y="%.1f">%s</text>`+"\n",
			p.x(v), p.bottom, p.x(v), p.bottom+5, p.x(v), p.bottom+20, chart.Text(ticks[v]))
	}
	fmt.Fprintf(b, `<path class="axis" d="M%g %gV%.1fH%g"/>`+"\n", plotLeft, p.top, p.bottom, p.right)
	if sized {
		fmt.Fprintf(b, `<text class="axisname" x="%.1f" y="%.1f">%s</text>`+"\n", (plotLeft+p.right)/2, p.bottom+42, chart.Text(unit))
	}
	note := "pass@1; bars are 95% intervals"
	if p.lo > 0 {
		note += fmt.Sprintf("; the axis begins at %.0f%%", 100*p.lo)
	}
	fmt.Fprintf(b, `<text class="note" x="%g" y="%.1f">%s</text>`+"\n", plotLeft-46, p.height-8, note)
}

func keys(m map[float64]string) func(func(float64) bool) {
	return func(yield func(float64) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// sizes are those of the conditions where their names have room side by side, else round ones.
func (p plot) sizes() []float64 {
	const room = 46
	for i := 1; i < len(p.at); i++ {
		if p.x(p.at[i])-p.x(p.at[i-1]) < room {
			return roundSizes(p.least, p.most)
		}
	}
	return p.at
}

// roundSizes are round numbers from least to most, some five of them.
func roundSizes(least, most float64) []float64 {
	step := chart.Step(most - least)
	var out []float64
	for i := int(math.Ceil(least/step - 1e-9)); float64(i)*step <= most+step*1e-9; i++ {
		out = append(out, float64(i)*step)
	}
	return out
}

// legend names the series, two in a row.
func (p plot) legend(b *strings.Builder, all []series) {
	for i, s := range all {
		x := plotLeft - 46 + float64(i%p.columns)*(chartWidth-40)/float64(p.columns)
		y := 50 + legendRow*float64(i/p.columns)
		fmt.Fprintf(b, `<g class="%s g%d"><line class="path" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/><path class="mark" d="%s"/></g><text class="name" x="%.1f" y="%.1f">%s</text>`+"\n",
			s.class, s.shape%3, x, y, x+28, y, shape(s.shape, x+14, y), x+35, y+4, chart.Text(chart.Clip(s.name, mostSeriesName+12)))
	}
}

// box is what a mark or a text takes.
type box struct{ x, y, w, h float64 }

func (b box) meets(o box) bool {
	return b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h
}

// place is where a mark stands.
func (p plot) place(s series, m mark, groups int, both bool) (x, y float64) {
	x = p.x(m.at) + (float64(s.shape)-float64(groups-1)/2)*dodge
	if both && s.class == Recorded {
		x -= aside
	} else if both {
		x += aside
	}
	return x, p.y(m.y)
}

// draw draws lines where there are sizes, then bars and marks, then numbers where there is room for them; what has none is in the marks' titles.
func (p plot) draw(b *strings.Builder, all []series, sized, both bool) {
	groups := 0
	for _, s := range all {
		groups = max(groups, s.shape+1)
	}
	var taken []box
	for _, s := range all {
		fmt.Fprintf(b, `<g class="%s g%d">`+"\n", s.class, s.shape%3)
		path := ""
		for i, m := range s.marks {
			x, y := p.place(s, m, groups, both)
			path += fmt.Sprintf("%c%.1f %.1f", "ML"[min(i, 1)], x, y)
		}
		if len(s.marks) > 1 && sized {
			fmt.Fprintf(b, `<path class="path" d="%s"/>`+"\n", path)
		}
		for _, m := range s.marks {
			x, y := p.place(s, m, groups, both)
			if m.ci != nil {
				lo, hi := p.y(m.ci[0]), p.y(m.ci[1])
				fmt.Fprintf(b, `<path class="bar" d="M%.1f %.1fV%.1fM%.1f %.1fh8M%.1f %.1fh8"/>`, x, lo, hi, x-4, lo, x-4, hi)
				taken = append(taken, box{x - 5, hi - 1, 10, lo - hi + 2})
			}
			taken = append(taken, box{x - 6, y - 6, 12, 12})
			fmt.Fprintf(b, `<path class="mark" d="%s"><title>%s</title></path>`+"\n", shape(s.shape, x, y), chart.Text(m.words()))
		}
		b.WriteString("</g>\n")
	}
	for _, s := range all {
		for _, m := range s.marks {
			x, y := p.place(s, m, groups, both)
			text := fmt.Sprintf("%.1f", 100*m.y)
			high, low := y-7, y+7
			if m.ci != nil {
				high, low = p.y(m.ci[1])-2, p.y(m.ci[0])+2
			}
			w := letterWidth * float64(len(text))
			for _, t := range []box{{x - w/2, high - 12, w, 12}, {x - 8 - w, y - 6, w, 12}, {x + 8, y - 6, w, 12}, {x - w/2, low, w, 12},
				{x - 2 - w, high - 12, w, 12}, {x + 2, high - 12, w, 12}, {x - w/2, high - 24, w, 12}} {
				free := t.x >= plotLeft && t.x+t.w <= chartWidth && t.y+t.h <= p.bottom
				for _, o := range taken {
					free = free && !t.meets(o)
				}
				if free {
					taken = append(taken, t)
					fmt.Fprintf(b, `<text class="value %s" x="%.1f" y="%.1f">%s</text>`+"\n", s.class, t.x+w/2, t.y+10, text)
					break
				}
			}
		}
	}
}

// shape is a group's mark, so that colour is not needed to tell groups apart.
func shape(group int, x, y float64) string {
	const r = 4.5
	switch group % 3 {
	case 1:
		return chart.Square(x, y, r)
	case 2:
		return chart.Triangle(x, y, r)
	}
	return chart.Circle(x, y, r)
}

func (m mark) words() string {
	return fmt.Sprintf("%s: %.1f%% %s", m.name, 100*m.y, span(m.ci, 100, "%.1f"))
}

// words tell the chart to those who do not see it.
func words(all []series) string {
	var parts []string
	for _, s := range all {
		var marks []string
		for _, m := range s.marks {
			marks = append(marks, m.words())
		}
		parts = append(parts, s.name+": "+strings.Join(marks, ", "))
	}
	return strings.Join(parts, ". ") + "."
}

// chartStyle is the picture's own: it is looked at outside any page, on light and on dark ground.
const chartStyle = `<style>
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #3b4048; }
.title { font-size: 16px; font-weight: 600; fill: #16181d; }
.tick { text-anchor: middle; fill: #626a76; } .tick.end { text-anchor: end; }
.axisname { text-anchor: middle; } .note { font-size: 11px; fill: #626a76; }
.value { font-size: 11px; text-anchor: middle; font-variant-numeric: tabular-nums; }
.page { fill: #ffffff; } .grid { stroke: #e6e8ec; } .axis, .notch { stroke: #9aa1ac; fill: none; }
.path { fill: none; stroke-width: 1.8; } .bar { fill: none; stroke-width: 1.3; opacity: .75; } .mark { stroke-width: 1.8; }
.recorded .path, .recorded .bar, .recorded .mark { stroke: #b4532a; } .recorded .mark { fill: #b4532a; } .value.recorded { fill: #8f3f1d; }
.rescored .path, .rescored .bar, .rescored .mark { stroke: #1c6e8c; } .rescored .mark { fill: #1c6e8c; } .value.rescored { fill: #14566e; }
.g1 .path { stroke-dasharray: 6 4; } .g1 .mark { fill: #ffffff; } .g2 .path { stroke-dasharray: 2 3; }
@media (prefers-color-scheme: dark) {
text { fill: #c9ced6; } .title { fill: #f2f4f7; } .tick, .note { fill: #969eaa; } .page { fill: #15181d; } .grid { stroke: #2a2f37; } .axis, .notch { stroke: #5b6370; }
.recorded .path, .recorded .bar, .recorded .mark { stroke: #e88a5d; } .recorded .mark { fill: #e88a5d; } .value.recorded { fill: #f0a883; }
.rescored .path, .rescored .bar, .rescored .mark { stroke: #5bb4d4; } .rescored .mark { fill: #5bb4d4; } .value.rescored { fill: #8fcde4; }
.g1 .mark { fill: #15181d; } }
</style>`
