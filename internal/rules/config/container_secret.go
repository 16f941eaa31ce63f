package config

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"go.yaml.in/yaml/v3"
)

func (*checks) ContainerSecret(p *rule.Pass) {
	if forDevelopers(p) {
		return
	}
	for _, in := range instructions(p) {
		if in.name == "ENV" || in.name == "ARG" {
			reportSecrets(p, in.pairs())
		}
	}
	seen := map[*yaml.Node]bool{} // services may share one
	all := services(p)
	if onlyStock(all) {
		return
	}
	for _, s := range all {
		environment := get(s.node, "environment")
		if seen[environment] {
			continue
		}
		seen[environment] = true
		var all []variable
		for _, e := range entries(environment) {
			all = append(all, variable{e.key.Value, scalar(e.value), e.key.Line})
		}
		for _, n := range items(environment) {
			name, value, _ := strings.Cut(scalar(n), "=")
			all = append(all, variable{name, value, n.Line})
		}
		reportSecrets(p, all)
	}
	for _, pod := range pods(p) {
		for _, c := range items(get(pod, "containers")) {
			var all []variable
			for _, e := range items(get(c, "env")) {
				all = append(all, variable{scalar(get(e, "name")), scalar(get(e, "value")), e.Line})
				if v := get(e, "value"); v != nil {
					all[len(all)-1].line = v.Line
				}
			}
			reportSecrets(p, all)
		}
	}
}

var (
	passwordName = regexp.MustCompile(`(?i)pass|pwd`)
	innerAddress = regexp.MustCompile(`://[^/@]*@[\w-]+(:\d+)?(/|$)`)
)

// reportSecrets reports the keys and tokens among variables. Weak passwords of databases are left out: they are those of a network
// that only the containers see.
func reportSecrets(p *rule.Pass, all []variable) {
	for _, v := range all {
		if kind := rule.SecretToken(v.value); kind != "" && !innerAddress.MatchString(v.value) {
			p.ReportLine(v.line, kind)
		} else if rule.Secret(v.name, v.value) || rule.KeyInUse(v.name, v.value) && !passwordName.MatchString(v.name) {
			p.ReportLine(v.line, "value of "+v.name)
		}
	}
}
