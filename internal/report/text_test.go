package report

import (
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Dollars(nil), "?"}, {Dollars(usd(0)), "$0"}, {Dollars(usd(0.00001)), "<$0.0001"}, {Dollars(usd(0.03125)), "$0.0312"}, {Dollars(usd(12.345)), "$12.35"},
		{Percent(1), "100%"}, {Percent(0.9996), ">99.9%"}, {Percent(0), "0%"}, {Percent(0.0001), "<0.1%"}, {Percent(0.5), "50%"}, {Percent(0.123), "12.3%"},
		{duration(0.44), "0.4 s"}, {duration(59.2), "59 s"}, {duration(125), "2 min 5 s"}, {duration(7322), "2 h 2 min"}, {duration(-1), "?"},
		{count(0), "0"}, {count(999), "999"}, {count(1000), "1,000"}, {count(-1234567), "-1,234,567"}, {plural(1, "file", "files"), "1 file"}, {plural(2000, "file", "files"), "2,000 files"},
		{clip("héllo", 2), "h… [5 more bytes]"}, {clip("abc", 3), "abc"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
