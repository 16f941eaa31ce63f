package rule

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/ambiguity"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Literal is the text that a string literal, or a sum of some, has when the program runs. ok is false for any other node.
func (p *Pass) Literal(n syntax.Node) (text string, ok bool) {
	switch n.Kind() {
	case "binary_operator", "binary_expression":
		left, ok := p.Literal(n.ChildByField("left"))
		right, also := p.Literal(n.ChildByField("right"))
		return left + right, ok && also && n.Operator() == "+"
	case "concatenated_string", "parenthesized_expression":
		for c := range n.NamedChildren() {
			if c.IsComment() {
				continue
			}
			part, ok := p.Literal(c)
			if !ok {
				return "", false
			}
			text += part
		}
		return text, n.NumNamed() > 0
	}
	written, interpolated, ok := p.String(n)
	if !ok || interpolated || n.Is("heredoc", "nowdoc", "heredoc_body") {
		return "", false
	}
	return p.unescape(n, written), true
}

// unescape reads the escapes in a string literal of the file's language.
func (p *Pass) unescape(n syntax.Node, s string) string {
	prefix, _, _ := strings.Cut(n.Text(), s)
	raw := p.Language == "python" && strings.ContainsAny(prefix, "rR")
	single := p.Language == "php" && strings.HasPrefix(n.Text(), "'")
	if raw || !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == '\\' || c == '\'' || c == '"' && !single:
			b.WriteByte(c)
		case single:
			b.WriteString(s[i-1 : i+1])
		case strings.IndexByte("nrtf", c) >= 0:
			b.WriteByte("\n\r\t\f"[strings.IndexByte("nrtf", c)])
		case c == '\n', c == '$' && p.Language == "php", c == '`':
			b.WriteString(strings.Trim(string(c), "\n"))
		case c == 'b' && p.Language != "php":
			b.WriteByte('\b')
		case c == 'u' && p.Language != "php" && i+4 < len(s):
			if r, err := strconv.ParseUint(s[i+1:i+5], 16, 32); err == nil {
				b.WriteRune(rune(r))
				i += 4
			}
		case OneOf(p.Language, "python", "php"):
			b.WriteString(s[i-1 : i+1])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// delimited reads an expression of PHP: its marks, and the flags behind them.
func delimited(s string) (text string, f ambiguity.Flags, ok bool) {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] == '\\' || s[0] >= '0' && s[0] <= '9' {
		return "", f, false
	}
	last := s[0]
	if i := strings.IndexByte("([{<", last); i >= 0 {
		last = ")]}>"[i]
	}
	end := strings.LastIndexByte(s, last)
	if end < 1 || strings.ContainsAny(s[end+1:], "UA") {
		return "", f, false
	}
	return s[1:end], flagsOf(s[end+1:], ambiguity.PCRE), true
}

func flagsOf(letters string, d ambiguity.Dialect) ambiguity.Flags {
	has := func(c string) bool { return strings.Contains(letters, c) }
	f := ambiguity.Flags{Fold: has("i"), Multiline: has("m"), DotAll: has("s"), Unicode: has("u")}
	switch d {
	case ambiguity.Ruby:
		f.DotAll, f.Spaced = has("m"), has("x")
	case ambiguity.PCRE:
		f.Spaced = has("x")
	}
	return f
}

func pythonFlags(call syntax.Node) ambiguity.Flags {
	text := call.ChildByField("arguments").Text()
	has := func(short, full string) bool {
		return strings.Contains(text, "re."+full) || strings.Contains(text, "re."+short+",") ||
			strings.Contains(text, "re."+short+")") || strings.Contains(text, "re."+short+" ")
	}
	return ambiguity.Flags{Fold: has("I", "IGNORECASE"), Multiline: has("M", "MULTILINE"), DotAll: has("S", "DOTALL"),
		Spaced: has("X", "VERBOSE")}
}

func javaFlags(call syntax.Node) ambiguity.Flags {
	text := call.ChildByField("arguments").Text()
	return ambiguity.Flags{Fold: strings.Contains(text, "CASE_INSENSITIVE"), Multiline: strings.Contains(text, "MULTILINE"),
		DotAll: strings.Contains(text, "DOTALL"), Spaced: strings.Contains(text, "COMMENTS")}
}
