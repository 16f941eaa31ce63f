//go:build unix

package cli

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"go.yaml.in/yaml/v3"
)

// started is the text of a file that init writes, for a release.
func started(t *testing.T, from string) string {
	t.Helper()
	text, err := startText(from, "v1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What init's settings propose is accepted when it is taken up.
func TestStartingSettingsAreSettings(t *testing.T) {
	text := started(t, "deeprepo.toml")
	taken := regexp.MustCompile(`(?m)^# ([a-z_]+ = )`).ReplaceAllString(text, "$1")
	if n := strings.Count(taken, "\n") - strings.Count(taken, "\n#"); n < 8 || !strings.HasPrefix(taken, "# ") {
		t.Fatalf("%d lines are settings:\n%s", n, taken)
	}
	above, _, _ := strings.Cut(taken, "# ---")
	read := func(text string) *configFile {
		name := filepath.Join(t.TempDir(), configName)
		runtest.WriteFile(t, name, text)
		f, err := readConfigFile(name, inCodebase)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	given := func(string) bool { return false }
	stranger := func(*configFile) bool { return true }
	all := merge([]*configFile{read(taken)}, given, stranger)
	if len(all.refused) != 5 {
		t.Errorf("below the line stands what a codebase may set: %v are refused", all.refused)
	}
	if none := merge([]*configFile{read(above)}, given, stranger); none.refusal() != nil || len(none.files[0].settings) < 4 {
		t.Errorf("above the line stands what needs --trust-config: %v", none.refusal())
	}
}

// What the files of init name is in this repository.
func TestStartingFilesNameWhatIsThere(t *testing.T) {
	var workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct{ Steps []actionStep }
	}
	if err := yaml.Unmarshal([]byte(started(t, "github.yml")), &workflow); err != nil {
		t.Fatal(err)
	}
	inputs, uses := readYAML[action](t, repository+"action.yml").Inputs, 0
	for _, s := range workflow.Jobs["review"].Steps {
		if name, version, _ := strings.Cut(s.Uses, "@"); name == "deeprepo/deeprepo" {
			uses++
			for key := range s.With {
				if _, known := inputs[key]; !known || version != "v1.2.3" {
					t.Errorf("%s takes no %s", s.Uses, key)
				}
			}
		}
	}
	if uses != 1 || workflow.Permissions["pull-requests"] != "write" || workflow.Permissions["security-events"] != "write" {
		t.Errorf("%+v", workflow)
	}
	var commit struct {
		Repos []struct {
			Repo, Rev string
			Hooks     []struct{ ID string }
		}
	}
	if err := yaml.Unmarshal([]byte(started(t, "pre-commit.yaml")), &commit); err != nil {
		t.Fatal(err)
	}
	hooks := readYAML[[]struct {
		ID, Entry, Language string
		Args                []string
	}](t, repository+".pre-commit-hooks.yaml")
	if len(hooks) != 1 || commit.Repos[0].Rev != "v1.2.3" || commit.Repos[0].Hooks[0].ID != hooks[0].ID || hooks[0].Language != "golang" {
		t.Errorf("%+v, %+v", commit, hooks)
	}
	words := strings.Fields(hooks[0].Entry)
	if words[0] != "deeprepo" {
		t.Errorf("%q runs something else", hooks[0].Entry)
	}
	accepts(t, ".pre-commit-hooks.yaml", slices.Concat(words[1:], hooks[0].Args, []string{"a.py", "b.py"}))
	var pipeline struct {
		Include   []struct{ Remote string }
		Variables map[string]string
	}
	if err := yaml.Unmarshal([]byte(started(t, "gitlab.yml")), &pipeline); err != nil {
		t.Fatal(err)
	}
	name, ok := strings.CutPrefix(pipeline.Include[0].Remote, "https://raw.githubusercontent.com/deeprepo/deeprepo/v1.2.3/")
	if _, err := os.Stat(repository + name); !ok || err != nil {
		t.Errorf("%s: %v", pipeline.Include[0].Remote, err)
	}
	variables := readPipeline(t).Variables
	for key := range pipeline.Variables {
		if _, known := variables[key]; !known {
			t.Errorf("the template reads no %s", key)
		}
	}
}

// pipeline is the job of the template for GitLab.
type pipeline struct {
	Variables map[string]string
	Before    []string `yaml:"before_script"`
	Script    []string
	Artifacts struct {
		Paths   []string
		Reports map[string]string
	}
}

func readPipeline(t *testing.T) pipeline {
	t.Helper()
	return readYAML[map[string]pipeline](t, repository+"deploy/gitlab/deeprepo.yml")["deeprepo"]
}

// TestPipelineRuns runs the template's job as a runner of GitLab's does: for the default branch, then for merge requests.
func TestPipelineRuns(t *testing.T) {
	p, j := readPipeline(t), newJob(t, "")
	text, err := os.ReadFile(repository + "deploy/gitlab/deeprepo.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range variables.FindAllString(string(text), -1) {
		if !strings.Contains(string(text), " "+v+": ") {
			t.Errorf("nobody sets %s", v)
		}
	}
	run := func(shell string, env ...string) (int, string) {
		cmd := exec.Command(shell, "-ec", strings.Join(slices.Concat(p.Before, p.Script), "\n"))
		cmd.Dir = j.work
		cmd.Env = append([]string{"PATH=" + filepath.Join(j.temp, "bin") + ":" + os.Getenv("PATH"), "HOME=" + j.temp, "GOBIN=x",
			"DEEPREPO_TEST_AS_PROGRAM=1", "DEEPREPO_CACHE=" + cacheDir(t)}, env...)
		for key, v := range p.Variables {
			if !slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, key+"=") }) {
				cmd.Env = append(cmd.Env, key+"="+v)
			}
		}
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		for _, name := range append(slices.Collect(maps.Values(p.Artifacts.Reports)), p.Artifacts.Paths...) {
			if _, err := os.Stat(filepath.Join(j.work, name)); err != nil {
				t.Errorf("no artifact: %v\n%s", err, out)
			}
		}
		if err := os.RemoveAll(filepath.Join(j.work, "deeprepo-run")); err != nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), string(out)
	}
	for i, c := range []struct {
		env  []string
		code int
		says string
	}{
		{[]string{"DEEPREPO_FAIL_ON=high", "CI_MERGE_REQUEST_IID=4"}, 1, "no baseline yet"},
		{[]string{"DEEPREPO_FAIL_ON=high"}, 1, "1 finding: 1 critical"},
		{[]string{"DEEPREPO_FAIL_ON=high", "CI_MERGE_REQUEST_IID=4"}, 0, "0 new findings"},
		{[]string{"DEEPREPO_ARGS=--quiet --offline"}, 0, ""},
	} {
		shell := []string{"bash", "sh"}[i%2]
		if code, out := run(shell, c.env...); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%q: %d\n%s", c.env, code, out)
		}
	}
	if log := j.read("go.log"); !strings.Contains(log, "install github.com/deeprepo/deeprepo/cmd/deeprepo@latest\n") {
		t.Errorf("go did %q", log)
	}
}

func TestAsking(t *testing.T) {
	var out bytes.Buffer
	wanted := asking(strings.NewReader("\nNo\n yes \nq\n"), &out)
	var got []bool
	for range 5 {
		got = append(got, wanted("x.toml, settings"))
	}
	if !slices.Equal(got, []bool{true, false, true, false, false}) || !strings.HasPrefix(out.String(), "write x.toml, settings? [Y/n] ") {
		t.Errorf("%v, %q", got, out.String())
	}
}
