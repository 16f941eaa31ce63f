package untrusted

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) XPathInjection(p *rule.Pass)    { p.ReportFlows("xpath") }
func (*checks) LDAPInjection(p *rule.Pass)     { p.ReportFlows("ldap") }
func (*checks) TemplateInjection(p *rule.Pass) { p.ReportFlows("template") }
func (*checks) HeaderInjection(p *rule.Pass)   { p.ReportFlows("header") }
func (*checks) LogInjection(p *rule.Pass)      { p.ReportFlows("log") }
func (*checks) TrustBoundary(p *rule.Pass)     { p.ReportFlows("trust") }
func (*checks) NoSQLInjection(p *rule.Pass)    { p.ReportFlows("nosql") }
func (*checks) CodeInjection(p *rule.Pass)     { p.ReportFlows("code") }
