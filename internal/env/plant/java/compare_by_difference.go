package java

// CompareByDifference orders numbers by their difference cut down to an int: a large one changes its sign, and fractions
// below 1 count as equal.
func (*operators) CompareByDifference(f file) {
	for call := range f.Root.Find("method_invocation") {
		as, on := args(call), receiver(call).Text()
		effect := map[string]string{"Long": "differences beyond 2^31 change their sign", "Double": "fractions below 1 count as equal"}[on]
		if called(call) != "compare" || len(as) != 2 || effect == "" {
			continue
		}
		text := "(int) (" + operand(as[0]) + " - " + operand(as[1]) + ")"
		if call.Field() == "object" {
			text = "(" + text + ")"
		}
		f.Report(f.Replace(call, text),
			"%s compares by a difference cut down to int, where %s, so that the order is wrong", methodName(call), effect)
	}
}
