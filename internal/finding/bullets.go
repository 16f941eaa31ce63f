package finding

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

var (
	bulletMark = pattern.New(`^\s*(?:[-*+•]|\d{1,3}[.)])\s+`)
	heading    = pattern.New(`^\s*(?:#{1,6}\s+|\*\*)(.{1,80}?)(?:\*\*)?:?\s*$`)
	// place matches path/file.ext followed by its line: ":12", ":12-15", ", line 12", " (lines 12-15)", "#L12".
	place = pattern.New(
		"((?:[A-Za-z0-9_.@+\\-]+[/\\\\])*(?:[A-Za-z0-9_.@+\\-]*\\.[A-Za-z0-9_]{1,12}|Dockerfile|Makefile))[`*\"']{0,3}" +
			"(?::|#L|,?\\s*\\(?(?i:lines?|l\\.?)\\s*)(\\d{1,9})(?:\\s*[-–]\\s*L?(\\d{1,9}))?")
	severityWord = pattern.New(`(?i)\b(critical|high|medium|low|info)\b`)
	inlineCode   = pattern.New("`([^`\n]{4,500})`")
	unmarked     = strings.NewReplacer("**", "", "`", "")
	cweWord      = pattern.New(`(?i)\bCWE-\d{1,5}\b`)
)

// parseBullets reads list items (or lines that begin with a path) that name a file and a line. Code in backticks, or in a
// fence right under the item, is its evidence; a heading with a severity word holds for the items under it.
func parseBullets(text string) []Finding {
	lines := strings.Split(text, "\n")
	var out []Finding
	under := ""
	for i := 0; i < len(lines) && len(out) < maxFindings; i++ {
		line := strings.TrimRight(termtext.Cut(lines[i], 4000), "\r ")
		if m := heading.FindStringSubmatch(line); m != nil && place.FindString(line) == "" {
			under = strings.ToLower(severityWord.FindString(m[1]))
			continue
		}
		at := place.FindStringSubmatchIndex(line)
		if at == nil || !bulletMark.MatchString(line) && strings.Trim(line[:at[0]], " `*[\"'") != "" {
			continue
		}
		if strings.HasSuffix(line[:at[0]], "/") {
			continue // the host of a URL
		}
		body := bulletMark.ReplaceAllString(line, "")
		f := Finding{File: line[at[2]:at[3]], Confidence: 0.4}
		f.Line, _ = strconv.Atoi(line[at[4]:at[5]])
		if at[6] >= 0 {
			f.EndLine, _ = strconv.Atoi(line[at[6]:at[7]])
		}
		word := cmp.Or(severityWord.FindString(body), under)
		f.Severity = NormalSeverity(word)
		f.CWE = NormalCWE(cweWord.FindString(body))
		f.Title = bulletTitle(line[:at[0]], line[at[1]:])
		if f.Title == "" {
			continue
		}
		f.Category = NormalCategory(f.Title, f.CWE)
		for _, m := range inlineCode.FindAllStringSubmatchIndex(line, 10) {
			holdsPlace := m[2] < at[1] && at[0] < m[3]
			if !holdsPlace && m[3]-m[2] > len(f.Evidence) {
				f.Evidence = line[m[2]:m[3]]
			}
		}
		code, more, next := bulletBody(lines, i+1)
		if code != "" {
			f.Evidence = code
		}
		f.Explanation = strings.TrimSpace(strings.TrimSpace(body) + "\n" + more)
		i = next - 1
		tidy(&f)
		out = append(out, f)
	}
	return out
}

// bulletTitle is the text after the place, or before it, without the marks around it.
func bulletTitle(before, after string) string {
	const marks = " \t:;,.-–—*`()[]\"'>"
	t := cmp.Or(strings.Trim(after, marks), strings.Trim(bulletMark.ReplaceAllString(before, ""), marks))
	if m := severityWord.FindStringIndex(t); m != nil && m[0] == 0 {
		if rest := strings.Trim(t[m[1]:], marks); rest != "" {
			t = rest
		}
	}
	return firstSentence(unmarked.Replace(t))
}

// bulletBody reads the indented lines and the fence under an item; next is the first line that is not part of it.
func bulletBody(lines []string, from int) (code, text string, next int) {
	var more []string
	i := from
	for ; i < len(lines) && i < from+60; i++ {
		line := termtext.Cut(lines[i], 4000)
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "```") && code == "" {
			var block []string
			for i++; i < len(lines) && !strings.HasPrefix(strings.TrimSpace(lines[i]), "```"); i++ {
				block = append(block, lines[i])
			}
			code = strings.Join(block, "\n")
			continue
		}
		indented := strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
		if t == "" || !indented || place.MatchString(line) {
			break
		}
		more = append(more, t)
	}
	return code, strings.Join(more, "\n"), i
}
