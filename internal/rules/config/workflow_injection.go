package config

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	expression = regexp.MustCompile(`\$\{\{([^{}]*)\}\}`)
	foreign    = regexp.MustCompile(`\bgithub\.event\.(issue|pull_request|discussion|comment|review|review_comment)\.(title|body)\b|` +
		`\bgithub\.event\.pull_request\.head\.(ref|label|repo\.default_branch)\b|\bgithub\.head_ref\b|` +
		`\bgithub\.event\.workflow_run\.(head_branch|display_title|head_commit\.(message|author\.(name|email)))\b|` +
		`\bgithub\.event\.pages\[?[^}]*page_name`)
	decides = regexp.MustCompile(`[=!]=|&&|\b(contains|startsWith|endsWith|hashFiles)\(`)
)

func (*checks) WorkflowInjection(p *rule.Pass) {
	for _, w := range workflows(p) {
		if !w.byStrangers() { // a fork's pull request runs without the repository's rights, by a workflow that it may change
			continue
		}
		for _, job := range entries(get(w.root, "jobs")) {
			for _, step := range items(get(job.value, "steps")) {
				code := get(step, "run")
				if strings.HasPrefix(scalar(get(step, "uses")), "actions/github-script") {
					code = get(step, "with", "script")
				}
				textLines(p, code, func(line int, text string) {
					for _, m := range expression.FindAllStringSubmatch(text, -1) {
						if foreign.MatchString(m[1]) && !decides.MatchString(m[1]) {
							p.ReportLine(line, strings.TrimSpace(m[1]))
							return
						}
					}
				})
			}
		}
	}
}
