package termtext

import "testing"

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\nünï 漢字 🙂":    "plain\ttext\nünï 漢字 🙂",
		"\x1b[31mred\x07\x00":      `\x1b[31mred\x07\x00`,
		"\u009b31m\u0085\u00ad":    `\x9b31m\x85\xad`,
		"a\u202eb\u2066c\u200bd":   `a\u202eb\u2066c\u200bd`,
		"\u2028\u2029\ufeff\u061c": `\u2028\u2029\ufeff\u061c`,
		"\U000e0041":               `\U000e0041`,
		"bad \xff":                 "bad \uFFFD",
		"\x7f":                     `\x7f`,
		"a\r\nb\rc":                "a\nb" + `\x0dc`,
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMasked(t *testing.T) {
	const text = "a\x1b[1m\n\tb\u200b\u202ec\xff"
	if got, want := Masked(text), "a\uFFFD[1m\n\tb\uFFFD\uFFFDc\uFFFD"; got != want {
		t.Errorf("Masked: %q, want %q", got, want)
	}
	if got, want := MaskedLine(text), "a\uFFFD[1m\uFFFD\uFFFDb\uFFFD\uFFFDc\uFFFD"; got != want {
		t.Errorf("MaskedLine: %q, want %q", got, want)
	}
	if got, want := Inline(" a\n b\x1b "), `a b\x1b`; got != want {
		t.Errorf("Inline: %q, want %q", got, want)
	}
}

func TestCuts(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Cut("abc", 3), "abc"}, {Cut("héllo", 2), "h"}, {Cut("é", 1), ""}, {Cut("abc", 0), ""},
		{CutWith("abcd", 3, "..."), "abc..."}, {CutWith("abc", 3, "..."), "abc"},
		{Left("héllo", 3), "hé…"}, {Left("abc", 3), "abc"}, {Right("a/b/c", 3), "…/c"}, {Right("abc", 3), "abc"},
		{OneLine(" a\t\nb "), "a b"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 pairs", 1: "1 pair", 2: "2 pairs"} {
		if got := Plural(n, "pair"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
