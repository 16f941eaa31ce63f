package rule

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	// anyError are types of which nobody knows what their texts say, and those of databases, which quote statements.
	anyError = regexp.MustCompile(`(^|[\s(,|\\.])(Exception|BaseException|Throwable|SQLException|PDOException|mysqli_sql_exception|` +
		`StandardError|` +
		`SQLAlchemyError|DatabaseError|OperationalError|IntegrityError|ProgrammingError|StatementInvalid|QueryException)\b|` +
		`(sqlite3|mysql\.connector|psycopg2|pymysql|MySQLdb|PG|Mysql2)(\.|::)Error\b`)
	pythonAnswer = regexp.MustCompile(`\b(jsonify|make_response|HttpResponse\w*|JsonResponse|JSONResponse|PlainTextResponse|` +
		`HTMLResponse|Response|json_response|render|render_template|` +
		`render_template_string|HTTPException|abort|flash|messages\.error|self\.(write|finish))\(`)
	pythonVerb  = regexp.MustCompile(`^(get|post|put|patch|delete)$`)
	pythonView  = regexp.MustCompile(`\b(MethodView|Resource|APIView|ViewSet|\w*View)\b`)
	pythonRoute = regexp.MustCompile(`@[\w.]+\.(route|get|post|put|patch|delete)\(|@api_view\(`)
	jsAnswer    = regexp.MustCompile(`^(res|resp|response|reply|ctx)\b.*\.(send|json|end|write|jsonp)$`)
	jsError     = regexp.MustCompile(`^(e|er|err|error|ex|exc|exception|dbErr|error\d|err\d)$`)
	javaAnswer  = regexp.MustCompile(`(?i)^(out|writer|pw|w|printWriter|resp(onse)?\.getWriter)\.(print|println|write|append|printf)$|` +
		`^resp(onse)?\.sendError$|^ResponseEntity\.(status|badRequest|internalServerError|ok)(\.\w+)*\.body$`)
	goAnswer = regexp.MustCompile(`^http\.Error$|^fmt\.Fprint(f|ln)?$|^(w|rw|res|resp|writer|response)\.Write(String)?$|` +
		`^(c|ctx|w|g)\.(JSON|String|AbortWithStatusJSON|IndentedJSON|SendString)$`)
	goText     = regexp.MustCompile(`\berr\.Error\(\)|\bfmt\.Sprint\(err\)|\bdebug\.Stack\(\)|%[vs+w]+[^%]*",\s*err\)|\+\s*err\.Error`)
	goWriter   = regexp.MustCompile(`^\(\s*(w|rw|res|resp|writer|response)\b`)
	pythonWeb  = regexp.MustCompile(`\b(flask\w*|django|fastapi|starlette|rest_framework|sanic|bottle|aiohttp|tornado)\b`)
	goDatabase = regexp.MustCompile(`(?i)\b(\w*db|\w*tx|stmt|conn|database|rows?|pool|\w*store\.db)\.(\w+\.)*(Query|QueryRow|Exec|` +
		`Prepare|Begin|Ping|` +
		`Scan|Get|Select|NamedExec|Find|First|Create|Save|Delete|Updates?)\w*\(|\b(models?|repo(sitory)?|dao|\w+(Repo|Repository|DAO|` +
		`Model))\.\w+\(`)
	phpText = regexp.MustCompile(`\b(mysqli?_(connect_)?error|pg_last_error|oci_error)\(|->(connect_)?error\b(?:[^(\w]|$)|` +
		`->errorInfo\(`)
	offline     = regexp.MustCompile(`(?i)(^|/)(bin|cli|console|commands?|scripts?|tools?|install\w*|setup|migrations?)/`)
	commandLine = regexp.MustCompile(`php_sapi_name|PHP_SAPI|\bSTDERR\b|\$argv|^#!`)
)

// CheckShownErrors is the Check of every language's shown-error rule: the text or the trace of an error that may be a database's, or
// any, is sent to whoever asked.
func CheckShownErrors(p *Pass) {
	switch p.family() {
	case "python":
		p.shownByPython()
	case "javascript":
		if !offline.MatchString(p.Path) {
			p.shownByJavaScript()
		}
	case "java":
		p.shownByJava()
	case "php":
		p.shownByPHP()
	case "go":
		p.shownByGo()
	}
}

// tells gives the forms in which the text of the error called name stands in code.
func tells(name string) *regexp.Regexp {
	v := regexp.QuoteMeta(name)
	return regexp.MustCompile(`\b(str|repr)\(\s*` + v + `\s*\)|\{` + v + `(![rs])?\}|%\s*\(?` + v + `\b|\.format\(` + v + `\)|` +
		v + `\.(args|message\b|getMessage\(|toString\(|getLocalizedMessage\(|getStackTrace\()|` + v + `->(getMessage|getTraceAsString|` +
		`__toString)\(|` +
		`\+\s*` + v + `\b(?:[^.\w(]|$)|traceback\.format_exc\(\)`)
}

// caught gives the handlers of errors in the file, with the name under which each has its error and whether its type is any.
func (p *Pass) caught(visit func(handler syntax.Node, name string, broad bool)) {
	for _, c := range p.Nodes("except_clause", "catch_clause") {
		head, _, _ := strings.Cut(c.Text(), "{")
		if p.Language == "python" {
			head, _, _ = strings.Cut(c.Text(), ":")
		}
		name := exceptionName.FindStringSubmatch(strings.TrimSpace(strings.TrimRight(strings.TrimSpace(head), ") ")))
		if name != nil {
			visit(c, name[1], anyError.MatchString(head))
		}
	}
}

var exceptionName = regexp.MustCompile(`(\$?\w+)$`)

func (p *Pass) shownByPython() {
	report := func(n syntax.Node) {
		if !p.development(n) && p.FileHas(pythonWeb) {
			p.Report(n, "")
		}
	}
	p.caught(func(c syntax.Node, name string, broad bool) {
		shown := tells(name)
		for n := range c.Find("return_statement", "raise_statement", "expression_statement") {
			if text := n.Text(); broad && shown.MatchString(text) && p.Function(n) == p.Function(c) &&
				(p.answersInPython(n) || p.answeredLater(n, shown)) {
				report(n)
			}
		}
	})
	for _, n := range p.Nodes("return_statement") {
		if text := n.Text(); strings.Contains(text, "traceback.format_exc()") && pythonAnswer.MatchString(text) {
			report(n)
		}
	}
}

// answersInPython tells whether a statement sends what it holds to whoever asked.
func (p *Pass) answersInPython(n syntax.Node) bool {
	return pythonAnswer.MatchString(n.Text()) || n.Kind() == "return_statement" && p.servedByPython(p.Function(n))
}

// servedByPython tells whether a framework calls a function for a request: by its decorator, or by its name in a class of views.
func (p *Pass) servedByPython(fn syntax.Node) bool {
	before := fn.Parent().Text()
	if pythonRoute.MatchString(before[:min(200, len(before))]) {
		return true
	}
	return pythonVerb.MatchString(fn.ChildByField("name").Text()) && pythonView.MatchString(p.Class(fn).ChildByField("superclasses").Text())
}

// mostReturns bounds the returns of one function that are looked at.
const mostReturns = 20

// answeredLater tells whether a statement of a handler keeps the text of an error in a variable, which the function gives away below.
func (p *Pass) answeredLater(n syntax.Node, shown *regexp.Regexp) bool {
	a := n.NamedChild(0)
	kept := a.ChildByField("left")
	if a.Kind() != "assignment" || kept.Kind() != "identifier" || !shown.MatchString(a.ChildByField("right").Text()) {
		return false
	}
	used := regexp.MustCompile(`[{(,=:\s]` + kept.Text() + `[})\],\s]`)
	returns := MemoOf(p, "rule.returns", p.Function(n), func() (all []syntax.Node) {
		for r := range p.Function(n).Find("return_statement") {
			if all = append(all, r); len(all) == mostReturns {
				break
			}
		}
		return all
	})
	for _, r := range returns {
		if r.Start() > n.End() && r.End()-r.Start() < longestText && used.MatchString(r.Text()+" ") && p.answersInPython(r) {
			return true
		}
	}
	return false
}

func (p *Pass) shownByJavaScript() {
	for _, call := range p.Calls() {
		sent := p.Arg(call, 0)
		if !jsAnswer.MatchString(p.Callee(call)) || !sent.Valid() || p.development(call) {
			continue
		}
		status := p.receiver(call).Text()
		if strings.Contains(status, "(4") || strings.Contains(status, ".code(4") {
			continue
		}
		if strings.HasPrefix(status, "reply") && p.Method(call) == "send" && p.IsName(sent) {
			continue // Fastify hands an error to the handler of errors
		}
		if p.tellsError(sent, strings.Contains(status, "(5") || !strings.Contains(status, "(")) {
			p.Report(call, "")
		}
	}
	for _, n := range p.Nodes("return_statement") {
		if sent := Bare(n.NamedChild(0)); sent.Is("object") && p.servedByNest(p.Function(n)) && !p.development(n) && p.tellsError(sent, true) {
			p.Report(n, "")
		}
	}
}

// tellsError tells whether a value of JavaScript's holds an error that was caught, or what it says; its message counts where it is
// one of the server's own.
func (p *Pass) tellsError(sent Node, message bool) bool {
	found := false
	sent.Walk(func(n Node) bool {
		switch {
		case n.Kind() == "member_expression":
			object, property := n.ChildByField("object").Text(), n.ChildByField("property").Text()
			secret := OneOf(property, "stack", "sqlMessage", "sql") || OneOf(property, "message", "toString") && message
			found = found || secret && jsError.MatchString(object) && p.isCaught(n, object)
			return false
		case OneOf(n.Kind(), "identifier", "shorthand_property_identifier"):
			found = found || jsError.MatchString(n.Text()) && p.isCaught(n, n.Text())
		case OneOf(n.Kind(), "ternary_expression", "arrow_function", "function_expression"),
			n.Kind() == "binary_expression" && n.Operator() != "+":
			return false
		}
		return true
	})
	return found
}

// isCaught tells whether name is what a handler around n is given.
func (p *Pass) isCaught(n syntax.Node, name string) bool {
	if Any(Around(n, "catch_clause"), func(c Node) bool { return c.ChildByField("parameter").Text() == name }) {
		return true
	}
	for fn := p.Function(n); fn.Valid(); fn = p.Function(fn) {
		if names := p.ParameterNames(fn); len(names) > 0 && OneOf(name, names...) {
			return names[0] == name
		}
	}
	return false
}

func (p *Pass) shownByJava() {
	if flow.Administers(p.Path) { // who looks for the cause
		return
	}
	for _, call := range p.MethodCalls("printStackTrace") {
		to := p.Arg(call, 0).Text()
		if strings.Contains(to, "getWriter()") || strings.Contains(to, "getOutputStream()") && strings.Contains(to, "resp") {
			p.Report(call, "with its trace")
		}
	}
	p.caught(func(c syntax.Node, name string, broad bool) {
		shown := tells(name)
		for n := range c.Find("method_invocation") {
			if broad && javaAnswer.MatchString(p.Callee(n)) && shown.MatchString(n.ChildByField("arguments").Text()) {
				p.Report(n, "")
			}
		}
	})
}

func (p *Pass) shownByPHP() {
	if offline.MatchString(p.Path) {
		return
	}
	sinks := p.Nodes("echo_statement", "exit_statement", "print_intrinsic")
	sinks = append(sinks, p.CallsTo("die", "exit", "print_r", "var_dump", "printf")...)
	if len(sinks) == 0 || p.FileHas(commandLine) {
		return
	}
	for _, n := range sinks {
		if phpText.MatchString(n.Text()) && len(n.Text()) < 400 && !p.never(n) && !p.development(n) {
			p.Report(n, "")
		}
	}
	p.caught(func(c syntax.Node, name string, broad bool) {
		if !broad {
			return
		}
		shown := tells(name)
		for _, n := range sinks {
			if Inside(n, c) && shown.MatchString(n.Text()) && !p.development(n) {
				p.Report(n, "")
			}
		}
	})
}

// never: what stands behind "or" after a text runs never.
func (p *Pass) never(n syntax.Node) bool {
	up := n.Parent()
	if up.Kind() != "binary_expression" || up.Operator() != "or" && up.Operator() != "||" {
		return false
	}
	before := up.ChildByField("left")
	return !Within(before, func(c Node) bool { return p.IsCall(c) || c.Kind() == "object_creation_expression" })
}

func (p *Pass) shownByGo() {
	for _, call := range p.Calls() {
		name := p.Callee(call)
		answer := goAnswer.MatchString(name)
		arguments := call.ChildByField("arguments").Text()
		if strings.HasPrefix(name, "fmt.") && !goWriter.MatchString(arguments) {
			continue
		}
		if m := goText.FindString(arguments); !answer || m == "" || strings.Contains(arguments, "StatusBadRequest") {
			continue
		} else if m == "debug.Stack()" || p.fromDatabase(call) {
			p.Report(call, "")
		}
	}
}

// fromDatabase tells whether err, as it stands at n, is what a call of a database gave.
func (p *Pass) fromDatabase(n syntax.Node) bool {
	last, at := "", -1
	for _, a := range p.Assignments(p.Scope(n)) {
		names := a.Target.Text()
		if (names == "err" || strings.HasSuffix(names, ", err")) && a.Node.Start() < n.Start() && a.Node.Start() > at {
			last, at = a.Value.Text(), a.Node.Start()
		}
	}
	return goDatabase.MatchString(last)
}
