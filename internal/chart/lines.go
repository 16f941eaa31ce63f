package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Lines are values over steps.
type Lines struct {
	// ID is ours: letters, and unique in its page.
	ID, Title    string
	XName, YName string
	Series       []Series
	// Percent shows values as percentages.
	Percent bool
	// From0 has the axis begin at 0. Without it an axis begins where the values do, and says so.
	From0 bool
}

// Series is one line. Values that are no numbers are left out.
type Series struct {
	Name   string
	Points []Point
	// Marks draws each point, for lines of few.
	Marks bool
}

// Point is one value.
type Point struct{ X, Y float64 }

// The picture, in its own units.
const (
	width, height = 680.0, 300.0
	left, right   = 58.0, 18.0 // margins
	top, bottom   = 52.0, 46.0
	radius        = 3.6
	mostName      = 34 // characters of a series' name
	mostWords     = 12 // points of a series that are told in words
)

// SVG draws the lines. Its colours are those of [Style].
func (l Lines) SVG() string {
	series, least, most, lo, hi := l.extent()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="lines" viewBox="0 0 %g %g" role="img" aria-labelledby="%s-t %s-d" xmlns="http://www.w3.org/2000/svg">`+"\n", width, height, l.ID, l.ID)
	fmt.Fprintf(&b, "<title id=\"%s-t\">%s</title>\n<desc id=\"%s-d\">%s</desc>\n", l.ID, Text(l.Title), l.ID, Text(l.words(series)))
	x := func(v float64) float64 { return left + (v-least)/(most-least)*(width-left-right) }
	y := func(v float64) float64 { return height - bottom - (v-lo)/(hi-lo)*(height-top-bottom) }
	for _, v := range rounds(lo, hi) {
		fmt.Fprintf(&b, `<line class="grid" x1="%g" y1="%.1f" x2="%g" y2="%.1f"/><text class="tick end" x="%g" y="%.1f">%s</text>`+"\n",
			left, y(v), width-right, y(v), left-7, y(v)+4, l.value(v))
	}
	for _, v := range rounds(least, most) {
		fmt.Fprintf(&b, `<line class="axis" x1="%.1f" y1="%g" x2="%.1f" y2="%g"/><text class="tick" x="%.1f" y="%g">%s</text>`+"\n",
			x(v), height-bottom, x(v), height-bottom+5, x(v), height-bottom+19, strconv.FormatFloat(v, 'g', 6, 64))
	}
	fmt.Fprintf(&b, `<path class="axis" d="M%g %gV%gH%g"/>`+"\n", left, top, height-bottom, width-right)
	fmt.Fprintf(&b, `<text class="axisname" x="%g" y="%g">%s</text><text class="axisname end" x="%g" y="%g">%s</text>`+"\n",
		left-50, top-12, Text(l.YName), width-right, height-8, Text(l.XName))
	for i, s := range series {
		l.legend(&b, i, s)
		l.line(&b, i, s, x, y)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// extent gives the series without what is no number, and the ends of both axes.
func (l Lines) extent() (series []Series, least, most, lo, hi float64) {
	least, most, lo, hi = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, s := range l.Series {
		s.Points = slices.Clone(s.Points)
		s.Points = slices.DeleteFunc(s.Points, func(p Point) bool { return !drawable(p.X) || !drawable(p.Y) })
		for _, p := range s.Points {
			least, most, lo, hi = min(least, p.X), max(most, p.X), min(lo, p.Y), max(hi, p.Y)
		}
		if len(s.Points) > 0 {
			series = append(series, s)
		}
	}
	if len(series) == 0 {
		return nil, 0, 1, 0, 1
	}
	if l.From0 {
		lo = min(lo, 0)
	}
	least, most = apart(least, most)
	lo, hi = apart(lo, hi)
	step := Step(hi - lo)
	return series, least, most, math.Floor(lo/step+1e-9) * step, math.Ceil(hi/step-1e-9) * step
}

// drawable reports a number whose square is one, too: with others a picture's arithmetic overflows.
func drawable(v float64) bool { return math.Abs(v) < 1e150 }

// apart moves equal ends of an axis apart.
func apart(lo, hi float64) (float64, float64) {
	if span := hi - lo; span > 1e-12*max(math.Abs(lo), math.Abs(hi)) && span > 1e-150 {
		return lo, hi
	}
	if lo == 0 {
		return 0, 1
	}
	return lo - math.Abs(lo)/2, hi + math.Abs(hi)/2
}

// rounds are round numbers from lo to hi.
func rounds(lo, hi float64) []float64 {
	var out []float64
	step := Step(hi - lo)
	for i := math.Ceil(lo/step - 1e-9); i*step <= hi+step*1e-9 && len(out) < 12; i++ {
		out = append(out, i*step+0) // 0 and not -0
	}
	return out
}

func (l Lines) value(v float64) string {
	if l.Percent {
		return strconv.FormatFloat(100*v, 'g', 4, 64) + "%"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// classes are as many as there are colours; further series have them again, with other marks.
const classes = 3

func (l Lines) legend(b *strings.Builder, i int, s Series) {
	if len(l.Series) < 2 {
		return
	}
	x := left - 50 + float64(i%classes)*(width-30)/classes
	y := 16 + 15*float64(i/classes)
	fmt.Fprintf(b, `<g class="s%d"><path class="line" d="M%.1f %.1fh24"/>`, i%classes, x, y)
	if s.Marks {
		fmt.Fprintf(b, `<path class="mark" d="%s"/>`, mark(i, x+12, y))
	}
	fmt.Fprintf(b, `</g><text class="name" x="%.1f" y="%.1f">%s</text>`+"\n", x+30, y+4, Text(Clip(s.Name, mostName)))
}

func (l Lines) line(b *strings.Builder, i int, s Series, x, y func(float64) float64) {
	fmt.Fprintf(b, `<g class="s%d">`, i%classes)
	if len(s.Points) > 1 {
		b.WriteString(`<path class="line" d="`)
		for n, p := range s.Points {
			fmt.Fprintf(b, "%c%.1f %.1f", "ML"[min(n, 1)], x(p.X), y(p.Y))
		}
		b.WriteString(`"/>`)
	}
	if s.Marks || len(s.Points) == 1 {
		for _, p := range s.Points {
			fmt.Fprintf(b, `<path class="mark" d="%s"><title>%s</title></path>`, mark(i, x(p.X), y(p.Y)), Text(l.word(s, p)))
		}
	}
	b.WriteString("</g>\n")
}

func mark(i int, x, y float64) string {
	return []func(x, y, r float64) string{Circle, Square, Triangle}[i%3](x, y, radius)
}

// words tell the picture to those who do not see it.
func (l Lines) words(series []Series) string {
	if len(series) == 0 {
		return "There is nothing to draw."
	}
	var all []string
	for _, s := range series {
		every := (len(s.Points) + mostWords - 1) / mostWords
		var some []string
		for i, p := range s.Points {
			if i%every == 0 || i == len(s.Points)-1 {
				some = append(some, fmt.Sprintf("%s at %g", l.value(p.Y), p.X))
			}
		}
		all = append(all, s.Name+": "+strings.Join(some, ", "))
	}
	return strings.Join(all, ". ") + "."
}

func (l Lines) word(s Series, p Point) string {
	return fmt.Sprintf("%s: %s at %g", s.Name, l.value(p.Y), p.X)
}

// Style is how lines look, on light and on dark ground: text of CSS.
const Style = `.lines { width: 100%; height: auto; display: block; }
.lines text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #3b4048; }
.lines .tick, .lines .axisname { fill: #626a76; } .lines .tick { text-anchor: middle; } .lines .end { text-anchor: end; }
.lines .grid { stroke: #e3e6eb; } .lines .axis { stroke: #9aa1ac; fill: none; }
.lines .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.lines .s0 .line, .lines .s0 .mark { stroke: #1c6e8c; } .lines .s0 .mark { fill: #1c6e8c; }
.lines .s1 .line, .lines .s1 .mark { stroke: #b4532a; } .lines .s1 .mark { fill: #b4532a; }
.lines .s2 .line, .lines .s2 .mark { stroke: #5d6b2f; } .lines .s2 .mark { fill: #5d6b2f; } .lines .s2 .line { stroke-dasharray: 5 3; }
@media (prefers-color-scheme: dark) {
.lines text { fill: #c9ced6; } .lines .tick, .lines .axisname { fill: #969eaa; } .lines .grid { stroke: #2a2f37; } .lines .axis { stroke: #5b6370; }
.lines .s0 .line, .lines .s0 .mark { stroke: #5bb4d4; } .lines .s0 .mark { fill: #5bb4d4; }
.lines .s1 .line, .lines .s1 .mark { stroke: #e88a5d; } .lines .s1 .mark { fill: #e88a5d; }
.lines .s2 .line, .lines .s2 .mark { stroke: #b5c46e; } .lines .s2 .mark { fill: #b5c46e; } }
`
