package report

import (
	"html"
	"html/template"
	"path"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/deeprepo/deeprepo/internal/finding"
)

const (
	contextLines = 4
	// leadLines are lexed before what is shown, so that most strings and comments that begin above are known as such.
	leadLines    = 12
	maxCodeLine  = 320
	maxCodeLines = 400
	// lexTime is what one page may spend in lexers. Their regular expressions backtrack, and the code is a stranger's.
	lexTime = 5 * time.Second
)

// codeLine is one line of shown code.
type codeLine struct {
	Number int
	Marked bool
	Code   template.HTML
}

// highlighter colours code. Past its time it goes on without colours.
type highlighter struct {
	now   func() time.Time
	spent time.Duration
}

// snippet shows the lines of a finding with those around them; without a source, the quote alone.
func (h *highlighter) snippet(src Source, f finding.Finding) []codeLine {
	text, ok := "", false
	if src != nil {
		text, ok = src.Text(f.File)
	}
	if _, there := finding.Quote(text, f.Line, f.EndLine); !ok || !there || longLine(f.Evidence) {
		return h.lines(f.File, f.Evidence, max(1, f.Line), f.Line, f.EndLine)
	}
	first := max(1, f.Line-contextLines)
	lead := max(1, first-leadLines)
	last := f.EndLine
	for last < f.EndLine+contextLines {
		if _, ok := finding.Quote(text, last+1, last+1); !ok {
			break
		}
		last++
	}
	shown, _ := finding.Quote(text, lead, last)
	out := h.lines(f.File, shown, lead, f.Line, f.EndLine)
	if len(out) < first-lead {
		return nil
	}
	out = out[first-lead:]
	// An empty last line is only the end of the file.
	if n := len(out); n > 1 && !out[n-1].Marked && out[n-1].Code == "" {
		out = out[:n-1]
	}
	return out
}

func longLine(s string) bool {
	for line := range strings.Lines(s) {
		if len(line) > maxCodeLine {
			return true
		}
	}
	return false
}

// lines colours code whose first line has the given number.
func (h *highlighter) lines(file, code string, first, markFrom, markTo int) []codeLine {
	code = visible(strings.ReplaceAll(code, "\r\n", "\n"))
	raw := strings.Split(code, "\n")
	raw = raw[:min(len(raw), maxCodeLines)]
	for i, l := range raw {
		if len(l) > maxCodeLine {
			raw[i] = clip(l, maxCodeLine)
		}
	}
	rendered := h.tokens(file, strings.Join(raw, "\n"))
	out := make([]codeLine, len(raw))
	for i := range raw {
		n := first + i
		out[i] = codeLine{Number: n, Marked: n >= markFrom && n <= max(markFrom, markTo)}
		if i < len(rendered) {
			out[i].Code = template.HTML(rendered[i]) //nolint:gosec // built from escaped text and fixed classes below
		}
	}
	return out
}

// tokens gives the escaped, coloured lines of code.
func (h *highlighter) tokens(file, code string) (lines []string) {
	plain := func() []string { return strings.Split(html.EscapeString(code), "\n") }
	lexer := lexerFor(file)
	if lexer == nil || h.spent > lexTime {
		return plain()
	}
	start := h.now()
	defer func() {
		h.spent += h.now().Sub(start)
		// Lexers panic on states they do not know; the code is shown all the same.
		if recover() != nil {
			lines = plain()
		}
	}()
	it, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: true}, code)
	if err != nil {
		return plain()
	}
	var b strings.Builder
	for t := it(); t != chroma.EOF; t = it() {
		if h.spent+h.now().Sub(start) > lexTime {
			return plain()
		}
		class := classOf(t.Type)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				lines = append(lines, b.String())
				b.Reset()
			}
			if part == "" {
				continue
			}
			if class == "" {
				b.WriteString(html.EscapeString(part))
				continue
			}
			b.WriteString(`<span class="` + class + `">` + html.EscapeString(part) + `</span>`)
		}
	}
	return append(lines, b.String())
}

// classOf is the CSS class of a token, "" for plain text. A page needs few of the some hundred types.
func classOf(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InCategory(chroma.Keyword):
		return "k"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "m"
	case t == chroma.NameFunction, t == chroma.NameFunctionMagic, t == chroma.NameClass, t == chroma.NameTag, t == chroma.NameDecorator:
		return "f"
	case t == chroma.NameBuiltin, t == chroma.NameBuiltinPseudo, t == chroma.NameAttribute, t == chroma.NameConstant:
		return "b"
	}
	return ""
}

// lexerFor knows the languages that reviews are about, and no more: each lexer more is a program more that runs on a
// stranger's text.
func lexerFor(file string) chroma.Lexer {
	base := strings.ToLower(path.Base(file))
	name := ""
	switch base {
	case "dockerfile":
		name = "docker"
	case "makefile":
		name = "make"
	}
	switch path.Ext(base) {
	case ".py", ".pyi":
		name = "python"
	case ".js", ".jsx", ".mjs", ".cjs":
		name = "javascript"
	case ".ts", ".mts", ".cts":
		name = "typescript"
	case ".tsx":
		name = "tsx"
	case ".go":
		name = "go"
	case ".java":
		name = "java"
	case ".php":
		name = "php"
	case ".rb":
		name = "ruby"
	case ".c", ".h":
		name = "c"
	case ".cc", ".cpp", ".cxx", ".hpp", ".hh":
		name = "c++"
	case ".rs":
		name = "rust"
	case ".cs":
		name = "c#"
	case ".kt", ".kts":
		name = "kotlin"
	case ".swift":
		name = "swift"
	case ".sh", ".bash":
		name = "bash"
	case ".html", ".htm", ".vue":
		name = "html"
	case ".css":
		name = "css"
	case ".sql":
		name = "sql"
	case ".json":
		name = "json"
	case ".yml", ".yaml":
		name = "yaml"
	case ".toml":
		name = "toml"
	}
	if name == "" {
		return nil
	}
	return lexers.Get(name)
}
