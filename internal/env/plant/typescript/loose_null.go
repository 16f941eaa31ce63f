package typescript

// LooseNull asks for null and undefined with one loose comparison: == null is true for these two and nothing else.
func (*operators) LooseNull(f file) {
	for n := range f.Root.Find("binary_expression") {
		left, sign, right := binary(n)
		a, one, x := binary(left)
		b, two, y := binary(right)
		want := map[string]string{"||": "===", "&&": "!=="}[sign]
		if want == "" || one != want || two != want || !simple(a) || a.Text() != b.Text() ||
			!(x.Text() == "undefined" && y.Text() == "null" || x.Text() == "null" && y.Text() == "undefined") {
			continue
		}
		text := a.Text() + " " + want[:2] + " null"
		f.Report(f.Replace(n, text),
			"%s in %s is true for null and undefined and for nothing else, which is what is asked.", short(text), where(n))
	}
}
