// Package money holds amounts in US dollars, exactly.
package money

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// USD is an amount of money in pico-dollars (10^-12 USD). It holds up to about 9.2 million dollars, and it is exact
// for every price per token that providers publish: 0.0375 USD per million tokens is 37,500 pico-dollars a token.
type USD int64

// Dollar is one US dollar.
const Dollar USD = 1_000_000_000_000

// MaxUSD is the largest amount.
const MaxUSD = USD(math.MaxInt64)

// ParseUSD reads a decimal number of dollars: "12", "0.0375", "$1.50", "1e-6". At most twelve decimals count;
// more are an error, never rounded away.
func ParseUSD(s string) (USD, error) {
	text := strings.TrimPrefix(strings.TrimSpace(s), "$")
	fail := func(why string) (USD, error) { return 0, fmt.Errorf("amount %q: %s", s, why) }
	neg := false
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		neg, text = true, rest
	}
	exp := 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.Atoi(text[i+1:])
		if err != nil || e < -40 || e > 40 {
			return fail("bad exponent")
		}
		exp, text = e, text[:i]
	}
	whole, frac, hasPoint := strings.Cut(text, ".")
	if whole == "" && frac == "" || hasPoint && frac == "" {
		return fail("not a decimal number")
	}
	digits := whole + frac
	// The value is digits * 10^scale pico-dollars.
	scale := 12 + exp - len(frac)
	for scale < 0 && strings.HasSuffix(digits, "0") {
		digits, scale = digits[:len(digits)-1], scale+1
	}
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		digits, scale = "0", 0
		if strings.Trim(whole+frac, "0") != "" {
			return fail("not a decimal number")
		}
	}
	if scale < 0 {
		return fail("finer than a pico-dollar")
	}
	if len(digits)+scale > 19 {
		return fail("too large")
	}
	v, err := strconv.ParseUint(digits+strings.Repeat("0", scale), 10, 63)
	if err != nil {
		if errors.Is(err, strconv.ErrRange) {
			return fail("too large")
		}
		return fail("not a decimal number")
	}
	if neg {
		return -USD(v), nil
	}
	return USD(v), nil
}

// String is the exact amount with at least two decimals: "$0.00", "$1.50", "$0.0375".
func (u USD) String() string {
	d := u.Decimal()
	sign := ""
	if rest, ok := strings.CutPrefix(d, "-"); ok {
		sign, d = "-", rest
	}
	whole, frac, _ := strings.Cut(d, ".")
	for len(frac) < 2 {
		frac += "0"
	}
	return sign + "$" + whole + "." + frac
}

// Decimal is the exact amount in dollars without a sign for the currency: "0", "1.5", "0.0375".
func (u USD) Decimal() string {
	sign, v := "", uint64(u)
	if u < 0 {
		sign, v = "-", -v
	}
	s := strconv.FormatUint(v/uint64(Dollar), 10)
	if frac := v % uint64(Dollar); frac != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%012d", frac), "0")
	}
	return sign + s
}

// Text is a cost to four decimals, or the word for one that nobody knows.
func Text(cost *USD, unknown string) string {
	if cost == nil {
		return unknown
	}
	return cost.Round(4)
}

// Range is a cost as [Text] writes it: "$0.1000 to $0.7300" where it is not known better.
func Range(least, most *USD, unknown string) string {
	if least == nil || most == nil || *most <= *least {
		return Text(least, unknown)
	}
	return Text(least, unknown) + " to " + Text(most, unknown)
}

// Round is the amount in dollars with that many decimals (0 to 12), rounded up, for people to read: "$0.46".
func (u USD) Round(decimals int) string {
	unit := Dollar
	for range min(max(decimals, 0), 12) {
		unit /= 10
	}
	if rest := u % unit; rest > 0 && u <= MaxUSD-unit {
		u += unit - rest
	} else {
		u -= rest
	}
	whole, frac, _ := strings.Cut(strings.TrimPrefix(u.Decimal(), "-"), ".")
	sign := ""
	if u < 0 {
		sign = "-"
	}
	if decimals <= 0 {
		return sign + "$" + whole
	}
	for len(frac) < min(decimals, 12) {
		frac += "0"
	}
	return sign + "$" + whole + "." + frac
}

// Float64 is the amount in dollars, for statistics only.
func (u USD) Float64() float64 { return float64(u) / float64(Dollar) }

// MarshalJSON writes a JSON number of dollars, exactly.
func (u USD) MarshalJSON() ([]byte, error) { return []byte(u.Decimal()), nil }

// UnmarshalJSON reads a JSON number, or a string that [ParseUSD] takes.
func (u *USD) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	return u.UnmarshalText([]byte(strings.Trim(string(data), `"`)))
}

// MarshalText writes [USD.Decimal].
func (u USD) MarshalText() ([]byte, error) { return []byte(u.Decimal()), nil }

// UnmarshalText is [ParseUSD], with the underscores that TOML allows in numbers.
func (u *USD) UnmarshalText(text []byte) error {
	v, err := ParseUSD(strings.ReplaceAll(string(text), "_", ""))
	if err == nil {
		*u = v
	}
	return err
}

// Plus is a+b; a cost that nobody knows, nil, makes the sum unknown. Amounts of USD add up as by [AddUSD].
func Plus[T USD | float64](a, b *T) *T {
	if a == nil || b == nil {
		return nil
	}
	sum := *a + *b
	if amount, ok := any(&sum).(*USD); ok {
		*amount = AddUSD(USD(*a), USD(*b))
	}
	return &sum
}

// AddUSD is a+b, held at the largest amount, or at the smallest, instead of overflowing.
func AddUSD(a, b USD) USD {
	switch {
	case b > 0 && a > MaxUSD-b:
		return MaxUSD
	case b < 0 && a < -MaxUSD-b:
		return -MaxUSD
	}
	return a + b
}
