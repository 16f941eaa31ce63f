package typescript

import "regexp"

var (
	deadlineName = regexp.MustCompile(`(?i)expir|deadline|until|validto|\bdue|dueat|closesat|leaseend`)
	presentName  = regexp.MustCompile(`(?i)^(now|moment|today|clock|time)$`)
)

// ExpiryInverted turns the comparison of a deadline with the present around: what has run out counts as valid, and what
// is valid as run out.
func (*operators) ExpiryInverted(f file) {
	for n := range f.Root.Find("binary_expression") {
		left, sign, right := binary(n)
		turned := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}[sign]
		if turned == "" || !(deadlineName.MatchString(lastName(left)) && presentName.MatchString(lastName(right)) ||
			deadlineName.MatchString(lastName(right)) && presentName.MatchString(lastName(left))) {
			continue
		}
		text := left.Text() + " " + turned + " " + right.Text()
		f.reportShort(f.Replace(n, text),
			"%s tests %s the wrong way round: what has run out counts as valid and the rest as run out.", where(n), short(text))
	}
}
