package java

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var noSession = regexp.MustCompile(`(?i)STATELESS|SessionCreationPolicy\.NEVER|jwt|bearer|oauth2ResourceServer`)

// CSRFProtectionOff looks for Spring Security without the check in an application where a form logs in, so that a cookie says
// who somebody is.
func (*checks) CSRFProtectionOff(p *rule.Pass) {
	if len(p.MethodCalls("formLogin")) == 0 || noSession.MatchString(p.Tree.Root().Text()) {
		return
	}
	for _, call := range p.MethodCalls("csrf") {
		up := call.Parent()
		arg := p.Arg(call, 0)
		switch {
		case up.Is("method_invocation") && up.ChildByField("name").Text() == "disable",
			arg.Is("method_reference") && rule.OneOf(arg.Text(), "AbstractHttpConfigurer::disable", "CsrfConfigurer::disable"),
			arg.Is("lambda_expression") && arg.ChildByField("body").ChildByField("name").Text() == "disable":
			p.ReportLine(call.ChildByField("name").Line(), "")
		}
	}
}
