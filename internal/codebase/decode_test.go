package codebase

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func utf16Bytes(order binary.AppendByteOrder, bom bool, s string) []byte {
	var b []byte
	if bom {
		b = order.AppendUint16(b, 0xFEFF)
	}
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func TestDecode(t *testing.T) {
	for _, tc := range []struct {
		name, in, want string
	}{
		{"plain", "a\r\nb\n", "a\r\nb\n"},
		{"utf-8", "é→", "é→"},
		{"bom", "\xEF\xBB\xBFa", "a"},
		{"latin-1", "caf\xe9 na\xefve", "café naïve"},
		{"windows-1252 quotes", "\x93a\x94", "“a”"},
		{"damaged utf-8", "é\xff\xfe→\xe2\x82", "é\uFFFD\uFFFD→\uFFFD\uFFFD"},
		{"utf-16 le", string(utf16Bytes(binary.LittleEndian, true, "aé😀\n")), "aé😀\n"},
		{"utf-16 be", string(utf16Bytes(binary.BigEndian, true, "aé😀\n")), "aé😀\n"},
		{"utf-16 lone surrogate", "\xff\xfe\x00\xd8a\x00", "\uFFFDa"},
		{"utf-16 odd", "\xff\xfea\x00b", "a\uFFFD"},
		{"empty", "", ""},
	} {
		if got := Decode([]byte(tc.in)); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestIsBinary(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     bool
	}{
		{"empty", "", false},
		{"text", "a\tb\r\n\f", false},
		{"terminal escapes", "\x1b[31mred\x1b[0m\n", false},
		{"nul", "a\x00b", true},
		{"late nul", string(bytes.Repeat([]byte("a"), sniffBytes)) + "\x00", false},
		{"controls", "\x01\x02\x03abc", true},
		{"few controls", "\x01aaaaaaaaaaaaaaaaaaaa", false},
		{"utf-16", string(utf16Bytes(binary.LittleEndian, true, "ab")), false},
		{"utf-32", "\xff\xfe\x00\x00a\x00\x00\x00", true},
		{"latin-1", "\xe9\xe8\xe7", false},
	} {
		if got := isBinary([]byte(tc.in), false); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "a", "\xff\xfea", "\xfe\xff\xd8\x00", "\xEF\xBB\xBF\xEF\xBB\xBF", "caf\xe9", "é\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text := Decode(b)
		if !utf8.ValidString(text) {
			t.Fatalf("%q became %q", b, text)
		}
		if utf8.Valid(b) && !bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")) && text != string(b) {
			t.Fatalf("valid text changed: %q became %q", b, text)
		}
		if _, ok := utf16Order(b); !ok && bytes.Count(b, []byte("\n")) != bytes.Count([]byte(text), []byte("\n")) {
			t.Fatalf("line count changed: %q became %q", b, text)
		}
	})
}
