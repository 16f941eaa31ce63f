package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// alpha is the chance of a false alarm that is accepted.
const alpha = 0.05

// comparedWords says what a comparison is worth, after Holm's adjustment.
func comparedWords(c runfile.Compared) string {
	changed := len(c.Improved) + len(c.Regressed)
	s := ""
	switch {
	case changed == 0:
		s = "no task changed"
	case c.PHolm <= alpha && c.DeltaPP > 0:
		s = "better"
	case c.PHolm <= alpha:
		s = "worse"
	case c.P <= alpha:
		s = "not shown to differ once all comparisons count (Holm)"
	default:
		s = "not shown to differ"
	}
	if c.MinimumDetectablePP != nil && c.PHolm > alpha {
		s += fmt.Sprintf("; over %d tasks, changes from %.1f pp on are detected 80 times in 100", c.Tasks, *c.MinimumDetectablePP)
	}
	if c.EmptyWins > 0 {
		s += fmt.Sprintf("; on %d of the %d changed tasks the side that passed had generated nothing", c.EmptyWins, changed)
	}
	return s
}

// addNotes gathers what a reader should know of the whole.
func addNotes(r *runfile.CompareReport, conditions []Condition, bases []int) {
	for i, b := range bases {
		if b >= 0 && conditions[i].File.Path == conditions[b].File.Path {
			r.Notes = append(r.Notes, fmt.Sprintf("%s and %s are the same file", conditions[b].Name, conditions[i].Name))
		}
	}
	signed := false
	for _, c := range r.Comparisons {
		for _, left := range []struct {
			ids []string
			why string
		}{{c.OnlyBase, "only " + c.Base + " has them"}, {c.OnlyOther, "only " + c.Other + " has them"},
			{c.Unjudged, "they have no verdict on one side"}} {
			if n := len(left.ids); n > 0 {
				r.Notes = append(r.Notes, fmt.Sprintf("%s vs %s: %d tasks are left out, %s: %s", c.Other, c.Base, n, left.why,
					strings.Join(left.ids, ", ")))
			}
		}
		signed = signed || c.Test == TestSignFlip
	}
	if len(r.Comparisons) > 1 {
		r.Notes = append(r.Notes, fmt.Sprintf("Holm's adjustment is over all %d comparisons", len(r.Comparisons)))
	}
	if signed {
		r.Notes = append(r.Notes, "with several samples a task, a task counts by its share of passes, and p is the sign-flip permutation "+
			"test's instead of McNemar's")
	}
}

// points is a change in percentage points, always with its sign.
func points(pp float64) string {
	if math.Abs(pp) < 0.005 {
		return "0.00"
	}
	return fmt.Sprintf("%+.2f", pp)
}

// pText is a p-value for a table.
func pText(p float64) string {
	switch {
	case math.IsNaN(p):
		return "?"
	case p < 0.0001:
		return "<0.0001"
	case p < 0.1:
		return strconv.FormatFloat(p, 'f', 4, 64)
	}
	return strconv.FormatFloat(p, 'f', 2, 64)
}

// number is a size: 2,052 or 0.5.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	whole, rest, _ := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		rest = "." + rest
	}
	return sign + whole + rest
}

// capital begins a sentence with a word.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
