package locate

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// MaxText is how much of a text is read, in bytes: its head.
const MaxText = 64 << 10

// Bounds of what is taken out of it.
const (
	maxTerms = 600 // different words
	maxNames = 200 // names, paths and frames, each
)

// query is a text, taken apart.
type query struct {
	title, text string
	terms       []string       // different words, in the order in which they come
	weight      []float64      // of each word, by how often it is said
	inTitle     []bool         // by term
	inCode      []bool         // by term: it stands in code, a code span, a stack trace
	names       []mention      // identifiers
	paths       []string       // words that look like paths of files
	frames      []frame        // of stack traces, the innermost last
	phrases     [][]string     // messages, as words in a row
	quoted      map[string]int // lines that may be code of the codebase, numbered
	at          map[string]int // index of a term
}

// mention is an identifier of the text: dotted as it stands there.
type mention struct {
	name   string
	weight float64
}

// frame is a line of a stack trace.
type frame struct {
	path     string
	line     int
	function string
}

var (
	fence     = pattern.New("(?s)```.*?(?:```|$)")
	span      = pattern.New("`([^`\n]{1,200})`")
	prompt    = pattern.New(`(?m)^[ \t]*(?:>>>|\.\.\.|In \[\d+\]:|Out\[\d+\]:|\$ |    ).*$`)
	traceLine = pattern.New(`File "([^"\n]{1,400})", line (\d{1,6})(?:, in ([\w<>.]{1,100}))?`)
	shortLine = pattern.New(`(?m)^[ \t>E]*([\w./\\-]{1,300}\.py):(\d{1,6}): (?:in )?([\w.]{1,100})?`)
	pathLike  = pattern.New(`[\w.+-]*(?:/[\w.+-]+)+|\b[\w-]+\.(?:py|pyx|js|ts|go|java|rb|rs|c|cc|cpp|h|hpp|cs|php|kt|sh|tsx|jsx)\b`)
	dotted    = pattern.New(`[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*`)
	message   = pattern.New(`(?m)^[ \tE>]*(?:[\w.]*(?:Error|Exception|Warning|Failure|Exit)): ?(.{4,300})$|` +
		`"([^"\n]{8,200})"|'([^'\n]{8,200})'`)
	address = pattern.New(`https?://\S+`)
	comment = pattern.New(`(?s)<!--.*?-->`)
	htmlTag = pattern.New(`</?(?:details|summary|b|p|br|pre|code|img|a|h\d|li|ul|sub|sup)\b[^>\n]*>`)
)

// weights of the parts of a text.
const (
	titleWeight = 2.0
	proseWeight = 1.0
	codeWeight  = 0.7
)

// ask takes a text apart.
func ask(text string) query {
	text = termtext.Cut(strings.ReplaceAll(text, "\r\n", "\n"), MaxText)
	text = comment.ReplaceAllString(text, " ")
	text = htmlTag.ReplaceAllString(text, " ")
	q := query{text: text, at: map[string]int{}, quoted: map[string]int{}}
	q.title, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	q.readFrames()
	q.readQuoted(text)
	plain := address.ReplaceAllString(text, " ")
	code := fence.FindAllStringIndex(plain, -1)
	code = append(code, prompt.FindAllStringIndex(plain, -1)...)
	spans := span.FindAllStringIndex(plain, -1)
	marked := make([]byte, len(plain)) // 0 prose, 1 code, 2 a code span
	for _, s := range spans {
		fill(marked[s[0]:s[1]], 2)
	}
	for _, s := range code {
		fill(marked[s[0]:s[1]], 1)
	}
	title := strings.Index(plain, q.title)
	if title < 0 {
		title = 0
	}
	ends := title + len(q.title)
	eachWord(plain, func(w string, at int) {
		weight := proseWeight
		switch {
		case at >= title && at < ends:
			weight = titleWeight
		case marked[at] == 1:
			weight = codeWeight
		}
		q.say(w, weight, at < ends, marked[at] != 0)
	})
	q.join(plain, marked, ends)
	for i, w := range slices.Clone(q.terms) {
		if s := short[w]; s != "" {
			q.say(s, q.weight[i]/2, q.inTitle[i], false)
		}
	}
	for _, m := range pathLike.FindAllString(plain, -1) {
		if m = strings.Trim(m, "./"); len(q.paths) < maxNames && m != "" && !slices.Contains(q.paths, m) {
			q.paths = append(q.paths, m)
		}
	}
	q.readNames(plain, marked, ends)
	for _, m := range message.FindAllStringSubmatch(plain, maxNames) {
		var words []string
		eachWord(m[1]+m[2]+m[3], func(w string, _ int) { words = append(words, w) })
		if len(words) >= 2 {
			q.phrases = append(q.phrases, words)
		}
	}
	return q
}

// joined is two or three words of prose in a row, or of an option, which code may write as one name.
var joined = pattern.New(`[A-Za-z][a-z0-9]+(?:[ -][A-Za-z][a-z0-9]+)+`)

// join counts pairs of words that stand side by side as the names that code makes of them: snake_case and camelCase.
func (q *query) join(text string, marked []byte, title int) {
	for _, m := range joined.FindAllStringIndex(text, -1) {
		words := strings.FieldsFunc(strings.ToLower(text[m[0]:m[1]]), func(r rune) bool { return r == ' ' || r == '-' })
		for i := 0; i+1 < len(words); i++ {
			a, b := words[i], words[i+1]
			if common[a] || common[b] || marked[m[0]] == 1 {
				continue
			}
			weight := proseWeight / 2
			if m[0] < title {
				weight = titleWeight / 2
			}
			q.say(a+"_"+b, weight, m[0] < title, false)
			q.say(a+b, weight, m[0] < title, false)
		}
	}
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// say counts a word.
func (q *query) say(w string, weight float64, inTitle, inCode bool) {
	if common[w] || len(w) < 2 {
		return
	}
	i, ok := q.at[w]
	if !ok {
		if len(q.terms) == maxTerms {
			return
		}
		i = len(q.terms)
		q.at[w] = i
		q.terms, q.weight = append(q.terms, w), append(q.weight, 0)
		q.inTitle, q.inCode = append(q.inTitle, false), append(q.inCode, false)
	}
	q.weight[i] += weight
	q.inTitle[i] = q.inTitle[i] || inTitle
	q.inCode[i] = q.inCode[i] || inCode
}

// short are the abbreviations that code has for words of prose, stemmed.
var short = map[string]string{"represent": "repr", "representation": "repr", "attribut": "attr", "attributes": "attr", "argument": "arg",
	"parameter": "param", "function": "func", "configuration": "config", "directory": "dir", "documentation": "doc",
	"environment": "env", "expression": "expr", "equal": "eq", "equality": "eq", "initializ": "init", "information": "info",
	"iteration": "iter", "iterat": "iter", "matrix": "mat", "number": "num", "object": "obj", "previou": "prev", "reference": "ref",
	"separator": "sep", "sequenc": "seq", "specification": "spec", "statistic": "stat", "synchroniz": "sync", "temporary": "tmp",
	"utility": "util", "valu": "val", "variabl": "var", "differentiat": "diff", "derivativ": "diff", "multiply": "mul",
	"multiplication": "mul", "addition": "add", "power": "pow", "division": "div", "polynomial": "poly", "simplification": "simplify",
	"evaluat": "eval", "evaluation": "eval", "assumption": "assum", "printer": "print", "parser": "pars", "command": "cmd",
	"length": "len", "maximum": "max", "minimum": "min", "average": "mean", "delete": "del", "execut": "exec", "quote": "quot",
	"authentication": "auth", "password": "passwd", "message": "msg", "request": "req", "respons": "resp", "connection": "conn",
	"database": "db", "source": "src", "destination": "dst", "context": "ctx", "callback": "cb", "index": "idx", "coordinat": "coord",
	"dimension": "dim"}

// readFrames reads stack traces, Python's and pytest's.
func (q *query) readFrames() {
	for _, form := range []*pattern.Pattern{traceLine, shortLine} {
		for _, m := range form.FindAllStringSubmatch(q.text, maxNames) {
			q.frames = append(q.frames, frame{strings.ReplaceAll(m[1], `\`, "/"), number(m[2]), m[3]})
		}
	}
}

func number(digits string) int {
	n := 0
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return n
}

// readNames collects identifiers: what is dotted, called, in a code span, or written as only names are.
func (q *query) readNames(text string, marked []byte, title int) {
	at := map[string]int{}
	for _, m := range dotted.FindAllStringIndex(text, -1) {
		name := strings.ReplaceAll(text[m[0]:m[1]], "::", ".")
		called := m[1] < len(text) && text[m[1]] == '('
		weight := 0.0
		switch {
		case m[0] < title:
			weight = 2
		case marked[m[0]] == 2:
			weight = 2
		case marked[m[0]] == 1:
			weight = 0.5
		default:
			weight = 0.5
		}
		looks := called || marked[m[0]] != 0 || strings.ContainsAny(name, "._") || strings.ToLower(name[1:]) != name[1:]
		if !looks || len(name) < 3 || common[strings.ToLower(name)] {
			if m[0] >= title || len(name) < 3 || common[strings.ToLower(name)] {
				continue
			}
			weight = 0.7 // any word of a title may be a name
		}
		if called && marked[m[0]] != 1 {
			weight++
		}
		if i, ok := at[name]; ok {
			q.names[i].weight += weight / 2
			continue
		}
		if len(q.names) < maxNames {
			at[name] = len(q.names)
			q.names = append(q.names, mention{name, weight})
		}
	}
}
