package extract

import (
	"context"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Bounds of the search for code among prose.
const (
	mostParses = 600       // of pieces, for one text
	parsedBack = 24        // times the text's size, all pieces together
	largeText  = 256 << 10 // bytes, beyond which only the whole is tried
)

// joins are how many pieces are tried as one statement: a string may have lines at the margin.
var joins = []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64}

// pieces cuts a text where a line begins at the margin: no top-level statement continues there, except one that closes
// a bracket or a clause.
func pieces(text string) []string {
	var all []string
	start, at := 0, 0
	for line := range strings.Lines(text) {
		if at > start && begins(line, text[start:at]) {
			all = append(all, text[start:at])
			start = at
		}
		at += len(line)
	}
	if start < len(text) {
		all = append(all, text[start:])
	}
	return all
}

// begins says whether a line begins a piece of its own.
func begins(line, before string) bool {
	switch line[0] {
	case ' ', '\t', '\n', '\r', '\f', '#', ')', ']', '}':
		return false
	}
	if startsWith(line, "else:", "elif ", "elif(", "except:", "except ", "except(", "except*", "finally:", "else ") {
		return false
	}
	if i := strings.LastIndexByte(strings.TrimRight(before, " \t\n"), '\n'); strings.HasPrefix(strings.TrimLeft(before[i+1:], " \t"), "@") {
		return false // a decorator and what it decorates
	}
	return true
}

func startsWith(line string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(line, w) })
}

// code says whether a piece looks as if it could be a statement worth keeping: prose parses as Python surprisingly often.
func code(piece string) bool {
	line, _, _ := strings.Cut(strings.TrimLeft(piece, "\n"), "\n")
	if startsWith(line, "def ", "class ", "async def ", "@", "import ", "from ", "if ", "for ", "while ", "try:", "with ") {
		return true
	}
	name, _, found := strings.Cut(line, "=")
	return found && strings.Trim(name, " \t:[](),.|'\"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789+-*/%") == "" &&
		!strings.Contains(strings.TrimSpace(strings.TrimRight(name, "+-*/%|")), "  ")
}

// kept says whether a statement belongs to a program that was found among prose: definitions, imports, and what gives
// names a value.
func kept(s syntax.Node) bool {
	switch s.Kind() {
	case "function_definition", "class_definition", "decorated_definition", "import_statement", "import_from_statement",
		"future_import_statement",
		"if_statement", "for_statement", "while_statement", "try_statement", "with_statement", "type_alias_statement":
		return true
	case "expression_statement":
		for c := range s.NamedChildren() {
			if c.Kind() == "assignment" && c.ChildByField("right").Valid() || c.Kind() == "augmented_assignment" {
				return true
			}
		}
	}
	return false
}

// salvage keeps the pieces of a text that are code. With stop, the first piece that is none ends it.
func (x *Extractor) salvage(ctx context.Context, text string, stop bool) (string, error) {
	if len(text) > largeText {
		return "", nil
	}
	all := pieces(text)
	budget, left := parsedBack*len(text)+4096, mostParses
	try := func(piece string) (*module, error) {
		budget -= len(piece)
		left--
		return x.parse(ctx, piece)
	}
	var b strings.Builder
	for i := 0; i < len(all) && budget > 0 && left > 0; {
		if strings.TrimSpace(all[i]) == "" {
			i++
			continue
		}
		taken := 0
		for _, n := range joins {
			n = min(n, len(all)-i)
			if budget <= 0 || left <= 0 || !code(all[i]) && (n > 1 || !stop) {
				break
			}
			joined := strings.Join(all[i:i+n], "")
			m, err := try(joined)
			if err != nil {
				return "", err
			}
			if m.clean {
				taken = n
				keeps := len(m.stmts) > 0
				for _, s := range m.stmts {
					keeps = keeps && kept(s)
				}
				if keeps {
					b.WriteString(joined)
					if !strings.HasSuffix(joined, "\n") {
						b.WriteByte('\n')
					}
				} else if stop && len(m.stmts) > 0 && !quiet(m.stmts) {
					return b.String(), nil
				}
				break
			}
			if i+n >= len(all) {
				break
			}
		}
		if taken == 0 && stop {
			break
		}
		i += max(taken, 1)
	}
	return b.String(), nil
}

// quiet says whether statements that are not kept may stand within a program: its own tests and talk. Anything else,
// such as the text of the next task, ends it.
func quiet(stmts []syntax.Node) bool {
	for _, s := range stmts {
		switch {
		case kept(s), s.Kind() == "assert_statement":
		case s.Kind() == "expression_statement" && s.NamedChild(0).Kind() == "call":
		default:
			return false
		}
	}
	return true
}
