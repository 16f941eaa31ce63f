package java

import "regexp"

var sizeText = regexp.MustCompile(`\.(size|length)\(\)$|\.length$`)

// LastIndexBound writes i <= n - 1 for i < n, and i > -1 for i >= 0, which are the same for whole numbers.
func (*operators) LastIndexBound(f file) {
	for loop := range f.Root.Find("for_statement") {
		c := loop.ChildByField("condition")
		text := ""
		switch {
		case operator(c) == "<" && sizeText.MatchString(right(c).Text()):
			text = left(c).Text() + " <= " + right(c).Text() + " - 1"
		case operator(c) == ">=" && right(c).Text() == "0":
			text = left(c).Text() + " > -1"
		default:
			continue
		}
		f.Report(f.Replace(c, text),
			"the loop of %s runs while %s, which is the same as %s for whole numbers", methodName(c), short(text), short(c.Text()))
	}
}
