package config

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"go.yaml.in/yaml/v3"
)

var (
	foreignRef = regexp.MustCompile(`github\.event\.pull_request\.head\.(sha|ref)|github\.head_ref|refs/pull/\$\{\{|` +
		`github\.event\.workflow_run\.head_(sha|branch)|github\.event\.pull_request\.merge_commit_sha`)
	foreignProgram = regexp.MustCompile(`\b(npm|yarn|pnpm|npx|bun|pip3?|pytest|make|mvn|gradle|gradlew|bundle|rake|cargo|dotnet|composer|` +
		`tox|nox|poetry|uv|hatch|cmake|bazel|docker build|docker compose|go (build|test|run|generate)|(bash|sh|node|python3?) [\w./-]+)\b|` +
		`(^|[\s;&])\./`)
	gate = regexp.MustCompile(`author_association|github\.actor\s*==|labels|\.permission|head\.repo\.full_name\s*==|head\.repo\.fork|` +
		`github\.event\.label|user\.login\s*==|head_repository|check_suite|event\s*==\s*'push'`)
)

func (*checks) WorkflowUntrustedCheckout(p *rule.Pass) {
	for _, w := range workflows(p) {
		if !w.has("pull_request_target", "workflow_run") || onlyLabeled(w) {
			continue
		}
		for _, job := range entries(get(w.root, "jobs")) {
			if get(job.value, "environment") != nil || gate.MatchString(scalar(get(job.value, "if"))) {
				continue
			}
			reportForeignSteps(p, job.value)
		}
	}
}

// reportForeignSteps reports the checkout of a stranger's code that later steps run.
func reportForeignSteps(p *rule.Pass, job *yaml.Node) {
	at := 0
	for _, step := range items(get(job, "steps")) {
		ref := get(step, "with", "ref")
		if strings.HasPrefix(scalar(get(step, "uses")), "actions/checkout") && foreignRef.MatchString(scalar(ref)) &&
			!gate.MatchString(scalar(get(step, "if"))) {
			at = ref.Line
			continue
		}
		if at > 0 && (foreignProgram.MatchString(scalar(get(step, "run"))) || strings.HasPrefix(scalar(get(step, "uses")), "./")) {
			p.ReportLine(at, "")
			return
		}
	}
}

// onlyLabeled: somebody of the repository has looked at the code, and marked it.
func onlyLabeled(w workflow) bool {
	types := items(get(w.root, "on", "pull_request_target", "types"))
	return len(types) == 1 && scalar(types[0]) == "labeled"
}
