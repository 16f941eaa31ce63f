package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// wellFormed parses a picture and gives the names of its elements.
func wellFormed(t *testing.T, svg string) map[string]int {
	t.Helper()
	names := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			names[e.Name.Local]++
		}
	}
}

func rising(n int) []Point {
	var out []Point
	for i := range n {
		out = append(out, Point{float64(i), float64(i) / float64(n)})
	}
	return out
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines Lines
		paths int // marks, lines, axis
		words string
	}{
		{"nothing", Lines{Series: []Series{{Name: "a"}}}, 1, "There is nothing to draw."},
		{"one point", Lines{Series: []Series{{Name: "a", Points: []Point{{3, 0.5}}}}}, 2, "a: 0.5 at 3."},
		{"a line", Lines{Series: []Series{{Name: "a", Points: rising(5)}}}, 2, "a: 0 at 0, 0.2 at 1, 0.4 at 2, 0.6 at 3, 0.8 at 4."},
		{"equal values", Lines{Series: []Series{{Name: "a", Points: []Point{{0, 0}, {1, 0}}}}}, 2, "a: 0 at 0, 0 at 1."},
		{"no numbers", Lines{Series: []Series{{Name: "a", Points: []Point{{0, math.NaN()}, {1, math.Inf(1)}, {2, 1}, {3, 1e300}}}}}, 2, "a: 1 at 2."},
		{"percent", Lines{Percent: true, Series: []Series{{Name: "a", Points: []Point{{0, 0.25}, {1, 0.5}}}}}, 2, "a: 25% at 0, 50% at 1."},
		{"two", Lines{Series: []Series{{Name: "a", Points: rising(3)}, {Name: "b", Points: rising(3), Marks: true}}}, 1 + 2 + 2 + 1 + 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.lines.ID = "x"
			svg := tt.lines.SVG()
			if got := wellFormed(t, svg)["path"]; got != tt.paths {
				t.Errorf("%d paths, want %d\n%s", got, tt.paths, svg)
			}
			if !strings.Contains(svg, tt.words) {
				t.Errorf("the picture does not say %q\n%s", tt.words, svg)
			}
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Errorf("there is no number in\n%s", svg)
			}
		})
	}
}

// TestNamesAreText: whatever stands in a name, it is text.
func TestNamesAreText(t *testing.T) {
	hostile := "<script>alert(1)</script>\x1b[31m\u202e\"&"
	svg := Lines{ID: "x", Title: hostile, XName: hostile, YName: hostile, Series: []Series{
		{Name: hostile, Points: rising(3), Marks: true}, {Name: hostile, Points: rising(3)}}}.SVG()
	names := wellFormed(t, svg)
	if names["script"] > 0 || strings.ContainsAny(svg, "\x1b\u202e") {
		t.Errorf("a name is more than text:\n%s", svg)
	}
}

// TestInside: all points lie within the picture.
func TestInside(t *testing.T) {
	svg := Lines{ID: "x", From0: true, Series: []Series{{Name: "a", Points: []Point{{0, -3}, {50, 17.3}, {99, 1e-9}, {100, 1234}}}}}.SVG()
	path := regexp.MustCompile(`class="line" d="([^"]+)"`).FindStringSubmatch(svg)
	for _, pair := range regexp.MustCompile(`[ML]([-0-9.]+) ([-0-9.]+)`).FindAllStringSubmatch(path[1], -1) {
		x, errX := strconv.ParseFloat(pair[1], 64)
		y, errY := strconv.ParseFloat(pair[2], 64)
		if errors.Join(errX, errY) != nil || x < left || x > width-right || y < top || y > height-bottom {
			t.Errorf("%s lies outside", pair[0])
		}
	}
}

func TestZeroHasNoSign(t *testing.T) {
	if svg := (Lines{ID: "x", From0: true, Series: []Series{{Name: "a", Points: rising(5)}}}).SVG(); strings.Contains(svg, ">-0<") {
		t.Errorf("there is a tick at -0:\n%s", svg)
	}
}

func TestStep(t *testing.T) {
	for span, want := range map[float64]float64{1: 0.2, 5: 1, 10: 2, 0.9: 0.2, 100: 20, 42: 10, 0.05: 0.01} {
		if got := Step(span); math.Abs(got-want) > 1e-12 {
			t.Errorf("Step(%g) = %g, want %g", span, got, want)
		}
	}
}

func TestMarks(t *testing.T) {
	for _, mark := range []func(x, y, r float64) string{Circle, Square, Triangle, Diamond} {
		if path := mark(10, 20, 3); !strings.HasPrefix(path, "M") || !strings.HasSuffix(path, "z") {
			t.Errorf("%q is no closed path", path)
		}
	}
}

func TestClip(t *testing.T) {
	if got := Clip("a long name", 6); got != "a lon…" {
		t.Errorf("got %q", got)
	}
}

// FuzzLines: any numbers and names give a picture that is XML.
func FuzzLines(f *testing.F) {
	f.Add("a", 1.0, 2.0, 3.0)
	f.Add("<b>&\"", math.Inf(1), math.NaN(), -1e308)
	f.Add("\x00\xff", 1e-320, 0.0, 1e-310)
	f.Add("x", 1e16, 1e16+2, 5e-324)
	f.Fuzz(func(t *testing.T, name string, x, y, z float64) {
		svg := Lines{ID: "x", Title: name, Series: []Series{{Name: name, Points: []Point{{0, x}, {y, z}, {x, y}}, Marks: true}, {Name: name}}}.SVG()
		wellFormed(t, svg)
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") && !strings.Contains(name, "Inf") {
			t.Errorf("there is no number in\n%s", svg)
		}
	})
}
