package report

import (
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/deeprepo/deeprepo/internal/finding"
)

// safeFix replaces a few characters of the quoted line, where nothing else can be meant: wrong must stand there once, and each
// must match only once in the line.
type safeFix struct {
	alone, wrong *regexp.Regexp
	right, say   string
}

func fixed(alone, wrong, right, say string) safeFix {
	return safeFix{regexp.MustCompile(alone), regexp.MustCompile(wrong), right, say}
}

// safeFixes are those that the rule's own suggestion spells out, by rule.
var safeFixes = map[string][]safeFix{
	"python/is-literal": {fixed(`\bis\b`, `\bis not\b`, "!=", "Compare the values."), fixed(`\bis\b`, `\bis\b`, "==", "Compare the values.")},
	"python/raise-notimplemented": {fixed(`NotImplemented`, `\braise NotImplemented\b`, "raise NotImplementedError",
		"Raise the exception.")},
	"python/except-or": {fixed(`\bor\b`, `\bexcept ([\w.]+) or ([\w.]+)`, "except (${1}, ${2})", "Name both in a tuple."),
		fixed(`\bor\b`, `\bexcept \(([\w.]+) or ([\w.]+)\)`, "except (${1}, ${2})", "Name both in a tuple.")},
	"javascript/focused-test": {fixed(`\.only\b`, `\b(it|test|describe|context)\.only\(`, "${1}(", "Run the other tests, too."),
		fixed(`\bf(?:it|describe)\b`, `\bf(it|describe)\(`, "${1}(", "Run the other tests, too.")},
	"javascript/numeric-sort": {fixed(`\.sort\b`, `\.sort\(\)`, ".sort((a, b) => a - b)", "Compare numbers.")},
}

// maxFixed is the longest line that is changed: the quotation of a longer one may have been cut.
const maxFixed = 1000

// fixesOf is the safe change of a finding's one line, as SARIF has it, where there is one.
func fixesOf(f finding.Finding) []sarifFix {
	line := f.Evidence
	if !f.Grounded || f.Line < 1 || f.EndLine != f.Line || len(f.Places) > 1 || len(line) > maxFixed || strings.ContainsAny(line, "\r\n") {
		return nil
	}
	for _, fix := range safeFixes[f.Rule] {
		at := fix.wrong.FindStringSubmatchIndex(line)
		if at == nil || len(fix.alone.FindAllStringIndex(line, 2)) != 1 {
			continue
		}
		column := func(offset int) int { return len(utf16.Encode([]rune(line[:offset]))) + 1 }
		return []sarifFix{{sarifText{Text: fix.say}, []sarifChange{{sarifLocated(f.File, f.Line, f.Line).PhysicalLocation.ArtifactLocation,
			[]sarifReplacement{{sarifSpan{f.Line, column(at[0]), f.Line, column(at[1])},
				sarifText{Text: string(fix.wrong.ExpandString(nil, fix.right, line, at))}}}}}}}
	}
	return nil
}
