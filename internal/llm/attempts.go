package llm

import "github.com/deeprepo/deeprepo/internal/money"

// Earlier sums up the failed attempts of a call before the one that its [Response] or [Error] is about. Cost and Usage of
// those are of the last attempt alone; what the whole call cost is both together: at least Cost, and at most Cost and
// Most, if Most is known.
type Earlier struct {
	// Attempts is how many there were.
	Attempts int `json:"attempts"`
	// Usage and Cost are what the providers said that they billed for attempts that failed all the same.
	Usage Usage     `json:"usage,omitzero"`
	Cost  money.USD `json:"cost_usd,omitzero"`
	// Unsettled is how many of the others may have been billed without a word ([Error.Uncertain]).
	Unsettled int `json:"unsettled,omitempty"`
	// Most is what the unsettled attempts can have cost together at most; Unbounded is how many of them have no known bound
	// and are not in it.
	Most      money.USD `json:"most_usd,omitzero"`
	Unbounded int       `json:"unbounded,omitempty"`
}

// add books a failed attempt.
func (a *Earlier) add(e *Error) {
	a.Attempts++
	a.Usage = a.Usage.Add(e.Usage)
	switch {
	case e.Cost != nil:
		a.Cost = money.AddUSD(a.Cost, *e.Cost)
	case !e.Uncertain():
	case e.Most != nil:
		a.Unsettled++
		a.Most = money.AddUSD(a.Most, *e.Most)
	default:
		a.Unsettled++
		a.Unbounded++
	}
}
