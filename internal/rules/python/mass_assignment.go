package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	recordClass = regexp.MustCompile(`^([a-z_]\w*\.)*[A-Z][a-z]\w*$|\.(objects\.(create|update_or_create|` +
		`get_or_create|filter|get)|update|insert)$`)
	// Classes that take out what they know, or that are no records.
	fieldsKnown = regexp.MustCompile(`(Form|Schema|Serializer|Request|Response|Filter|Query|Params|Dto|DTO|Config|Settings|Error|Exception|` +
		`Command|Event|In|Create|Update|Input|Model)$`)
	wholeBody = regexp.MustCompile(`^(flask\.)?(self\.)?request\.(json|form|data|POST|get_json\(.{0,20}\))` +
		`(\.(dict|to_dict|copy)\(.{0,20}\))?$`)
	bodyItems = regexp.MustCompile(`\brequest\.(json|form|data|POST|get_json\(.{0,20}\))\.items\(\)`)
)

func (*checks) MassAssignment(p *rule.Pass) {
	for _, splat := range p.Nodes("dictionary_splat") {
		call := splat.Parent().Parent()
		name := p.Callee(call)
		if p.IsCall(call) && recordClass.MatchString(name) && !fieldsKnown.MatchString(name) && isBody(p, splat.NamedChild(0)) {
			p.Report(call, "")
		}
	}
	for _, call := range p.Calls() {
		name := p.Callee(call)
		switch {
		case strings.HasSuffix(name, ".__dict__.update") && isBody(p, p.Arg(call, 0)):
			p.Report(call, "")
		case name == "setattr" && loopsOverBody(p, call):
			p.Report(call, "")
		}
	}
}

// isBody tells whether n is the whole of a request's body, or all of its items.
func isBody(p *rule.Pass, n rule.Node) bool {
	if n.Kind() == "identifier" {
		n = p.Only(p.Scope(n), n)
	}
	if n.Kind() == "dictionary_comprehension" {
		return bodyItems.MatchString(n.Text()) && !strings.Contains(n.Text(), " in [") && !strings.Contains(n.Text(), "k in ") &&
			!strings.Contains(n.Text(), "key in ")
	}
	return wholeBody.MatchString(n.Text())
}

// loopsOverBody tells whether a call of setattr sets whatever a request names: the name is what a loop over its items gives, and no
// condition stands between.
func loopsOverBody(p *rule.Pass, call rule.Node) bool {
	for up := call.Parent(); up.Valid(); up = up.Parent() {
		switch up.Kind() {
		case "if_statement":
			if asks := up.ChildByField("condition").Text(); !strings.HasPrefix(asks, "hasattr(") {
				return false
			}
		case "for_statement":
			over, items := strings.CutSuffix(up.ChildByField("right").Text(), ".items()")
			names := up.ChildByField("left")
			if !items || names.NamedChild(0).Text() != p.Arg(call, 1).Text() {
				return false
			}
			object := up.ChildByField("right").ChildByField("function").ChildByField("object")
			return wholeBody.MatchString(over) || isBody(p, object)
		case "function_definition":
			return false
		}
	}
	return false
}
