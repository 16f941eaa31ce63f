package rlm

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// cut shortens a text to max characters and names its total.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	head := termtext.Cut(s, max)
	return fmt.Sprintf("%s\n[cut at %d of %d characters]", head, len(head), len(s))
}

// oneLine shortens a text to one line of at most max bytes.
func oneLine(s string, max int) string {
	return termtext.CutWith(termtext.OneLine(s), max, " ...")
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
