package codebase

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// sniffBytes is how much of a file decides whether it is binary: as git does.
const sniffBytes = 8000

// isBinary judges the first bytes of a file. Like git it takes a NUL for the
// mark of a binary, UTF-16 with a byte order mark excepted; beyond git, more
// than one control character in ten. A file that is named as source code is
// binary only if more than one byte in ten is a control character or no UTF-8:
// a single NUL must not hide it.
func isBinary(head []byte, source bool) bool {
	if _, ok := utf16Order(head); ok {
		return false
	}
	if len(head) > sniffBytes {
		head = head[:sniffBytes]
	}
	control, nul := 0, false
	for _, b := range head {
		if b < 0x20 && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1b {
			control++
			nul = nul || b == 0
		}
	}
	if nul {
		return !source || (control+badBytes(head))*10 > len(head)
	}
	return control*10 > len(head)
}

// badBytes counts the bytes that are no part of UTF-8.
func badBytes(b []byte) int {
	n := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			n++
		}
		b = b[size:]
	}
	return n
}

// utf16Order recognises a UTF-16 byte order mark. FF FE 00 00 is UTF-32's and is
// left to the binary test.
func utf16Order(b []byte) (binary.ByteOrder, bool) {
	switch {
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE, 0, 0}):
		return nil, false
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}):
		return binary.LittleEndian, true
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return binary.BigEndian, true
	}
	return nil, false
}

// Decode turns a file's bytes into the text that a codebase holds: valid UTF-8 without a byte order mark.
//
// Order of belief: a UTF-16 mark; valid UTF-8; UTF-8 with damage (some proper
// multi-byte sequence stands in it), whose bad bytes become U+FFFD; else an
// eight-bit text, read as Windows-1252, the superset of Latin-1.
func Decode(b []byte) string {
	if order, ok := utf16Order(b); ok {
		return decodeUTF16(b[2:], order)
	}
	b = bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF"))
	if utf8.Valid(b) {
		return string(b)
	}
	if hasMultiByte(b) {
		return perByte(b)
	}
	var sb strings.Builder
	sb.Grow(len(b) + len(b)/8)
	for _, c := range b {
		sb.WriteRune(charmap.Windows1252.DecodeByte(c))
	}
	return sb.String()
}

// perByte replaces each bad byte on its own: strings.ToValidUTF8 alone would
// fold a run of them into one mark and shift columns.
func perByte(b []byte) string {
	var sb strings.Builder
	sb.Grow(len(b) + 16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		sb.WriteRune(r)
		b = b[n:]
	}
	return sb.String()
}

func hasMultiByte(b []byte) bool {
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			b = b[1:]
			continue
		}
		r, n := utf8.DecodeRune(b)
		if r != utf8.RuneError && n > 1 {
			return true
		}
		b = b[n:]
	}
	return false
}

func decodeUTF16(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(b)/2)
	for ; len(b) >= 2; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	text := string(utf16.Decode(units))
	if len(b) == 1 {
		text += "\uFFFD"
	}
	return text
}
