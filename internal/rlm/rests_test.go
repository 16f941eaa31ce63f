package rlm

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRestsAreBounded(t *testing.T) {
	var r rests
	const size = 300_000
	for cell := 1; cell <= 6; cell++ {
		r.keep(cell, strings.Repeat("é", size/2), 0)
		held := 0
		for _, one := range r {
			held += len(one.text)
		}
		if held > maxRests {
			t.Fatalf("%d bytes are kept after cell %d", held, cell)
		}
	}
	for cell := 1; cell <= 6; cell++ {
		if dropped := cell <= 3; r.of(cell).dropped != dropped || (r.of(cell).text == "") != dropped {
			t.Errorf("cell %d: dropped %v, %d bytes", cell, r.of(cell).dropped, len(r.of(cell).text))
		}
	}
	if r.last() != 6 || r.of(7) != nil {
		t.Errorf("the last is %d", r.last())
	}
}

func FuzzRest(f *testing.F) {
	f.Add("é€x", 2)
	f.Add("", 0)
	f.Fuzz(func(t *testing.T, text string, most int) {
		if !utf8.ValidString(text) || len(text) > 1_000 {
			return
		}
		r, all := rest{text: text}, ""
		for range len(text) {
			part := r.next(max(1, most))
			if !utf8.ValidString(part) {
				t.Fatalf("%q splits a character", part)
			}
			all += part
		}
		if all != text || r.text != "" {
			t.Fatalf("%q was read as %q", text, all)
		}
	})
}

func TestTaskOf(t *testing.T) {
	prompt := "=== FILE: a.py ===\n=== END ===\n" + endOfCode + "\nWho calls it?\nAnd why?\n" + knownTitle + "- a.py:1 x\n"
	if got := taskOf(prompt); got != "Who calls it? And why?" {
		t.Errorf("the task is %q", got)
	}
}

func FuzzTaskOf(f *testing.F) {
	f.Add("=== FILE: a.py ===\nx\n=== END ===\n\nWhy?\n\nThese are known; do not report them again:\n- a.py:1 x\n")
	f.Add(strings.Repeat("é\n", 999))
	f.Fuzz(func(t *testing.T, prompt string) {
		if got := taskOf(prompt); len(got) > 210 || !utf8.ValidString(got) || strings.ContainsAny(got, "\r\n") {
			t.Fatalf("%q is told as %q", prompt, got)
		}
	})
}
