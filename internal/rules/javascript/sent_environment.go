package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// secretVariable matches names of variables of the environment that hold credentials.
var secretVariable = regexp.MustCompile(`(?i)(SECRET|PASSWORD|PASSWD|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY|TOKEN|DATABASE_URL|` +
	`MONGO\w*_UR[IL]|DB_URL|CREDENTIALS)(_ID)?$`)

// whether says of a variable only that it is set, or how long it is.
var whether = regexp.MustCompile(`^(\s*\?\s*['"]|\??\.length\b|\s*(===|!==|==|!=)|\s*\?\s*(true|1)\b)`)

// SentEnvironment looks for answers that hold the environment, or one of its secrets.
func (*checks) SentEnvironment(p *rule.Pass) {
	src, told := p.Tree.Source(), map[rule.Node]bool{}
	for _, n := range p.Nodes("member_expression") {
		if n.Text() != "process.env" {
			continue
		}
		up, whole := n.Parent(), n
		name := up.ChildByField("property").Text()
		if up.Is("subscript_expression") {
			name, _, _ = p.String(up.ChildByField("index"))
		}
		if up.Is("member_expression", "subscript_expression") {
			if whole = up; !secretVariable.MatchString(name) {
				continue
			}
		} else if !up.Is("pair", "arguments", "object", "spread_element", "return_statement") {
			continue
		}
		if whether.Match(src[whole.End():min(len(src), whole.End()+20)]) || whole.Parent().Is("unary_expression", "call_expression") {
			continue
		}
		if arguments := whole.Parent(); arguments.Is("arguments") && !p.IsAnswer(arguments.Parent()) {
			continue // of another function: a token that is signed
		}
		if answer := p.Answer(whole); answer.Valid() && !told[answer] { // one answer is one fault
			told[answer] = true
			p.Report(whole, "")
		}
	}
}
