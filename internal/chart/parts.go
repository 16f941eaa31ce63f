package chart

import (
	"fmt"
	"html"
	"math"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/report"
)

// Circle is the path of a mark around a point, with radius r. Square, Triangle and Diamond are as large to the eye: shapes,
// so that colour is not needed to tell marks apart.
func Circle(x, y, r float64) string {
	return fmt.Sprintf("M%.1f %.1fa%g %g 0 1 0 %g 0a%g %g 0 1 0 -%g 0z", x-r, y, r, r, 2*r, r, r, 2*r)
}

// Square is a mark; see [Circle].
func Square(x, y, r float64) string {
	return fmt.Sprintf("M%.1f %.1fh%gv%gh-%gz", x-r, y-r, 2*r, 2*r, 2*r)
}

// Triangle is a mark; see [Circle].
func Triangle(x, y, r float64) string {
	return fmt.Sprintf("M%.1f %.1fl%g %gh-%gz", x, y-r-1, r+1, 2*r+1, 2*r+2)
}

// Diamond is a mark; see [Circle].
func Diamond(x, y, r float64) string {
	return fmt.Sprintf("M%.1f %.1fl%g %gl-%g %gl-%g -%gz", x, y-r-1.5, r+1.5, r+1.5, r+1.5, r+1.5, r+1.5, r+1.5)
}

// Step is a round number that parts a span, above 0, into some five.
func Step(span float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(span)))
	step := power
	for _, s := range []float64{0.1, 0.2, 0.25, 0.5, 1, 2} {
		if step = s * power; span/step <= 5+1e-9 {
			break
		}
	}
	return step
}

// Text is text of a user or a model as text of SVG or HTML: harmless and visible.
func Text(s string) string { return html.EscapeString(report.Inline(s)) }

// Clip bounds a name to n characters.
func Clip(s string, n int) string {
	if s = report.Inline(s); utf8.RuneCountInString(s) > n {
		return string([]rune(s)[:n-1]) + "…"
	}
	return s
}
