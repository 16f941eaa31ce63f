package rule

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Ways in which the usual web frameworks of each language hand a request's data to the program.
var (
	pythonInput = regexp.MustCompile(`^(self\.|flask\.|cls\.)?(request|req)\.(args|form|values|json|data|files|cookies|` +
		`headers|GET|POST|FILES|COOKIES|META|body|query_params|path_params|params|query|match_info|get_json|get_data|` +
		`rel_url|url|full_path|query_string|stream|path)\b|^self\.get_(query_|body_)?arguments?\b`)
	jsInput = regexp.MustCompile(`^(req|request|ctx\.request|ctx|context\.request|c\.req)\.(query|body|params|cookies|` +
		`headers|url|originalUrl|file|files|param|header|get)\b|^(window\.|document\.)?location\.(search|hash|href)$|` +
		`^document\.(URL|documentURI|referrer|cookie)$|^event\.(queryStringParameters|pathParameters|body|headers)\b`)
	goInput = regexp.MustCompile(`^(r|req|request)\.(FormValue|PostFormValue|PathValue|Form|PostForm|URL\.Query|` +
		`URL\.Path|URL\.RawQuery|Header\.Get|Cookie|Body|MultipartForm|Host|RequestURI)\b|^(c|ctx)\.(Query|Param|PostForm|` +
		`DefaultQuery|QueryParam|FormValue|Params|FormFile|GetHeader|GetQuery)$|^mux\.Vars$|^chi\.URLParam$`)
	javaInput = regexp.MustCompile(`^(\w*[rR]eq(uest)?)\.(getParameter|getParameterValues|getParameterMap|getHeader|` +
		`getHeaders|getQueryString|getCookies|getInputStream|getReader|getPathInfo|getRequestURI|getPart)\b`)
	phpInput = regexp.MustCompile(`^\$_(GET|POST|REQUEST|COOKIE|FILES|SERVER)$|^(\$request|\$this\.request|` +
		`request)\.(input|get|query|post|all|cookie|header|file|request|cookies|headers|getContent|getParam|getQueryParams|` +
		`getParsedBody)\b`)
	rubyInput = regexp.MustCompile(`^params$|^(request\.(params|query_parameters|query_string|headers|env|body|path|` +
		`fullpath|url|referer|GET|POST|path_parameters)|cookies|env)$`)
	cInput = regexp.MustCompile(`^(getenv|secure_getenv)$`)
)

// UserInput tells whether n itself is an expression by which data of a request, of the browser's address or (C) of the
// environment enters the program: request.args.get(...), req.query.id, r.FormValue("q"), $_GET, params.
func (p *Pass) UserInput(n syntax.Node) bool {
	g, kind := p.grammar, n.Kind()
	_, member := g.members[kind]
	call := slices.Contains(g.calls, kind)
	name := slices.Contains(g.names, kind) || p.Language == "ruby" && kind == "identifier"
	if !member && !call && !name {
		return false
	}
	if p.Language == "python" && call && n.ChildByField("function").Text() == "input" {
		return true
	}
	if g.input == cInput && !call {
		return false
	}
	return g.input.MatchString(p.Dotted(n)) && !shadowed(p, n, name)
}

// shadowed: a plain variable called env or cookies that the function assigns itself is not the framework's.
func shadowed(p *Pass, n syntax.Node, name bool) bool {
	if !name || p.Language == "php" {
		return false
	}
	return slices.Contains(p.ParameterNames(p.Function(n)), n.Text())
}
