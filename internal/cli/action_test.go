//go:build unix

package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const repository = "../../"

// actionStep is a step of a composite action.
type actionStep struct {
	Name, ID, If, Shell, Run, Uses string
	Env, With                      map[string]string
}

// action is action.yml.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

func readYAML[T any](t *testing.T, name string) (v T) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		in := yaml.NewDecoder(bytes.NewReader(text))
		err = in.Decode(&v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

var expression = regexp.MustCompile(`\$\{\{ ([a-z0-9_.-]+) \}\}`)

func TestActionIsSound(t *testing.T) {
	a := readYAML[action](t, repository+"action.yml")
	text, err := os.ReadFile(repository + "action.yml")
	if err != nil {
		t.Fatal(err)
	}
	for name := range a.Inputs {
		if a.Inputs[name].Description == "" || !strings.Contains(string(text), "inputs."+name) {
			t.Errorf("the input %s is not described, or not used", name)
		}
	}
	ids := map[string]string{}
	for i, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") || (s.Run != "") != (s.Shell == "bash") || (s.Run != "") == (s.Uses != "") {
			t.Errorf("step %d: what the shell gets comes through the environment: %q", i, s.Run)
		}
		if s.Uses != "" && !regexp.MustCompile(`^[a-z-]+/[a-z/-]+@([0-9a-f]{40}|v\d+)$`).MatchString(s.Uses) {
			t.Errorf("%s names no version", s.Uses)
		}
		ids[s.ID] = s.Run
	}
	for _, m := range regexp.MustCompile(`\b(inputs|steps)\.([a-z-]+)(?:\.outputs\.([a-z]+))?`).FindAllStringSubmatch(string(text), -1) {
		if _, known := a.Inputs[m[2]]; m[1] == "inputs" && !known {
			t.Errorf("%s is no input", m[0])
		}
		if m[1] == "steps" && !strings.Contains(ids[m[2]], m[3]+"=") {
			t.Errorf("nobody sets %s", m[0])
		}
	}
}

func TestActionReviewsAPullRequest(t *testing.T) {
	j := newJob(t, "pull_request")
	j.write("comments.json", `[{"id": 1, "user": {"login": "mallory"}, "body": "<!-- deeprepo --> mine"},
		{"id": 2, "user": {"login": "github-actions[bot]"}, "body": "something else"}]`)
	code, step := j.play(map[string]string{"fail-on": "high"})
	if code != 1 || step != "Result" {
		t.Fatalf("%d in %q\n%s", code, step, j.log)
	}
	if c := j.commands(); len(c) != 1 || !strings.HasPrefix(c[0], "::error file=app.py,line=7,") {
		t.Errorf("commands %q in\n%s", c, j.log)
	}
	for _, want := range []string{"no baseline yet", "1 finding: 1 critical"} {
		if !strings.Contains(j.log, want) {
			t.Errorf("no %q in\n%s", want, j.log)
		}
	}
	if s := j.read("summary.md"); !strings.HasPrefix(s, "<!-- deeprepo -->\n### deeprepo: 1 finding") {
		t.Errorf("the summary is %q", s)
	}
	run := j.context["steps.review.outputs.run"]
	want := []string{"actions/setup-go " + j.context["github.action_path"] + "/go.mod",
		"actions/cache/restore deeprepo/main/7 deeprepo/main/ " + j.temp + "/deeprepo-baseline",
		"github/codeql-action/upload-sarif " + run + "/report.sarif"}
	if !slices.Equal(j.used, want) {
		t.Errorf("used %q, want %q", j.used, want)
	}
	if log := j.read("gh.log"); !strings.Contains(log, "--method POST repos/o/r/issues/5/comments --field body=@"+filepath.Dir(run)) {
		t.Errorf("gh did %q", log)
	}
	if log := j.read("go.log"); log != j.temp+"/deeprepo-bin install ./cmd/deeprepo\n" {
		t.Errorf("go did %q", log)
	}

	// The next time the comment is there, and is replaced.
	j.write("gh.log", "")
	j.write("ids", "9\n")
	j.write("comments.json", `[{"id": 1, "user": {"login": "mallory"}, "body": "<!-- deeprepo --> mine"},
		{"id": 9, "user": {"login": "github-actions[bot]"}, "body": "<!-- deeprepo -->\nold"}]`)
	if code, step := j.play(nil); code != 0 {
		t.Fatalf("%d in %q\n%s", code, step, j.log)
	}
	if log := j.read("gh.log"); !strings.Contains(log, "--method PATCH repos/o/r/issues/comments/9 ") || strings.Contains(log, "POST") {
		t.Errorf("gh did %q", log)
	}
	// A fork's token may write neither.
	j.write("gh.log", "")
	j.context["github.event.pull_request.head.repo.fork"] = "true"
	if code, step := j.play(nil); code != 0 || len(j.used) != 2 || j.read("gh.log") != "" {
		t.Errorf("%d in %q, used %q, gh did %q", code, step, j.used, j.read("gh.log"))
	}
}

func TestActionComparesWithTheLastPush(t *testing.T) {
	j := newJob(t, "push")
	if code, step := j.play(map[string]string{"fail-on": "high"}); code != 1 || step != "Result" {
		t.Fatalf("%d in %q\n%s", code, step, j.log)
	}
	if !slices.Contains(j.used, "actions/cache/save deeprepo/main/7 "+j.temp+"/deeprepo-baseline") || j.read("gh.log") != "" {
		t.Errorf("used %q, gh did %q", j.used, j.read("gh.log"))
	}
	j.context["github.event_name"] = "pull_request"
	if code, step := j.play(map[string]string{"fail-on": "high"}); code != 0 || len(j.commands()) != 0 {
		t.Errorf("%d in %q\n%s", code, step, j.log)
	}
	if code, _ := j.play(map[string]string{"fail-on": "high", "baseline": "false"}); code != 1 {
		t.Errorf("%d without a baseline", code)
	}
	// A wrong argument is said, and nothing is uploaded.
	if code, step := j.play(map[string]string{"args": "--fail-on\nterrible"}); code != 2 || step != "Review" || len(j.used) > 2 {
		t.Errorf("%d in %q, used %q", code, step, j.used)
	}
}

// Where the base of a pull request was fetched, the change is reviewed: what it brings in fails the job, and what was there does not.
func TestActionReviewsTheChange(t *testing.T) {
	j := newJob(t, "pull_request")
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", j.work, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "base")
	j.context["github.event.pull_request.base.sha"] = git("rev-parse", "HEAD")
	name := filepath.Join(j.work, "app.py")
	for _, c := range []struct {
		added    string
		code     int
		headline string
	}{
		{"\n\ndef more():\n    return 1\n", 0, "0 new findings; 1 that was there before"},
		{strings.ReplaceAll(oneFinding[strings.Index(oneFinding, "@app"):], "run", "again"), 1, "1 new finding: 1 critical; 1 that was there before"},
	} {
		if err := os.WriteFile(name, []byte(oneFinding+c.added), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, step := j.play(map[string]string{"fail-on": "high"}); code != c.code || !strings.Contains(j.log, c.headline) ||
			len(j.commands()) != c.code || !strings.HasPrefix(j.read("summary.md"), "<!-- deeprepo -->\n### deeprepo: ") {
			t.Errorf("%d in %q\n%s", code, step, j.log)
		}
	}
}

func TestActionIsNotCommandedByWhatItReads(t *testing.T) {
	j := newJob(t, "pull_request")
	for _, name := range []string{"$(touch pwned)", "##[add-path]x", "a,line=1::stop-commands::y"} {
		dir := filepath.Join(j.work, name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "app.py"), []byte(oneFinding), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, step := j.play(map[string]string{"path": "app.py\n$(touch pwned)\n##[add-path]x\na,line=1::stop-commands::y"})
	if code != 0 {
		t.Fatalf("%d in %q\n%s", code, step, j.log)
	}
	if _, err := os.Lstat(filepath.Join(j.work, "pwned")); err == nil {
		t.Error("a path was run")
	}
	for _, c := range j.commands() {
		if !regexp.MustCompile(`^::error file=[^:,]*,line=7,endLine=7,title=[^:,]*::`).MatchString(c) {
			t.Errorf("a command %q", c)
		}
	}
	if len(j.commands()) == 0 {
		t.Error(j.log)
	}
}

// release writes an archive with a program, and its checksum.
func (j *job) release(sum string) {
	j.t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	out := tar.NewWriter(zip)
	program := j.read("bin/deeprepo")
	err := out.WriteHeader(&tar.Header{Name: "deeprepo_linux_amd64/deeprepo", Mode: 0o755, Size: int64(len(program))})
	if err == nil {
		_, err = out.Write([]byte(program))
	}
	if err != nil || out.Close() != nil || zip.Close() != nil {
		j.t.Fatal(err)
	}
	if sum == "" {
		sum = fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))
	}
	j.write("released/deeprepo_linux_amd64.tar.gz", b.String())
	j.write("released/SHA256SUMS", sum+"  deeprepo_linux_amd64.tar.gz\n"+strings.Repeat("0", 64)+"  deeprepo_darwin_arm64.tar.gz\n")
}

func TestActionInstallsARelease(t *testing.T) {
	if _, err := exec.LookPath("sha256sum"); err != nil && runtime.GOOS == "linux" {
		t.Fatal(err)
	}
	j := newJob(t, "push")
	j.context["github.action_ref"] = "v1.2.3"
	j.release("")
	if code, step := j.play(nil); code != 0 {
		t.Fatalf("%d in %q\n%s", code, step, j.log)
	}
	if j.read("go.log") != "" || strings.Contains(strings.Join(j.used, " "), "setup-go") ||
		j.read("deeprepo-bin/deeprepo") != j.read("bin/deeprepo") {
		t.Errorf("it was built: %q, %q", j.read("go.log"), j.used)
	}
	if log := j.read("gh.log"); !strings.HasPrefix(log, "release download v1.2.3 --repo deeprepo/deeprepo ") {
		t.Errorf("gh did %q", log)
	}
	j.release(strings.Repeat("1", 64))
	if code, step := j.play(nil); code == 0 || step != "Install a release" {
		t.Errorf("another archive is installed: %d in %q\n%s", code, step, j.log)
	}
	j.context["runner.os"], j.context["steps.release.outputs.installed"] = "Plan9", ""
	j.write("bin/gh", "#!/bin/sh\nexit 1\n")
	if code, _ := j.play(map[string]string{"comment": "false"}); code != 0 || j.read("go.log") == "" {
		t.Errorf("without a release it is built: %d\n%s", code, j.log)
	}
}
