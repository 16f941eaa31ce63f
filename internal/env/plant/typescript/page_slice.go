package typescript

// PageSlice takes one element too few: the end of slice is exclusive already, so the last of every page is never shown.
func (*operators) PageSlice(f file) {
	for call, args := range f.calls("slice") {
		object, _ := callee(call)
		if len(args) != 2 {
			continue
		}
		left, sign, right := binary(args[1])
		if sign != "+" || left.Text() != args[0].Text() || !simple(left) || !simple(right) || right.Kind() == "number" {
			continue
		}
		f.Report(f.Replace(args[1], args[1].Text()+" - 1"),
			"%s cuts %s one short, since the end of slice is exclusive already, so the last element of each piece is lost.", where(call),
			short(object.Text()))
	}
}
