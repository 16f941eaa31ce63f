package template

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// output is a place where a template puts a value into the page.
type output struct {
	line int
	expr string // without delimiters
	raw  bool   // the engine is told not to escape
	off  bool   // escaping is switched off around it
	spot spot
}

// page is what one scan of a template tells.
type page struct {
	dialect *dialect
	outputs []output
	off     []span  // where escaping is switched off
	scripts []block // <script> elements of the text
	holes   []hole  // what is not the script's own text in them
	loops   map[string]string
}

// span is a part of the file by its lines, 1-based.
type span struct {
	first, last int
	markup      bool // tags stand in it: it is no subject of a mail
}

// pageOf scans the file once for all rules; nil for a file that is no template.
func pageOf(p *rule.Pass) *page {
	return rule.Memo(p, "template.page", func() *page {
		text := strings.Join(p.Lines(), "\n")
		d := dialectOf(p.Path, p.Language, text)
		if d == nil || otherText.MatchString(p.Path) || minified(p.Lines()) {
			return nil
		}
		return scan(d, text)
	})
}

// otherText matches templates of what is no page, and those of a program's own documentation.
var otherText = regexp.MustCompile(`(?i)\.(md|markdown|txt|js|ts|json|ya?ml|toml|ini|conf|sh|sql|css|csv|env|service)\.\w+$|(^|/)docs?/`)

// minified tells a bundle from what people write.
func minified(lines []string) bool {
	long := 0
	for _, l := range lines {
		if len(l) > 2000 {
			long += len(l)
		}
	}
	return long > 20000
}

// scanner goes through a text once. Where a delimiter is closed next is remembered, so that text full of delimiters that
// nothing closes costs no more than other text.
type scanner struct {
	*page
	html    html
	text    string
	line    int
	closing map[string]int // by closing delimiter: where it stands next, -1 for nowhere
	skip    string         // the statement that ends a part in which delimiters are text
	since   []mark         // where escaping was switched off
	context []string       // what the open blocks of Handlebars and Go look into, "" for nothing new
}

const maxExpression = 2000

func scan(d *dialect, text string) *page {
	if d.lines {
		return scanLines(d, text)
	}
	s := scanner{page: &page{dialect: d, loops: loops(text)}, text: text, line: 1, closing: map[string]int{}}
	s.html.page = s.page
	openers := ""
	for _, x := range d.delimiters {
		openers += x.open[:1]
	}
	for at := 0; at < len(text); {
		next := len(text)
		if openers != "" {
			if i := strings.IndexAny(text[at:], openers); i >= 0 {
				next = at + i
			}
		}
		s.literal(at, next)
		if next == len(text) {
			break
		}
		if end := s.libraryTag(next); end > 0 {
			s.line += strings.Count(text[next:end], "\n")
			at = end
			continue
		}
		found, end := s.delimiterAt(next)
		if end == 0 {
			s.literal(next, next+1)
			at = next + 1
			continue
		}
		if s.html.place == inScript {
			s.holes = append(s.holes, hole{next, end, found.role == escaped || found.role == raw})
		}
		s.token(found, text[next+len(found.open):end-len(found.close)])
		s.line += strings.Count(text[next:end], "\n")
		at = end
	}
	s.html.end(len(text), s.line)
	for range s.since {
		s.switchBack()
	}
	return s.page
}

// literal hands page text to the HTML state.
func (s *scanner) literal(from, to int) {
	s.html.read(s.text, from, to, s.line)
	s.line += strings.Count(s.text[from:to], "\n")
}

// delimiterAt gives the delimiter that opens at a place and the end of what it encloses, 0 for none.
func (s *scanner) delimiterAt(at int) (delimiter, int) {
	for _, d := range s.dialect.delimiters {
		if !strings.HasPrefix(s.text[at:], d.open) {
			continue
		}
		from := at + len(d.open)
		if d.close == "" {
			return d, from
		}
		end, known := s.closing[d.close]
		if !known || end >= 0 && end < from {
			if end = strings.Index(s.text[from:], d.close); end >= 0 {
				end += from
			}
			s.closing[d.close] = end
		}
		if end < 0 || d.role != comment && d.role != statement && end-from > maxExpression {
			return d, 0
		}
		if d.close == "}}" && strings.HasPrefix(s.text[end:], "}}}") && d.role == escaped { // {{ {a: {b: 1}} }}
			end++
		}
		return d, end + len(d.close)
	}
	return delimiter{}, 0
}

var (
	rawBegin    = regexp.MustCompile(`^[-\s]*(raw|verbatim)\s*-?$`)
	escapingOff = regexp.MustCompile(`(?i)^[-\s]*autoescape\s+(false|off|none)\b`)
	escapingOn  = regexp.MustCompile(`^[-\s]*autoescape\b`)
	escapingEnd = regexp.MustCompile(`^[-\s]*(endautoescape|/#noautoesc)\b`)
	tornadoRaw  = regexp.MustCompile(`^\s*raw\s+(\S.*)$`)
	goClause    = regexp.MustCompile(`^[-\s]*(if|else|end|range|with|define|template|block|break|continue|\$\w+\s*:?=)(\s|-|$)`)
)

// token takes in what stands between two delimiters.
func (s *scanner) token(d delimiter, inner string) {
	word := strings.Trim(inner, "-~+_= \t\r\n")
	if s.skip != "" {
		if d.role == statement && word == s.skip {
			s.skip = ""
		}
		return
	}
	switch {
	case d.role == statement:
		s.clause(d, inner, word)
		return
	case d.role == comment:
		return
	case s.dialect == golang && goClause.MatchString(inner):
		s.nest(word)
		return
	}
	s.add(inner, d.role == raw || s.dialect.unescapes(inner))
}

func (s *scanner) add(expr string, unescaped bool) {
	s.outputs = append(s.outputs, output{line: s.line, expr: s.looked(expr), raw: unescaped, off: s.isOff(), spot: s.html.hole()})
}

// clause follows what changes escaping; {% raw x %} is Tornado's output.
func (s *scanner) clause(d delimiter, inner, word string) {
	switch {
	case s.dialect == jsp:
		s.printed(inner)
	case s.dialect == handlebars:
		s.nest(d.open[len(d.open)-1:] + word)
	case s.dialect == jinja && tornadoRaw.MatchString(inner):
		s.add(tornadoRaw.FindStringSubmatch(inner)[1], true)
	case rawBegin.MatchString(inner) && s.dialect != erb:
		s.skip = "end" + word
	case escapingEnd.MatchString(inner):
		s.switchBack()
	case escapingOff.MatchString(inner), word == "noautoesc":
		s.since = append(s.since, mark{s.line, s.html.tags})
	case escapingOn.MatchString(inner):
		s.since = append(s.since, mark{})
	}
}

// libraryTag gives the end of a tag of a library, which JSP fills before there is a page, 0 for anything else.
func (s *scanner) libraryTag(at int) int {
	if s.dialect != jsp {
		return 0
	}
	m := libraryTag.FindStringSubmatchIndex(s.text[at:min(len(s.text), at+maxExpression)])
	if m == nil {
		return 0
	}
	tag := s.text[at : at+m[1]]
	if v := tagValue.FindStringSubmatch(tag); v != nil && unescapeXML.MatchString(tag) && !strings.HasPrefix(tag, "<form:") {
		s.add(v[1], true)
	}
	return at + m[1]
}

var (
	libraryTag  = regexp.MustCompile(`^</?[a-zA-Z]\w*:[\w.-]+(?:[^<>"']|<%=.*?%>|"(?:[^"<]|<%=.*?%>|<)*"|'[^']*')*>`)
	unescapeXML = regexp.MustCompile(`\b(escapeXml|escape|escapeHtml|filter)\s*=\s*["']false["']`)
	tagValue    = regexp.MustCompile(`\b(?:value|name)\s*=\s*["'](?:[$#%]\{)?([^"'{}]+)`)
)

// unescapes tells whether an output turns the escaping off for itself.
func (d *dialect) unescapes(expr string) bool {
	if d.filter != nil {
		return slices.ContainsFunc(split(expr, "|")[1:], d.filter.MatchString)
	}
	return d.unescape != nil && d.unescape.MatchString(expr)
}

// printed gives what a scriptlet prints: out.print("<td>" + name).
func (s *scanner) printed(inner string) {
	for _, m := range outPrint.FindAllStringSubmatchIndex(inner, -1) {
		s.outputs = append(s.outputs, output{line: s.line + strings.Count(inner[:m[0]], "\n"), expr: inner[m[2]:m[3]], raw: true,
			spot: spot{place: s.html.place}})
	}
}

var outPrint = regexp.MustCompile(`\bout\.(?:print|println|write)\(((?:"[^"\n]*"|[^()"\n]|\((?:[^()"\n]|"[^"\n]*"|\([^()\n]*\))*\))*)\)`)

var (
	lookInto = regexp.MustCompile(`^(?:#each|#with|#|range|with)\s*(?:\$\w+(?:\s*,\s*\$\w+)?\s*:=\s*)?([@\w.$]+)`)
	blockEnd = regexp.MustCompile(`^(/|end\b)`)
	nesting  = regexp.MustCompile(`^(#|\^|if\b|range\b|with\b|block\b|define\b)`)
	member   = regexp.MustCompile(`^\s*(this\.|\.)?([A-Za-z]\w*(?:\.\w+)*)(\s.*)?$`)
)

// nest follows the blocks in which a name is one of an element: {{#each comments}}, {{range .Comments}}.
func (s *scanner) nest(word string) {
	switch {
	case blockEnd.MatchString(word):
		s.context = s.context[:max(0, len(s.context)-1)]
	case nesting.MatchString(word):
		in := ""
		if n := len(s.context); n > 0 {
			in = s.context[n-1]
		}
		if m := lookInto.FindStringSubmatch(word); m != nil && m[1] != "if" && m[1] != "unless" && m[1] != "else" {
			in = m[1]
		}
		s.context = append(s.context, in)
	}
}

// looked is an expression with what the block around it looks into before it.
func (s *scanner) looked(expr string) string {
	n := len(s.context)
	if n == 0 || s.context[n-1] == "" || s.dialect == golang && !strings.HasPrefix(strings.TrimSpace(expr), ".") {
		return expr
	}
	if m := member.FindStringSubmatch(expr); m != nil {
		return s.context[n-1] + "." + m[2] + m[3]
	}
	return expr
}

// mark is a place where escaping was switched off, zero where it was switched on.
type mark struct{ line, tags int }

// switchBack ends the last part with an escaping of its own.
func (s *scanner) switchBack() {
	n := len(s.since) - 1
	if n < 0 {
		return
	}
	if from := s.since[n]; from.line > 0 {
		s.off = append(s.off, span{from.line, s.line, s.html.tags > from.tags})
	}
	s.since = s.since[:n]
}

func (s *scanner) isOff() bool { return len(s.since) > 0 && s.since[len(s.since)-1].line > 0 }
