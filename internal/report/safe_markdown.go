package report

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// maxMarkdown bounds one document of the root.
const maxMarkdown = 256 << 10

// Parsing Markdown takes quadratic time in the number of marks that stay open, so that some kilobytes of "[" or ">" keep a
// parser busy for minutes. No document that is meant to be read comes near these bounds.
const (
	maxBlockMarks  = 1000 // marks of one kind in one paragraph
	maxNestedMarks = 40   // quotes and list marks that begin one line
	maxColumns     = 64   // bars in one line
	maxDefinitions = 200  // "]:" in one document
)

// markdown parses and renders the Markdown of models. Raw HTML is off, links of unsafe schemes are dropped; safeMarkdown
// sees to it that neither is left.
func markdown() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))
}

var (
	atxHeading = pattern.New(`(?m)^ {0,3}#{1,6}(?:[ \t]|$)`)
	linkMarks  = strings.NewReplacer("<", "&lt;", "](", `]\(`, "]:", `]\:`, "][", `]\[`, "://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`)
)

// safeMarkdown makes a model's Markdown safe to paste into a document of ours: it keeps its headings (two levels down),
// lists, emphasis, tables and code, and holds no HTML, no link, no image, and no fence that stays open. Links stay
// readable as text. Where that cannot be had, the whole text becomes one code block.
func safeMarkdown(s string) string {
	s = strings.TrimSpace(termtext.Visible(clip(strings.ReplaceAll(s, "\r\n", "\n"), maxMarkdown)))
	if s == "" {
		return ""
	}
	if tooDense(s) {
		return fenced(s, "text")
	}
	out := demote(s)
	for range 4 {
		out = escapeOutsideCode(out)
		if inert(out) {
			if closed, ok := closeFences(out); ok {
				return closed
			}
			break
		}
	}
	return fenced(s, "text")
}

// tooDense reports whether s has more marks than a parser should be given.
func tooDense(s string) bool {
	definitions := 0
	var marks [256]int
	for line := range strings.Lines(s) {
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		// What surely begins a new block begins a new count.
		if strings.TrimSpace(body) == "" || indent < 4 && (strings.HasPrefix(body, "- ") || strings.HasPrefix(body, "* ") ||
			strings.HasPrefix(body, "# ") || strings.HasPrefix(body, "## ")) {
			marks = [256]int{}
		}
		nested := 0
		for _, r := range body {
			if strings.ContainsRune(">-*+)", r) {
				nested++
			} else if !strings.ContainsRune(" \t.0123456789", r) {
				break
			}
		}
		// A rule of dashes is long and nests nothing.
		if nested > maxNestedMarks && strings.Trim(body, "-*+ \t\r\n") != "" {
			return true
		}
		definitions += strings.Count(line, "]:")
		for i := 0; i < len(line); i++ {
			switch c := line[i]; c {
			case '[', ']', '*', '_', '~', '`', '<', '!':
				if marks[c]++; marks[c] > maxBlockMarks {
					return true
				}
			}
		}
		if strings.Count(line, "|") > maxColumns {
			return true
		}
	}
	return definitions > maxDefinitions
}

func parse(s string) ast.Node { return markdown().Parser().Parse(text.NewReader([]byte(s))) }

// codeMask marks the bytes of s that are code. Taking them from the parser instead of from a scan of our own means that
// what we leave alone is what the reader's renderer takes for code.
func codeMask(s string) []bool {
	mask := make([]bool, len(s))
	mark := func(seg text.Segment) {
		for i := max(0, seg.Start); i < min(seg.Stop, len(mask)); i++ {
			mask[i] = true
		}
	}
	_ = ast.Walk(parse(s), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					mark(t.Segment)
				}
			}
			return ast.WalkSkipChildren, nil
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			for i := range n.Lines().Len() {
				mark(n.Lines().At(i))
			}
		}
		return ast.WalkContinue, nil
	})
	return mask
}

// escapeOutsideCode escapes the marks of HTML and links wherever s is not code.
func escapeOutsideCode(s string) string {
	mask := codeMask(s)
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && mask[j] == mask[i] {
			j++
		}
		if mask[i] {
			b.WriteString(s[i:j])
		} else {
			b.WriteString(linkMarks.Replace(s[i:j]))
		}
		i = j
	}
	return b.String()
}

// demote moves headings two levels down, below those of the report.
func demote(s string) string {
	mask := codeMask(s)
	var b strings.Builder
	last := 0
	for _, m := range atxHeading.FindAllStringIndex(s, -1) {
		at := m[0] + strings.IndexByte(s[m[0]:m[1]], '#')
		if mask[at] {
			continue
		}
		b.WriteString(s[last:at])
		level := strings.Count(s[m[0]:m[1]], "#")
		b.WriteString(strings.Repeat("#", min(2, 6-level)))
		last = at
	}
	b.WriteString(s[last:])
	return b.String()
}

// inert reports whether a renderer would make neither HTML of the text's own nor a link of it.
func inert(s string) bool {
	ok := true
	_ = ast.Walk(parse(s), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindRawHTML, ast.KindHTMLBlock, ast.KindLink, ast.KindImage, ast.KindAutoLink, ast.KindLinkReferenceDefinition:
			ok = false
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return ok
}

// closeFences makes sure that text after s is not part of it: it adds the closing fence that a cut-off block lacks.
func closeFences(s string) (string, bool) {
	const sentinel = "END-OF-TEXT"
	for _, end := range []string{"", "\n" + strings.Repeat("`", longestRun(s, '`')), "\n" + strings.Repeat("~", longestRun(s, '~'))} {
		doc := parse(s + end + "\n\n" + sentinel)
		last, ok := doc.LastChild().(*ast.Paragraph)
		if !ok || last.Lines().Len() != 1 {
			continue
		}
		line := last.Lines().At(0)
		if line.Start == len(s)+len(end)+2 {
			return s + end, true
		}
	}
	return "", false
}

// longestRun is the length of the longest run of c in s, at least 3.
func longestRun(s string, c byte) int {
	longest, run := 3, 0
	for i := 0; i < len(s); i++ {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// fenced is s as a code block whose fence is longer than any run of backticks inside.
func fenced(s, language string) string {
	s = termtext.Visible(s)
	n := longestRun(s, '`')
	if strings.Contains(s, "```") {
		n++
	}
	f := strings.Repeat("`", n)
	return f + language + "\n" + strings.TrimSuffix(s, "\n") + "\n" + f
}

// escaped is s as plain inline text of a Markdown document: on one line, with every mark escaped.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range termtext.Inline(s) {
		switch r {
		case '<':
			b.WriteString("&lt;")
			continue
		case '&':
			b.WriteString("&amp;")
			continue
		case '\\', '`', '*', '_', '[', ']', '#', '|', '~', '>', '!', '$', '@':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	t := b.String()
	return strings.NewReplacer("://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`).Replace(t)
}

// codeSpan is s as an inline code span.
func codeSpan(s string) string {
	s = termtext.Inline(s)
	if s == "" {
		return ""
	}
	if !strings.Contains(s, "`") {
		return "`" + s + "`"
	}
	n, run := 1, 0
	for i := 0; i < len(s); i++ {
		if s[i] == '`' {
			run++
			n = max(n, run+1)
		} else {
			run = 0
		}
	}
	f := strings.Repeat("`", n)
	return f + " " + s + " " + f
}

// cell is inline Markdown made fit for a table: a bar would end the cell, even within code.
func cell(md string) string {
	return strings.ReplaceAll(strings.ReplaceAll(md, `\|`, `|`), "|", `\|`)
}

// InlineMarkdown is s as plain inline text of a Markdown document, fit for a table's cell: every mark is escaped.
func InlineMarkdown(s string) string { return cell(escaped(s)) }
