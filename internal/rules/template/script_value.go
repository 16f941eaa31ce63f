package template

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ScriptValue(p *rule.Pass) {
	page := pageOf(p)
	if page == nil || page.dialect.contextual {
		return
	}
	for _, o := range page.outputs {
		if !o.spot.script || !o.inPage() {
			continue
		}
		if m := stringified.FindStringSubmatch(o.expr); m != nil {
			if o.raw && o.spot.place == inScript && (page.judge(m[1]) != unknown || peoples.MatchString(m[1])) {
				p.ReportLine(o.line, "</script> in "+m[1]+" ends the script")
			}
			continue
		}
		if o.raw || forScripts.MatchString(o.expr) {
			continue // template/raw-output's
		}
		whose := page.judge(o.expr)
		if s := o.spot; s.place == inScript && (s.string == '"' || s.string == '\'') {
			if whose == sent { // quotes are escaped, backslashes are not
				p.ReportLineAs(o.line, "low", quoted(o.expr))
			}
		} else if whose != unknown {
			p.ReportLine(o.line, quoted(o.expr))
		}
	}
}

var (
	// stringified is JSON that keeps </script> as it is.
	stringified = regexp.MustCompile(`^\s*JSON\.stringify\(\s*([\w.]+)\s*\)\s*;?\s*$`)
	peoples     = regexp.MustCompile(`(?i)^(locals\.)?(user|comment|post|message|review|profile|note|article)s?$`)
	forScripts  = regexp.MustCompile(`(?i)json|escapejs|escape_js|js_?escape|jsstring|escape_javascript|^\s*j[ (]|` +
		`e\(['"]js['"]\)|escape\(['"]js['"]\)|Js::from|encodeURI|urlencode|addslashes`)
)
