package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// unknown stands for an unknown number.
const unknown = "?"

// clip cuts s to about n bytes at a rune boundary and says how much went.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head := termtext.Cut(s, n)
	return head + fmt.Sprintf("… [%s more bytes]", count(len(s)-len(head)))
}

// count writes n with thousands separated by commas.
func count[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if neg {
		return "-" + s
	}
	return s
}

// plural is "1 file", "2 files".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// costRange is what a run cost, "$0.10 to $0.73" where not every call was settled.
func costRange(u runfile.ReportUsage) string {
	if u.TotalCostUSD == nil || u.AtMostUSD == nil || *u.AtMostUSD <= *u.TotalCostUSD {
		return Dollars(u.TotalCostUSD)
	}
	return Dollars(u.TotalCostUSD) + " to " + Dollars(u.AtMostUSD)
}

// Dollars writes a cost: "?" when unknown, "$0" when nothing, and otherwise at least three significant digits.
func Dollars(usd *float64) string {
	switch {
	case usd == nil:
		return unknown
	case *usd == 0:
		return "$0"
	case *usd < 0.0001:
		return "<$0.0001"
	case *usd < 0.1:
		return fmt.Sprintf("$%.4f", *usd)
	}
	return fmt.Sprintf("$%.2f", *usd)
}

// duration writes seconds as "0.4 s", "12 s", "3 min 5 s", "1 h 2 min".
func duration(s float64) string {
	switch {
	case s < 0 || s != s:
		return unknown
	case s < 10:
		return fmt.Sprintf("%.1f s", s)
	case s < 60:
		return fmt.Sprintf("%.0f s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", int(s)/60, int(s)%60)
	}
	return fmt.Sprintf("%d h %d min", int(s)/3600, int(s)%3600/60)
}

// Percent writes a fraction; it says 100% and 0% only of the whole and of nothing.
func Percent(f float64) string {
	switch {
	case f >= 1:
		return "100%"
	case f <= 0 || f != f:
		return "0%"
	case f > 0.999:
		return ">99.9%"
	case f < 0.001:
		return "<0.1%"
	}
	return strings.TrimSuffix(strconv.FormatFloat(f*100, 'f', 1, 64), ".0") + "%"
}
