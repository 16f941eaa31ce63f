package opinion

import (
	"regexp"
	"slices"
	"strings"
)

var (
	identifier = regexp.MustCompile(`[A-Za-z_$][\w$]*`)
	importing  = regexp.MustCompile(`\b(?:import|from|require|use|include|using)\b`)
)

// longestImport is how many lines one statement that imports may have.
const longestImport = 60

// grammatical are words of import statements that import nothing.
var grammatical = strings.Fields("import from as require use include using static const type export default let var")

// identifiers are the names in lines of a file and in what the finding says.
func (e *evidence) identifiers(path string, from, to int) map[string]bool {
	lines := e.lines(path)
	from, to = max(from, 1), min(to, len(lines))
	text := e.f.Title + "\n" + e.f.Explanation + "\n" + e.f.Evidence
	if from <= to {
		text += "\n" + strings.Join(lines[from-1:to], "\n")
	}
	names := map[string]bool{}
	for _, name := range identifier.FindAllString(text, -1) {
		names[name] = true
	}
	for _, word := range grammatical {
		delete(names, word)
	}
	return names
}

// imports takes the lines of the finding's file that bring in a name which its function uses, with the lines on which their
// statement begins and ends.
func (e *evidence) imports() {
	path := e.f.File
	lines := e.lines(path)
	uses := func(line string) bool {
		return slices.ContainsFunc(identifier.FindAllString(line, -1), func(w string) bool { return e.used[w] })
	}
	done := 0 // the last line that was looked at
	for _, im := range e.g.Imports(path) {
		if im.Line <= done || im.Line > len(lines) {
			continue
		}
		from := im.Line
		for from > max(done+1, im.Line-longestImport) && !importing.MatchString(lines[from-1]) {
			from--
		}
		open, to := 0, from
		for ; to < min(len(lines), from+longestImport); to++ {
			for _, c := range lines[to-1] {
				switch c {
				case '(', '{':
					open++
				case ')', '}':
					open--
				}
			}
			if open <= 0 {
				break
			}
		}
		done = max(to, im.Line)
		for n := from; n <= done; n++ {
			if uses(lines[n-1]) {
				e.add(path, from, from)
				e.add(path, n, n)
				e.add(path, done, done)
			}
		}
	}
}
