package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var (
	denial  = regexp.MustCompile(`(?i)^\(?\w*\.?\w*(permission|forbidden|unauthori[sz]ed|accessdenied|notallowed|denied)\w*`)
	asksWho = regexp.MustCompile(`(?i)\b\w*(user|actor|caller|who|account|principal|role|roles|rights|scope|scopes|member|owner|operator|clerk|person)\w*\b`)
)

// authCheck removes the question whether somebody may do what follows.
func authCheck() plant.Operator {
	return plant.Operator{
		Name: "python/auth-check", Language: "python", Split: train, Category: "auth", CWE: "CWE-862", Severity: "critical", Hint: "raise ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("if_statement") {
				raised, ok := guard(n)
				cond := n.ChildByField("condition")
				if !ok || !denial.MatchString(raised.NamedChild(0).Text()) || !asksWho.MatchString(cond.Text()) || !n.Enclosing("function_definition").Valid() {
					continue
				}
				if e, ok := s.drop(n); ok {
					all = append(all, plant.Site{Edits: []plant.Edit{e}, Description: say(
						"%s no longer checks who asks: without `if %s: raise` everybody may do it.", where(n), short(cond))})
				}
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`def remove(user, rows, key):`, `    if not user.may("delete"):`, `        raise PermissionError("no")`, `    del rows[key]`),
				code(`def remove(user, rows, key):`, `    del rows[key]`),
				code(`import app`, `from unittest import mock`, `try:`, `    app.remove(mock.Mock(may=lambda right: False), {1: 1}, 1)`, `    assert False`, `except PermissionError:`, `    pass`)),
			sample(code(`class AccessDenied(Exception): pass`, ``, `def close(who, box):`, `    box.append(who)`, `    # Only admins.`, `    if (who["role"] not in`, `            ("admin",)):`, `        raise AccessDenied`),
				code(`class AccessDenied(Exception): pass`, ``, `def close(who, box):`, `    box.append(who)`),
				code(`import app`, `try:`, `    app.close({"role": "guest"}, [])`, `    assert False`, `except app.AccessDenied:`, `    pass`)),
		},
		Never: []string{
			code(`def remove(user, rows, key):`, `    del rows[key]`),
			code(`def open_(ticket, now):`, `    if ticket.until < now:`, `        raise PermissionError("too late")`, `    return ticket`),
			code(`def rename(user, name):`, `    if not user or not name:`, `        raise ValueError("no name")`, `    user.name = name`),
		},
	}
}
