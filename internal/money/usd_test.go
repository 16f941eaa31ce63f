package money

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestParseUSD(t *testing.T) {
	tests := []struct {
		in   string
		want USD
		text string // String()
	}{
		{"0", 0, "$0.00"},
		{"0.0375", 37_500_000_000, "$0.0375"},
		{"$1.50", 3 * Dollar / 2, "$1.50"},
		{"15", 15 * Dollar, "$15.00"},
		{"1e-6", Dollar / 1_000_000, "$0.000001"},
		{"2.5E2", 250 * Dollar, "$250.00"},
		{".5", Dollar / 2, "$0.50"},
		{"-0.25", -Dollar / 4, "-$0.25"},
		{"0.000000000001", 1, "$0.000000000001"},
		{"0.0000000000010", 1, "$0.000000000001"},
		{"9223372.036854775807", MaxUSD, "$9223372.036854775807"},
	}
	for _, tt := range tests {
		got, err := ParseUSD(tt.in)
		if err != nil || got != tt.want || got.String() != tt.text {
			t.Errorf("ParseUSD(%q) = %d (%s), %v; want %d (%s)", tt.in, got, got, err, tt.want, tt.text)
		}
	}
	for _, bad := range []string{"", "$", "a", "1.", "1.2.3", "--1", "+1", "0x1", "1e99", "1e", "9223372.036854775808", "0.0000000000001",
		"NaN", "Inf", "1_0", "٣"} {
		if got, err := ParseUSD(bad); err == nil {
			t.Errorf("ParseUSD(%q) = %d, want an error", bad, got)
		}
	}
}

func TestUSDRound(t *testing.T) {
	tests := []struct {
		in       string
		decimals int
		want     string
	}{
		{"0.4561", 2, "$0.46"}, {"0.45", 2, "$0.45"}, {"0.0000001", 4, "$0.0001"}, {"1.999", 2, "$2.00"}, {"3", 0, "$3"}, {"3.1", 0, "$4"},
		{"-0.019", 2, "-$0.01"}, {"0", 3, "$0.000"},
	}
	for _, tt := range tests {
		u, err := ParseUSD(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Round(tt.decimals); got != tt.want {
			t.Errorf("%s.Round(%d) = %s, want %s", tt.in, tt.decimals, got, tt.want)
		}
	}
}

// TestUSDRoundTrip: no amount changes on its way through text or JSON.
func TestUSDRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := USD(rapid.Int64Range(int64(-MaxUSD), int64(MaxUSD)).Draw(t, "pico"))
		for _, text := range []string{u.Decimal(), fmt.Sprintf("%de-12", int64(u))} {
			if got, err := ParseUSD(text); err != nil || got != u {
				t.Fatalf("ParseUSD(%q) = %d, %v; want %d", text, got, err, u)
			}
		}
		data, err := json.Marshal(map[string]USD{"x": u})
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]USD
		if err := json.Unmarshal(data, &back); err != nil || back["x"] != u {
			t.Fatalf("%s came back as %d, %v", data, back["x"], err)
		}
	})
}

func FuzzParseUSD(f *testing.F) {
	for _, s := range []string{"0.0375", "$1", "1e-6", "-.5", "0.00e3", "9223372.036854775807", "1e19", "00001.1000000000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := ParseUSD(s)
		if err != nil {
			return
		}
		// What was accepted is exactly what the text says.
		text := s
		for len(text) > 0 && (text[0] == ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r' || text[0] == '\v' || text[0] == '\f' ||
			text[0] == '$') {
			text = text[1:]
		}
		want, ok := new(big.Rat).SetString(trimSpace(text))
		if !ok {
			return // spelled in a way that big.Rat does not take
		}
		if want.Cmp(big.NewRat(int64(u), int64(Dollar))) != 0 {
			t.Fatalf("ParseUSD(%q) = %s", s, u)
		}
	})
}

func trimSpace(s string) string {
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

func TestAddUSDHolds(t *testing.T) {
	for _, tt := range []struct{ a, b, want USD }{
		{1, 2, 3}, {-1, 2, 1}, {MaxUSD, 0, MaxUSD}, {MaxUSD, 1, MaxUSD}, {MaxUSD, MaxUSD, MaxUSD}, {MaxUSD - 1, 1, MaxUSD},
		{-MaxUSD, -1, -MaxUSD}, {-MaxUSD, -MaxUSD, -MaxUSD}, {MaxUSD, -MaxUSD, 0}, {-MaxUSD, MaxUSD, 0}, {-5, -6, -11},
	} {
		if got := AddUSD(tt.a, tt.b); got != tt.want {
			t.Errorf("%d + %d = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestPlus(t *testing.T) {
	one, two := Dollar, 2*Dollar
	if got := Plus(&one, &two); got == nil || *got != 3*Dollar || one != Dollar {
		t.Errorf("$1 and $2 are %v, and $1 is now %v", got, one)
	}
	if got := Plus(new(0.5), new(0.25)); got == nil || *got != 0.75 {
		t.Errorf("0.5 and 0.25 are %v", got)
	}
	if got := Plus(new(MaxUSD), &one); got == nil || *got != MaxUSD {
		t.Errorf("the largest amount and $1 are %v", got)
	}
	for _, pair := range [][2]*USD{{nil, &one}, {&one, nil}, {nil, nil}} {
		if got := Plus(pair[0], pair[1]); got != nil {
			t.Errorf("with an unknown cost the sum is %v", *got)
		}
	}
}

func TestRange(t *testing.T) {
	tenth, more := Dollar/10, 73*Dollar/100
	for _, tt := range []struct {
		least, most *USD
		want        string
	}{
		{nil, nil, "?"}, {nil, &more, "?"}, {&tenth, nil, "$0.1000"}, {&tenth, &tenth, "$0.1000"}, {&tenth, &more, "$0.1000 to $0.7300"},
	} {
		if got := Range(tt.least, tt.most, "?"); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
