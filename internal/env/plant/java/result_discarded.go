package java

import "slices"

var textMethods = []string{"strip", "trim", "toLowerCase", "toUpperCase", "replace", "replaceAll", "concat", "substring", "normalize",
	"toAbsolutePath"}

var numberMethods = []string{"add", "subtract", "multiply", "divide", "plus", "minus", "plusSeconds", "plusDays", "minusDays", "setScale",
	"negate"}

var valueTypes = []string{"BigDecimal", "BigInteger", "Instant", "Duration", "LocalDate"}

// ResultDiscarded calls a method that gives a changed copy, and drops the copy: the variable stays as it was.
func (*operators) ResultDiscarded(f file) {
	for a := range f.Root.Find("assignment_expression") {
		target, call := left(a), right(a)
		if a.Parent().Kind() != "expression_statement" || a.Operator() != "=" || receiver(call).Text() != target.Text() {
			continue
		}
		if name := called(call); !slices.Contains(textMethods, name) &&
			!(slices.Contains(numberMethods, name) && slices.Contains(valueTypes, typeOf(a, target.Text()))) {
			continue
		}
		f.Report(f.Replace(a, call.Text()), "%s drops the result of %s.%s, which changes nothing in place: %s stays as it was",
			methodName(a), target.Text(), called(call), target.Text())
	}
}
