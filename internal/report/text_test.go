package report

import (
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{dollars(nil), "?"}, {dollars(usd(0)), "$0"}, {dollars(usd(0.00001)), "<$0.0001"}, {dollars(usd(0.03125)), "$0.0312"}, {dollars(usd(12.345)), "$12.35"},
		{percent(1), "100%"}, {percent(0.9996), ">99.9%"}, {percent(0), "0%"}, {percent(0.0001), "<0.1%"}, {percent(0.5), "50%"}, {percent(0.123), "12.3%"},
		{duration(0.44), "0.4 s"}, {duration(59.2), "59 s"}, {duration(125), "2 min 5 s"}, {duration(7322), "2 h 2 min"}, {duration(-1), "?"},
		{count(0), "0"}, {count(999), "999"}, {count(1000), "1,000"}, {count(-1234567), "-1,234,567"}, {plural(1, "file", "files"), "1 file"}, {plural(2000, "file", "files"), "2,000 files"},
		{clip("héllo", 2), "h… [5 more bytes]"}, {clip("abc", 3), "abc"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
