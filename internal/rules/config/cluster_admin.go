package config

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ClusterAdmin(p *rule.Pass) {
	for _, d := range documents(p, "apiVersion:", "kind:", "roleRef:") {
		role := scalar(get(d, "roleRef", "name"))
		if scalar(get(d, "kind")) != "ClusterRoleBinding" {
			continue
		}
		for _, s := range items(get(d, "subjects")) {
			name := get(s, "name")
			switch who := scalar(name); {
			case who == "system:anonymous", who == "system:unauthenticated" && role != "system:public-info-viewer",
				role == "cluster-admin" && rule.OneOf(who, "default", "system:authenticated", "system:serviceaccounts"):
				p.ReportLine(name.Line, "")
			}
		}
	}
}
