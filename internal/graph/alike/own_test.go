package alike

import (
	"strings"
	"testing"
)

func TestOwns(t *testing.T) {
	for name, c := range map[string]struct {
		paths []string
		of    int               // the file that the texts are in
		texts map[string]string // and what they are without its own name
	}{
		"case styles": {[]string{"a/plate_board.py", "a/filter_wheel_board.py"}, 1, map[string]string{
			"FilterWheelBoard": "@Board", "on_filter_wheel": "on_@", "FILTER_WHEEL_MAX": "@_MAX", "filterWheel": "@", "a filter wheel": "a @",
			"filter-wheels": "@s", "filterwheel": "@", "filter.wheel.total": "@.total", "plate": "plate", "board": "board",
			"filterwheelbase": "filterwheelbase", "prefilter_wheel": "prefilter_wheel", "FilterWheels and FilterWheel": "@s and @"}},
		"directories": {[]string{"src/order/handler.go", "src/box/handler.go", "src/delivery/handler.go"}, 2, map[string]string{
			"deliveries": "@s", "NewDelivery": "New@", "deliver": "deliver", "handler": "handler"}},
		"a word that goes on": {[]string{"LineupScreen.java", "BoxScreen.java"}, 0, map[string]string{
			"LineupScreen": "@Screen", "lineups": "@s", "LineupS": "@s", "BoxScreen": "BoxScreen"}},
		"plural in es":      {[]string{"box_codec.py", "tug_codec.py"}, 0, map[string]string{"boxes": "@s", "boxer": "boxer"}},
		"nothing is left":   {[]string{"dome.ts", "domeLog.ts"}, 0, map[string]string{"DomeEvent": "@Event"}},
		"too short to tell": {[]string{"ab_x.py", "cd_x.py"}, 0, map[string]string{"ab": "ab"}},
	} {
		t.Run(name, func(t *testing.T) {
			own := Owns(c.paths)[c.of]
			for text, want := range c.texts {
				if got := own.Without(text); got != want {
					t.Errorf("%q is %q, want %q", text, got, want)
				}
			}
		})
	}
}

func TestIndented(t *testing.T) {
	text := func(code string) string {
		bare, _ := Line(Indented(Tokens("python", code, 1, nil)))
		return bare
	}
	flat, deep := text("  with a:\n    b = (1,\n  2)\n    c\n"), text("with a:\n    b = (1,\n 2)\nc\n")
	if flat != "with a : <in> b = ( 1 , 2 ) c " || deep != "with a : <in> b = ( 1 , 2 ) <out> c " {
		t.Errorf("%q, %q", flat, deep)
	}
}

func FuzzOwn(f *testing.F) {
	f.Add("a/plate_board.py", "b/FilterWheelBoard.py", "FilterWheels of a\x80 filter-wheel")
	f.Add("é.go", "İİİ.go", "ſİ ı İİİs")
	f.Fuzz(func(t *testing.T, one, two, text string) {
		for _, o := range Owns([]string{one, two, two + "_x", one}) {
			if got := o.Without(text); o == nil && got != text || !strings.Contains(text, own) && len(got) > len(text)+strings.Count(got, own) {
				t.Fatalf("%q became %q", text, got)
			}
			Words(text, 1, o)
			Tokens("python", text, 1, o)
		}
	})
}
