//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// job plays an action's steps as a runner does. Steps that use other actions are only noted.
type job struct {
	t       *testing.T
	context map[string]string // what expressions may name
	temp    string            // the runner's directory
	work    string
	used    []string
	log     string
}

// newJob has a repository with one finding, and gh and a deeprepo on the PATH that stand for the real ones.
func newJob(t *testing.T, event string) *job {
	t.Helper()
	j := &job{t: t, temp: t.TempDir(), work: t.TempDir(), context: map[string]string{
		"github.event_name": event, "github.token": "secret", "github.repository": "o/r", "github.base_ref": "main", "github.ref_name": "main",
		"github.run_id": "7", "github.event.pull_request.number": "5", "github.action_ref": "main",
		"github.action_repository": "deeprepo/deeprepo", "runner.os": "Linux", "runner.arch": "X64",
		"github.event.pull_request.head.repo.fork": "false", "github.event.pull_request.base.sha": ""}}
	j.context["runner.temp"] = j.temp
	var err error
	if j.context["github.action_path"], err = filepath.Abs(repository); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	j.write("bin/deeprepo", "#!/bin/sh\nexec '"+exe+"' \"$@\"\n")
	j.write("bin/go", "#!/bin/sh\necho \"$GOBIN\" \"$@\" >>"+j.temp+"/go.log\n")
	j.write("bin/gh", `#!/bin/bash
echo "$*" >>"`+j.temp+`/gh.log"
case "$1 $2" in
"release download") cp "`+j.temp+`"/released/* "$7" ;;
"api --paginate") if command -v jq >/dev/null; then jq -r "$5" "`+j.temp+`/comments.json"; else cat "`+j.temp+`/ids"; fi ;;
esac
`)
	j.write("comments.json", "[]")
	j.write("ids", "")
	if err := os.WriteFile(filepath.Join(j.work, "app.py"), []byte(oneFinding), 0o600); err != nil {
		t.Fatal(err)
	}
	return j
}

const oneFinding = `import os, sys
from flask import Flask, request
app = Flask(__name__)

@app.route("/run")
def run():
    return str(os.system("ls " + request.args["name"]))
`

func (j *job) write(name, text string) {
	j.t.Helper()
	name = filepath.Join(j.temp, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		j.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o700); err != nil { // #nosec G306 -- some are programs
		j.t.Fatal(err)
	}
}

func (j *job) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(j.temp, name))
	return string(text)
}

// value replaces the expressions in a text. What the context lacks is an error, but for outputs that no step has set.
func (j *job) value(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string { return j.look(expression.FindStringSubmatch(e)[1]) })
}

func (j *job) look(name string) string {
	v, known := j.context[name]
	if !known && !strings.HasPrefix(name, "steps.") {
		j.t.Errorf("an unknown expression %s", name)
	}
	return v
}

// holds evaluates a condition of comparisons joined by &&.
func (j *job) holds(condition string) bool {
	for _, term := range strings.Split(condition, " && ") {
		if term == "" {
			continue
		}
		m := regexp.MustCompile(`^(\S+) (==|!=) '?([a-z_]+)'?$`).FindStringSubmatch(term)
		if m == nil {
			j.t.Fatalf("the condition %q", term)
		}
		if (j.look(m[1]) == m[3]) != (m[2] == "==") {
			return false
		}
	}
	return true
}

// play runs the steps until one fails, and gives its exit code and name.
func (j *job) play(inputs map[string]string) (int, string) {
	j.t.Helper()
	a := readYAML[action](j.t, repository+"action.yml")
	for name, input := range a.Inputs {
		j.context["inputs."+name] = j.value(input.Default)
	}
	for name, text := range inputs {
		j.context["inputs."+name] = text
	}
	j.used, j.log = nil, ""
	for _, s := range a.Runs.Steps {
		if !j.holds(s.If) {
			continue
		}
		if s.Uses != "" {
			line := strings.Split(s.Uses, "@")[0]
			for _, key := range []string{"key", "restore-keys", "path", "sarif_file", "go-version-file"} {
				if v := s.With[key]; v != "" {
					line += " " + j.value(v)
				}
			}
			j.used = append(j.used, line)
			continue
		}
		if code := j.shell(s); code != 0 {
			return code, s.Name
		}
	}
	return 0, ""
}

// shell runs a step's script as GitHub's runner does.
func (j *job) shell(s actionStep) int {
	j.t.Helper()
	j.write("output", "")
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
	cmd.Dir = j.work
	cmd.Env = []string{"PATH=" + filepath.Join(j.temp, "bin") + ":" + os.Getenv("PATH"), "HOME=" + j.temp, "RUNNER_TEMP=" + j.temp,
		"GITHUB_OUTPUT=" + j.temp + "/output", "GITHUB_PATH=" + j.temp + "/path", "GITHUB_STEP_SUMMARY=" + j.temp + "/summary.md",
		"DEEPREPO_TEST_AS_PROGRAM=1", "DEEPREPO_CACHE=" + cacheDir(j.t)}
	for key, v := range s.Env {
		cmd.Env = append(cmd.Env, key+"="+j.value(v))
	}
	out, err := cmd.CombinedOutput()
	j.log += string(out)
	if err != nil && cmd.ProcessState == nil {
		j.t.Fatal(err)
	}
	for line := range strings.Lines(j.read("output")) {
		if key, v, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok {
			j.context["steps."+s.ID+".outputs."+key] = v
		}
	}
	return cmd.ProcessState.ExitCode()
}

// commands are the lines of the log that a runner would obey: those between stop-commands and its end are none.
func (j *job) commands() (all []string) {
	stopped := ""
	for line := range strings.Lines(j.log) {
		line = strings.TrimSpace(line)
		switch {
		case stopped != "":
			if line == "::"+stopped+"::" {
				stopped = ""
			}
		case strings.HasPrefix(line, "::stop-commands::"):
			stopped = strings.TrimPrefix(line, "::stop-commands::")
		case strings.HasPrefix(line, "::") || strings.Contains(line, "##["):
			all = append(all, line)
		}
	}
	return all
}
