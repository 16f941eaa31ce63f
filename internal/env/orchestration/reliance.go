package orchestration

import (
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// reliance is one of the places beside a cross-file defect's own that show it: the lines of a second file in which
// the two meet. Three lines of imports show nothing, and a prompt that holds them has not brought the two together.
type reliance struct {
	file  string
	lines []int // 1-based, any one of them will do; none where no name tells: then it takes half of the file
}

// relies finds where the files that a defect's description names meet the defect's own file.
func relies(task env.Task, d env.Defect) []reliance {
	own, _ := task.Codebase.Text(d.File)
	var out []reliance
	for _, p := range mentioned(task.Codebase.Paths(), d) {
		text, _ := task.Codebase.Text(p)
		// "store" in "src/store.py" is not a name that the description speaks of.
		said := strings.NewReplacer(p, " ", path.Base(p), " ").Replace(d.Description)
		out = append(out, reliance{p, meeting(own, text, said)})
	}
	return out
}

var (
	identifier = pattern.New(`[A-Za-z_]\w{2,}`)
	// definition finds what a file defines, in any of the four languages.
	definition = pattern.New(
		`(?m)(?:\b(?:def|class|func|function|interface|type|record|enum)|^(?:export )?(?:const|var|let)|\b(?:public|private|protected|static) ` +
			`[\w<>\[\], ]+?)[ \t]+(?:\([^)\n]*\)[ \t]*)?([A-Za-z_]\w{2,})|^[ \t]+(?:async )?([a-z]\w{2,})\([^)\n]*\)(?:: [^{\n]+)? \{$`)
	// naming is a line that only says which file or package is used, or what a file is called.
	naming = pattern.New(`^\s*(?:import\b|from\b|package\b|use\b|} from\b|//|#|/?\*|"[^"]*"$|"""|'''|\w+ "[^"]*"$)`)
)

// meeting gives the lines of a text that hold a name which one of the two files defines and the other one uses: of these
// names the ones that the description speaks of, if there are any.
func meeting(own, text, description string) []int {
	names := map[string]bool{}
	for _, pair := range [][2]string{{own, text}, {text, own}} {
		used := words(pair[1])
		for _, m := range definition.FindAllStringSubmatch(pair[0], -1) {
			name := m[1] + m[2]
			switch name {
			case "for", "while", "switch", "catch":
				continue
			}
			if used[name] {
				names[name] = true
			}
		}
	}
	said := map[string]bool{}
	for w := range words(description) {
		if names[w] {
			said[w] = true
		}
	}
	if len(said) > 0 {
		names = said
	}
	var lines []int
	for i, line := range strings.Split(text, "\n") {
		if naming.MatchString(line) {
			continue
		}
		if slices.ContainsFunc(identifier.FindAllString(line, -1), func(w string) bool { return names[w] }) {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// words is the set of identifiers of a text.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range identifier.FindAllString(text, -1) {
		set[w] = true
	}
	return set
}

// mentioned gives the files, other than its own, that a defect's description names.
func mentioned(paths []string, d env.Defect) []string {
	var full, base []string
	for _, p := range paths {
		if p == d.File {
			continue
		}
		if containsWord(d.Description, p) {
			full = append(full, p)
		} else if containsWord(d.Description, path.Base(p)) {
			base = append(base, p)
		}
	}
	if len(full) > 0 {
		return full
	}
	return base
}

func containsWord(text, word string) bool {
	for rest := text; ; {
		i := strings.Index(rest, word)
		if i < 0 {
			return false
		}
		before := i == 0 || !isWord(rest[i-1])
		after := i+len(word) == len(rest) || !isWord(rest[i+len(word)])
		if before && after {
			return true
		}
		rest = rest[i+1:]
	}
}

func isWord(b byte) bool {
	return b == '_' || b == '/' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
