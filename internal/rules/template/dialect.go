package template

import (
	"path"
	"regexp"
	"strings"
)

// role says what stands between two delimiters.
type role int

const (
	escaped   role = iota // an output that the engine escapes
	raw                   // an output that it does not
	statement             // for, if, include
	comment
)

type delimiter struct {
	open, close string
	role        role
}

// dialect is how an engine's templates are written. The delimiters stand longest first where one begins another.
type dialect struct {
	name       string
	delimiters []delimiter
	unescape   *regexp.Regexp // in an output that would be escaped: this one is not
	filter     *regexp.Regexp // the same, of the filters behind it
	directives *regexp.Regexp // attributes whose value is an expression for raw HTML
	lines      bool           // a line is an element, as in Pug
	contextual bool           // escaping knows attributes, scripts and addresses
	bare       bool           // nothing is escaped unless the template says so
}

var (
	braces   = delimiter{"{{", "}}", escaped}
	percents = delimiter{"{%", "%}", statement}
	clause   = delimiter{"<%", "%>", statement}
)

var (
	jinja = &dialect{name: "jinja", delimiters: []delimiter{{"{#", "#}", comment}, percents, braces},
		filter: regexp.MustCompile(`^\s*(safe|safeseq)\b`)}
	twig = &dialect{name: "twig", delimiters: []delimiter{{"{#", "#}", comment}, percents, braces},
		filter: regexp.MustCompile(`^\s*raw\b`)}
	bottle = &dialect{name: "bottle", delimiters: []delimiter{{"{{!", "}}", raw}, braces}}
	erb    = &dialect{name: "erb", delimiters: []delimiter{{"<%#", "%>", comment}, {"<%==", "%>", raw}, {"<%=", "%>", escaped},
		{"<%%", "", comment}, clause}, unescape: regexp.MustCompile(`\.html_safe\b|^\s*raw[ (]`)}
	sinatra = &dialect{name: "erb", bare: true, delimiters: []delimiter{{"<%#", "%>", comment}, {"<%=", "%>", raw}, {"<%%",
		"", comment}, clause}}
	ejs = &dialect{name: "ejs", delimiters: []delimiter{{"<%#", "%>", comment}, {"<%-", "%>", raw}, {"<%=", "%>", escaped},
		{"<%%", "", comment}, clause}}
	handlebars = &dialect{name: "handlebars", delimiters: []delimiter{{"{{!--", "--}}", comment}, {"{{!", "}}", comment},
		{"{{{", "}}}", raw}, {"{{&", "}}", raw}, {"{{~#", "}}", statement}, {"{{#", "}}", statement}, {"{{/", "}}", statement},
		{"{{^", "}}", statement}, {"{{>", "}}", statement}, {"{{else", "}}", statement}, braces}}
	blade = &dialect{name: "blade", delimiters: []delimiter{{"{{--", "--}}", comment}, {"@{{", "}}", comment}, {"{{{", "}}}", escaped},
		{"{!!", "!!}", raw}, {"<?=", "?>", raw}, {"<?", "?>", statement}, braces}}
	jsp = &dialect{name: "jsp", bare: true, delimiters: []delimiter{{"<%--", "--%>", comment}, {"<%@", "%>", comment}, {"<%=",
		"%>", raw}, clause,
		{"${", "}", raw}, {"#{", "}", comment}}}
	golang = &dialect{name: "go", delimiters: []delimiter{{"{{/*", "*/}}", comment}, {"{{- /*", "*/ -}}", comment}, braces},
		contextual: true,
		unescape: regexp.MustCompile(`(?i)(\||^)[\s-]*(safe_?html|html_?safe|no_?escape|unescape(_?html)?|raw(_?html)?|to_?html|` +
			`safe|as_?html)\b`)}
	thymeleaf = &dialect{name: "thymeleaf", delimiters: []delimiter{{"[(${", ")]", raw}, {"[[", "]]", escaped}}, contextual: true,
		directives: regexp.MustCompile(`^(data-)?th[:-]utext$`)}
	freemarker = &dialect{name: "freemarker", delimiters: []delimiter{{"<#--", "-->", comment}, {"<#", ">", statement}, {"${",
		"}", escaped}},
		unescape: regexp.MustCompile(`\?\s*no_esc\b`), contextual: true}
	razor = &dialect{name: "razor", delimiters: []delimiter{{"@*", "*@", comment}, {"@Html.Raw(", ")", raw}}}
	// In what runs in the browser only the raw spellings matter.
	vue = &dialect{name: "vue", directives: regexp.MustCompile(`^(v-html|x-html|:inner-?html\.prop)$`),
		delimiters: []delimiter{{"{{", "}}", comment}}, contextual: true}
	svelte  = &dialect{name: "svelte", delimiters: []delimiter{{"{@html ", "}", raw}, {"{#", "}", statement}}, contextual: true}
	astro   = &dialect{name: "astro", delimiters: []delimiter{{"set:html={", "}", raw}}, contextual: true}
	pug     = &dialect{name: "pug", lines: true, delimiters: []delimiter{{"!{", "}", raw}, {"#{", "}", escaped}}}
	haml    = &dialect{name: "haml", lines: true, delimiters: []delimiter{{"#{", "}", escaped}}, unescape: erb.unescape}
	nothing = &dialect{name: "html"}
)

// byLanguage has the languages whose name says how they are written; those of html, erb, php and template depend on more.
var byLanguage = map[string]*dialect{"jinja": jinja, "twig": twig, "ejs": ejs, "handlebars": handlebars, "jsp": jsp, "vue": vue,
	"svelte": svelte, "astro": astro, "pug": pug, "haml": haml, "freemarker": freemarker, "razor": razor, "eex": erb}

// dialectOf is nil for a file that is no template.
func dialectOf(file, language, text string) *dialect {
	base := strings.ToLower(path.Base(file))
	if d := byLanguage[language]; d != nil {
		if d == jinja && !markup.MatchString(text) { // a shell script or a configuration
			return nil
		}
		return d
	}
	switch language {
	case "php":
		if strings.HasSuffix(base, ".blade.php") {
			return blade
		}
	case "erb":
		switch {
		case !markup.MatchString(text):
			return nil
		case strings.Count(base, ".") == 1 && inDirectory(file, "views") && !inDirectory(file, "app") && !ownEscape.MatchString(text):
			return sinatra // whose ERB escapes nothing by itself
		}
		return erb
	case "html":
		return ofHTML(file, text)
	case "template":
		return ofTemplate(text)
	}
	return nil
}

var (
	markup = regexp.MustCompile(`(?i)<(!doctype html|html|head|body|div|p|span|a|ul|ol|li|table|tr|td|h[1-6]|form|input|` +
		`script|section|main|b|i|strong|em|pre|img|br|hr|button|label|select|option|textarea|header|footer|nav|article|title|dl|` +
		`dt|dd|small|iframe)\b`)
	ownEscape = regexp.MustCompile(`<%==|<%=\s*h[ (]|escape_html|html_escape`)
	blocks    = regexp.MustCompile(`\{%-?\s*(end|extends|load|include|block|for|if|set|import|from|url|csrf_token|autoescape|` +
		`static|macro|with|raw|module)`)
	goActions  = regexp.MustCompile(`\{\{-?\s*(\.[A-Z]?|\$|range |if |with |template "|block "|define "|end\b)`)
	sections   = regexp.MustCompile(`\{\{[#/>^]|\{\{\{`)
	tagLibrary = regexp.MustCompile(`(?i)<%@\s*(page|taglib)|<jsp:`)
	inBrowser  = regexp.MustCompile(`\b(v-[a-z]+=|:[a-z-]+="|@click=|x-data=|x-html=)|\bng-[a-z]+|\*ng[A-Z]|\[\w+\]="|` +
		`\(\w+\)="|angular|new Vue|createApp`)
	templateDir = regexp.MustCompile(`(^|/)templates?/`)
	safeFilter  = regexp.MustCompile(`\{\{[^{}\n]*\|\s*safe\s*\}\}`)
	include     = regexp.MustCompile(`<%-\s*include\b|<%=[^%]*\b(locals|user|post|comment)\b`)
	thAttribute = regexp.MustCompile(`\b(data-)?th[:-](text|utext|each|if|href|object|field|fragment|replace|insert|action|value)\b`)
)

// ofHTML tells what fills a page that is called .html: Django, Jinja, Go, Handlebars, Thymeleaf, EJS, or the browser.
func ofHTML(file, text string) *dialect {
	switch {
	case tagLibrary.MatchString(text):
		return jsp
	case blocks.MatchString(text), safeFilter.MatchString(text):
		return jinja
	case thAttribute.MatchString(text):
		return thymeleaf
	case inBrowser.MatchString(text):
		return vue
	case sections.MatchString(text):
		return handlebars
	case goActions.MatchString(text):
		return golang
	case include.MatchString(text):
		return ejs
	case strings.Contains(text, "{{") && templateDir.MatchString(file):
		return jinja
	}
	return nothing
}

// ofTemplate tells Go's templates from Bottle's and Smarty's, which share endings.
func ofTemplate(text string) *dialect {
	switch {
	case !markup.MatchString(text):
		return nil
	case goActions.MatchString(text):
		return golang
	case strings.Contains(text, "{{!") && !sections.MatchString(text):
		return bottle
	case blocks.MatchString(text):
		return jinja
	}
	return nil
}

// inDirectory tells whether one of a path's directories is called name.
func inDirectory(file, name string) bool {
	return strings.Contains("/"+path.Dir(file)+"/", "/"+name+"/")
}
