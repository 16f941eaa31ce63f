package rule

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// CheckSecrets is the Check of every language's hard-coded-secret rule: constants given to names, fields, keys and arguments that
// say credential or are a framework's key, passwords compared with a constant, and strings whose form gives them away.
func CheckSecrets(p *Pass) {
	for kind, fields := range p.grammar.assigns {
		if kind == "for_statement" || kind == "for_in_clause" {
			continue
		}
		for _, n := range p.Nodes(kind) {
			for _, a := range p.split(n, fields) {
				p.secretValue(a.Value, lastWord(a.Target.Text()))
			}
		}
	}
	for _, n := range p.Nodes("pair", "keyword_argument", "public_field_definition", "field_definition", "array_element_initializer",
		"keyed_element", "const_spec", "const_element", "property_element", "default_parameter", "typed_default_parameter") {
		key := Either(n.ChildByField("key"), n.ChildByField("name"))
		if !key.Valid() && n.NumNamed() > 1 {
			key = n.NamedChild(0)
		}
		value := n.ChildByField("value")
		if !value.Valid() && n.NumNamed() > 1 {
			value = n.NamedChild(n.NumNamed() - 1)
		}
		for value.Valid() && OneOf(value.Kind(), "literal_element", "expression_list", "property_initializer") && value.NumNamed() == 1 {
			value = value.NamedChild(0)
		}
		if key.Valid() && value.Valid() && !strings.ContainsAny(strings.Trim(key.Text(), ":"), ":/ ") {
			if !searchKey(n) && !key.Is("computed_property_name") && !reported(n) {
				p.secretValue(value, lastWord(key.Text()))
			}
		}
	}
	p.secretArguments()
	p.secretComparisons()
	for _, kind := range p.grammar.strings {
		for _, n := range p.Nodes(kind) {
			if v, _, ok := p.String(n); ok && len(v) >= 16 && len(v) < 16<<10 {
				p.secretText(n, v)
			}
		}
	}
}

// searchKey reports the key of a search that pages ask themselves, as Algolia's: it stands beside the name of an index.
func searchKey(pair syntax.Node) bool {
	return pair.Is("pair") && pair.Parent().End()-pair.Parent().Start() < longestText && searched.MatchString(pair.Parent().Text())
}

var searched = regexp.MustCompile(`\bindexName['"]?\s*:`)

// reported reports the key by which a program sends its own errors and counts to a service: it ships with every copy.
func reported(pair syntax.Node) bool {
	head, _, _ := strings.Cut(pair.Enclosing("call_expression", "composite_literal", "call").Text(), "{")
	return reporter.MatchString(head)
}

var reporter = regexp.MustCompile(`(?i)\b(bugsnag|sentry|rollbar|segment|posthog|amplitude|mixpanel)\b`)

// secretText reports a string whose own form says what it is.
func (p *Pass) secretText(n syntax.Node, v string) {
	switch kind := SecretToken(v); {
	case p.public(kind), kind == addressPassword && n.Parent().Is("expression_statement"): // a docstring shows how addresses look
	case kind == addressPassword && local.MatchString(v) && p.isDefault(n):
	case kind == addressPassword && local.MatchString(v):
		p.ReportAs(n, taxonomy.Milder(p.rule.Severity), kind)
	case kind != "":
		p.Report(n, kind)
	case WeakConnection(v) && !p.development(n) && !n.Parent().Is("expression_statement"):
		p.ReportAs(n, taxonomy.Milder(p.rule.Severity), "weak password in a database's address")
	}
}

// translation matches files that hold what users read.
var translation = regexp.MustCompile(`(^|/)(lang|langs|languages|locale|locales|i18n|l10n|translations?)/`)

// generator matches files that write the beginnings of programs, with what stands there until somebody fills in their own.
var generator = regexp.MustCompile(`(^|/)(generators|scaffolds?|defaults)/`)

// public: a key of this kind is made to be seen in a browser.
func (p *Pass) public(kind string) bool {
	return kind == "google api key" && p.family() == "javascript"
}

// isDefault tells whether a string takes the place of a setting that is not given.
func (p *Pass) isDefault(n syntax.Node) bool {
	return n.Parent().Is("keyword_argument") && n.Parent().ChildByField("name").Text() == "default" ||
		n.Parent().Is("argument_list", "arguments") && environment.MatchString(p.Callee(n.Parent().Parent()))
}

var local = regexp.MustCompile(`@(tcp\()?(localhost|127\.0\.0\.1|0\.0\.0\.0)\b`)

// secretValue reports a value that is given to name, where it is a credential.
func (p *Pass) secretValue(value syntax.Node, name string) {
	at, variable := p.literal(value), ""
	fallback := !at.Valid()
	if fallback {
		at, variable = p.fallback(value)
	}
	v, holes, ok := p.String(at)
	if !ok || holes || translation.MatchString(p.Path) || generator.MatchString(p.Path) {
		return
	}
	if p.public(SecretToken(v)) {
		return
	}
	key := KeyInUse(name, v) || variable != "" && KeyInUse(variable, v)
	if !key && !Secret(name, v) && !(variable != "" && Secret(variable, v)) {
		return
	}
	if key && (p.development(at) || strings.ContainsAny(v, " \t") && !signsPages(p, name)) {
		return
	}
	if fallback && !signingName.MatchString(name) && !signingName.MatchString(variable) && (notInUse.MatchString(v) || redact.Stock(v)) {
		return
	}
	severity, detail := p.rule.Severity, "value of "+name
	if fallback {
		severity, detail = taxonomy.Milder(severity), "value of "+variable+" where the environment has none"
	}
	p.ReportAs(at, severity, detail)
}

// signsPages: a key that may be a sentence, because its name is a framework's own; elsewhere a sentence is a label.
func signsPages(p *Pass, name string) bool {
	return OneOf(p.Language, "python", "ruby", "go", "java") || strings.ToUpper(name) == name
}

// literal is the string that n is, or is made of by a change of its type; the zero Node for anything else.
func (p *Pass) literal(n syntax.Node) syntax.Node {
	for range 4 {
		n = Bare(n)
		switch kind := n.Kind(); {
		case p.IsString(n):
			return n
		case kind == "expression_list" && n.NumNamed() > 1:
			return syntax.Node{}
		case OneOf(kind, "expression_list", "as_expression", "satisfies_expression", "type_conversion_expression") && n.NumNamed() > 0:
			n = Either(n.ChildByField("operand"), n.NamedChild(0))
		case p.IsCall(n):
			switch receiver := p.receiver(n); {
			case OneOf(p.Method(n), "encode", "getBytes", "toCharArray", "freeze", "trim") && p.IsString(receiver):
				n = receiver
			case OneOf(p.Callee(n), "Buffer.from", "bytes", "SecretStr", "Secret", "[]byte"):
				n = p.Arg(n, 0)
			default:
				return syntax.Node{}
			}
		default:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}

// receiver is what a method is called on.
func (p *Pass) receiver(call syntax.Node) syntax.Node {
	f := call.ChildByField("function")
	if !f.Valid() {
		return Either(call.ChildByField("object"), call.ChildByField("receiver"))
	}
	if m, ok := p.grammar.members[f.Kind()]; ok && m[0] != "" {
		return f.ChildByField(m[0])
	}
	return syntax.Node{}
}

var environment = regexp.MustCompile(`^(os\.environ\.get|os\.getenv|getenv|environ\.get|env|env\.str|config|decouple\.config|` +
	`settings\.get|` +
	`ENV\.fetch|System\.getenv\.getOrDefault|getEnv|getenvDefault|get_env|getEnvOrDefault|viper\.GetString)$`)

// fallback finds the constant that takes the place of a variable of the environment which is not set, and the variable's name.
func (p *Pass) fallback(n syntax.Node) (constant syntax.Node, variable string) {
	n = Bare(n)
	switch kind := n.Kind(); {
	case p.IsCall(n) && environment.MatchString(p.Callee(n)):
		args := p.Args(n)
		constant = p.Keyword(n, "default")
		if len(args) > 1 {
			constant = args[1]
		}
		if len(args) > 0 {
			variable, _, _ = p.String(args[0])
		}
	case OneOf(kind, "binary_expression", "boolean_operator", "binary") && OneOf(n.Operator(), "||", "??", "or", "?:"):
		left := n.ChildByField("left")
		if text := left.Text(); strings.Contains(text, "env") || strings.Contains(text, "ENV") {
			constant, variable = n.ChildByField("right"), lastWord(strings.TrimRight(text, `)"'] `))
		}
	case kind == "conditional_expression" && p.Language == "php" && strings.Contains(n.NamedChild(0).Text(), "env("):
		constant, variable = n.ChildByField("alternative"), lastWord(strings.TrimRight(n.NamedChild(0).Text(), `)"'] `))
	}
	if !constant.Valid() || variable == "" {
		return syntax.Node{}, ""
	}
	return p.literal(constant), variable
}

var (
	notInUse = regexp.MustCompile(`(?i)(^|[_./\-])(dev|develop|development|local|localhost|test|tests|testing|ci|debug|example|` +
		`sample|demo|docs?|factories|seeds?|seeders?)([_./\-]|$)`)
	notInUseText = regexp.MustCompile(`(?i)\b(debug|dev|is_?dev|development|test|testing)\b|(Development|Testing|Test|Dev|` +
		`Local)(Config|Settings)?\b`)
)

// development tells whether n is a value for developers: in a file, a class or a branch that says so.
func (p *Pass) development(n syntax.Node) bool {
	if notInUse.MatchString(p.Path) {
		return true
	}
	if class := p.Class(n); class.Valid() && notInUseText.MatchString(class.ChildByField("name").Text()) {
		return true
	}
	return Any(Around(n, "if_statement", "ternary_expression", "conditional_expression", "if", "unless", "pair"), func(up Node) bool {
		what := Either(up.ChildByField("condition"), up.ChildByField("key"))
		if besides := up.ChildByField("alternative"); production.MatchString(what.Text()) && besides.Valid() && Inside(n, besides) {
			return true
		}
		return notInUseText.MatchString(what.Text())
	})
}

// production matches a condition that holds in production; what is done otherwise, no user sees.
var production = regexp.MustCompile(`={2,3}\s*['"]production['"]`)

func lastWord(target string) string {
	target = strings.TrimRight(target, `"']`)
	if i := strings.LastIndexAny(target, `."'>[:`); i >= 0 {
		target = target[i+1:]
	}
	return target
}
