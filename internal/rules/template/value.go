package template

import (
	"regexp"
	"slices"
	"strings"
)

// trust says whose text a value is, as far as its name tells.
type trust int

const (
	unknown trust = iota // of the program, or nobody can say
	stored               // a text of the database, by its name
	users                // what users write
	sent                 // what came with this request
)

// words is a set.
func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

var (
	// usersWords name what users write, whatever stands around them.
	usersWords = words(`comment review feedback reply guestbook bio biography nickname username signature testimonial query search
		keyword q qs userinput tweet complaint guess chat remark fullname firstname lastname searched`)
	// writers are rows that users write or that are about them: message.text, user[1].
	writers = words(`message msg question thread ticket todo task note profile user author member customer student employee patient
		contact person visitor sender recipient account gossip`)
	// pieces are written by users or by the site's own people.
	pieces = words(`post article blog entry story recipe book movie`)
	// richWords name texts that may be meant as markup, plainWords those that never are.
	richWords = words(`content body text description desc message msg about detail details caption excerpt summary abstract intro
		story article instructions ingredients reason note notes response answer`)
	plainWords = words(`title name subject address email subtitle headline question author city company`)
	bareWords  = words(`name result output response answer user input`)
	// quietWords name what the program makes: markup, numbers, times, its own settings.
	quietWords = words(`html rendered render safe sanitized sanitised sanitize clean cleaned escaped markdown md formatted format svg
		icon icons button buttons btn script scripts js css style styles json embed iframe pagination pager paginator paginate links
		breadcrumb breadcrumbs csrf token nonce captcha recaptcha form forms field fields widget toolbar layout slot yield child children
		partial include analytics tracking code highlight highlighted snippet count id ids date time at created updated price amount total
		number num size width height index page pages url href uri path slug key class classes type status attr attrs attributes
		settings setting config configuration site theme plugin plugins lang trans translation translations i18n locale t msgid meta
		seo option options template view helper helpers assets asset module modules app brand system cms component components help
		menu nav header footer sidebar block blocks section sections banner tag tags label labels placeholder hint tooltip
		column columns schema changelog release version license params query_string querystring markup xml rich richtext wysiwyg
		newsletter toc ad ads color colour image img file filename src stylesheet link error errors warning notice alert flash
		flashes success info debug enabled is has can show display max min length limit permalink content_for static const
		constant charset encoding legend summary_html doc docs documentation preview diff policy privacy self avatar exception
		cause throwable ex exp exc e deprecation
		manifest mode state data_attributes intl phrase phrases message_html title_html copyright gdpr consent powered`)
)

var (
	// requested is what a client sent, in the words of the engines and frameworks.
	requested = regexp.MustCompile(`^(flask\.)?request\.(args|form|values|GET|POST|params|cookies|query|body|query_params|data|` +
		`querystring|QueryString|Form)\b|` +
		`^(params|cookies)(\[|\.\w)|^\$_(GET|POST|REQUEST|COOKIE)\b|^req\.(query|body|params|cookies)\b|^(param|paramValues|` +
		`cookie|header|headerValues)[.\[]|` +
		`^request\.(getParameter|getHeader|getQueryString)\b|^\$?request(\(\))?->(input|get|query|post|cookie|header)\b|^request\(['"]|` +
		`^(Input|Request)::(get|input|old)\(|^app\.request\.(get|query|request)\b|^Request\.(QueryString|Form|Query|Params)\b|` +
		`^#?param\.\w`)
	// cleaned are the calls and filters behind which no markup of a user is left, or whose work nobody can judge by name.
	cleaned = regexp.MustCompile(`(?i)sanit|purif|escap|bleach|\bclean|strip_?tags|striptags|htmlspecialchars|htmlentities|encode|xss|` +
		`\b(h|e|esc)\(|markdown|\bmd\b|render|nh3|linkify|urlize|simple_format|highlight|to_i\b|to_f\b|intval|parseInt|` +
		`parseFloat|Number\(`)
	compared = regexp.MustCompile(`[=!<>]=|&&|^!|^(not|empty)\s|\s(eq|ne|lt|gt|and|in|is|instanceof|not)\s`)
	// carrying are calls and filters that hand on the text they get.
	carrying = regexp.MustCompile(`^(nl2br|trim|ltrim|rtrim|strtoupper|strtolower|ucfirst|ucwords|str_replace|html_entity_decode|` +
		`htmlspecialchars_decode|stripslashes|String|unescape|Html\.Raw|raw|Markup|str|marked|marked\.parse|converter\.makeHtml|` +
		`new String|new Handlebars\.SafeString|truncate|limit|Str::limit|substr|mb_substr|wordwrap|HtmlString|new HtmlString)$`)
	carryingFilter = regexp.MustCompile(`^(safe|raw|safeseq|default|d|trim|upper|lower|title|capitalize|capfirst|truncate|` +
		`truncatechars|` +
		`truncatewords|truncatewords_html|truncatechars_html|replace|string|safe_?HTML|html_?safe|no_?escape|unescape(HTML)?|` +
		`raw_?HTML|to_?HTML|as_?HTML|n|nl2br|slice|first|last|join|force_escape_off)\b`)
	// column is one of a row that a program got from its database.
	column    = regexp.MustCompile(`^(?:rs|rset|result|resultSet|row|\w*Rs)\.getString\(\s*"(\w+)"\s*\)$`)
	attribute = regexp.MustCompile(`^(?:session|request)\.getAttribute\(\s*"(\w+)"\s*\)$`)
	pathForm  = regexp.MustCompile(`^[@$.]{0,2}[A-Za-z_]\w*((\.|->|\?\.|\?->|&\.|::|/)(\$?\w+|get\w+\(\))|\[[^\]\[]*\])*$`)
	scope     = regexp.MustCompile(`^(?:requestScope|sessionScope|pageScope|applicationScope|locals|this|\.\.|Model|model|` +
		`ViewBag|ViewData|data|props|vm|\$root|\$data|\.Data|\$)(?:\.|/|\["|\[')`)
	segment   = regexp.MustCompile(`\w+`)
	wordForm  = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)
	wrapped   = regexp.MustCompile(`^(?:\$|\*|@)?\{(.*)\}$`)
	tailCalls = regexp.MustCompile(`\.(html_safe|to_s|toString\(\)|trim\(\)|strip|replace\(.*\)|gsub\(.*\)|toUpperCase\(\)|` +
		`toLowerCase\(\)|substring\([\d, ]*\)|slice\([\d, ]*\)|Value)$`)
)

// judge says whose text an output's expression is.
func (p *page) judge(expr string) trust {
	expr = trimmed(expr)
	if m := wrapped.FindStringSubmatch(expr); m != nil {
		expr = strings.TrimSpace(m[1])
	}
	best := unknown
	for _, part := range alternatives(expr) {
		best = max(best, p.judgeOne(part, 0))
	}
	return best
}

const maxUnwrapped = 6

func (p *page) judgeOne(expr string, depth int) trust {
	expr = strings.TrimSpace(expr)
	if depth > maxUnwrapped || expr == "" || len(expr) > 300 {
		return unknown
	}
	if parts := split(expr, "|"); len(parts) > 1 {
		for _, f := range parts[1:] {
			if !carryingFilter.MatchString(strings.TrimLeft(f, " ")) {
				return unknown
			}
		}
		return p.judgeOne(parts[0], depth+1)
	}
	if cleaned.MatchString(expr) || compared.MatchString(expr) {
		return unknown
	}
	if requested.MatchString(expr) {
		return sent
	}
	if strings.HasPrefix(expr, "(") && strings.HasSuffix(expr, ")") {
		return p.judge(expr[1 : len(expr)-1])
	}
	if i := tailCalls.FindStringIndex(expr); i != nil {
		return p.judgeOne(expr[:i[0]], depth+1)
	}
	if arguments, ok := handedOn(expr); ok {
		best := unknown
		for _, a := range split(arguments, ",") {
			best = max(best, p.judgeOne(a, depth+1))
		}
		return best
	}
	if first, rest, ok := strings.Cut(expr, " "); ok && carryingFilter.MatchString(first) { // raw @post.body, safeHTML .Body
		return p.judgeOne(rest, depth+1)
	}
	if m := column.FindStringSubmatch(expr); m != nil {
		return p.judgePath("row." + m[1])
	}
	if m := attribute.FindStringSubmatch(expr); m != nil {
		expr = m[1]
	}
	if !pathForm.MatchString(expr) {
		return unknown
	}
	return p.judgePath(expr)
}

// handedOn gives the arguments of a call that hands on the text it gets.
func handedOn(expr string) (arguments string, ok bool) {
	name, rest, found := strings.Cut(expr, "(")
	arguments, ok = strings.CutSuffix(rest, ")")
	return arguments, found && ok && carrying.MatchString(strings.TrimSpace(name))
}

// judgePath judges a name or a member by its words.
func (p *page) judgePath(path string) trust {
	path = scope.ReplaceAllString(path, "")
	names := segment.FindAllString(path, 12)
	if len(names) == 0 {
		return unknown
	}
	element := false
	if from := p.loops[names[0]]; from != "" {
		if cleaned.MatchString(from) {
			return unknown
		}
		if over := segment.FindAllString(from, 12); len(over) > 0 && pathForm.MatchString(strings.Trim(from, "()")) {
			names, element = append([]string{over[len(over)-1]}, names[1:]...), true
		}
	}
	var all []string
	for _, n := range names {
		for _, w := range wordForm.FindAllString(n, 12) {
			all = append(all, singular(strings.ToLower(w)))
		}
	}
	last := all[len(all)-1]
	ending := wordForm.FindAllString(names[len(names)-1], 12)
	word := strings.ToLower(ending[len(ending)-1]) // subject, not subjects
	root, numbered, member := singular(strings.ToLower(names[0])), last[0] >= '0' && last[0] <= '9', len(names) > 1
	if w := wordForm.FindAllString(names[0], 12); len(w) > 0 {
		root = singular(strings.ToLower(w[len(w)-1])) // currentUser
	}
	if len(names) > 2 && !writers[root] {
		root = singular(strings.ToLower(names[len(names)-2]))
	}
	text := richWords[word] || plainWords[word] || numbered
	switch {
	case slices.ContainsFunc(all, quiet):
		return unknown
	case slices.ContainsFunc(all, func(w string) bool { return usersWords[w] }), member && writers[root] && text:
		return users
	case element && !member && writers[root] && root != "message":
		return users
	case member && (plainWords[word] || text && (pieces[root] || p.dialect.bare)):
		return stored
	case !member && bareWords[strings.ToLower(names[0])]:
		return stored
	}
	return unknown
}

// quiet words say that the program made the value, or what it made of one: rendered, linkified.
func quiet(w string) bool {
	return quietWords[w] || len(w) > 2 && quietWords[w+"s"] || len(w) > 5 && strings.HasSuffix(w, "ed") && !usersWords[w] ||
		strings.HasPrefix(w, "marked")
}

// singular drops a plural's s.
func singular(w string) string {
	if strings.HasSuffix(w, "ies") {
		return w[:len(w)-3] + "y"
	}
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") {
		return w[:len(w)-1]
	}
	return w
}

// alternatives are the values that an expression may have or is put together of.
func alternatives(expr string) []string {
	if parts := split(expr, "?"); len(parts) == 2 && len(split(parts[1], ":")) == 2 && !strings.Contains(expr, "::") {
		return split(parts[1], ":")
	}
	for _, operator := range []string{"||", "??", " or ", "?:", "+", " ~ ", " . "} {
		if parts := split(expr, operator); len(parts) > 1 {
			return parts
		}
	}
	if value, _, ok := strings.Cut(expr, " if "); ok {
		return []string{value}
	}
	return []string{expr}
}

// split cuts at an operator that stands outside quotes and brackets.
func split(expr, operator string) []string {
	var parts []string
	depth, from, quote := 0, 0, byte(0)
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case depth == 0 && strings.HasPrefix(expr[i:], operator) && !doubled(expr, i, operator):
			parts = append(parts, expr[from:i])
			from = i + len(operator)
			i = from - 1
		}
	}
	return append(parts, expr[from:])
}

// doubled tells | from ||, and ? from ?. and ??.
func doubled(expr string, i int, operator string) bool {
	if operator != "|" && operator != "?" {
		return false
	}
	before := i > 0 && strings.IndexByte("|?", expr[i-1]) >= 0
	return before || i+1 < len(expr) && strings.IndexByte("|?.:-", expr[i+1]) >= 0
}

// trimmed is an expression without blanks, marks of whitespace control and a last semicolon.
func trimmed(expr string) string { return strings.Trim(expr, "-~+_; \t\r\n") }
