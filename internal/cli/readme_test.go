//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// snippet is a fenced block of a document.
type snippet struct{ language, text string }

func snippets(t *testing.T, file string) (all []snippet) {
	t.Helper()
	text, err := os.ReadFile(repository + file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		all = append(all, snippet{m[1], m[2]})
	}
	if 2*len(all) != strings.Count("\n"+string(text), "\n```") {
		t.Fatalf("%s: a block is not closed", file)
	}
	return all
}

// reader is somebody who pastes snippets into a shell: with a repository of their own, git's hosts on this machine, and models
// that a server here plays.
type reader struct {
	t    *testing.T
	home string
	env  []string
}

func newReader(t *testing.T) *reader {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	reply := fakeModels(0, func(string) string { return "" })
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		if strings.Contains(r.Model, "sonnet") {
			r.Model = "root"
		}
		return reply(r)
	}})
	r := &reader{t: t, home: t.TempDir()}
	r.env = []string{"HOME=" + r.home, "PATH=" + filepath.Join(r.home, "bin") + ":" + os.Getenv("PATH"), "NO_COLOR=1",
		"DEEPREPO_TEST_AS_PROGRAM=1", "DEEPREPO_CACHE=" + cacheDir(t), "ANTHROPIC_BASE_URL=" + srv.URL, "OLLAMA_HOST=127.0.0.1:1",
		"DEEPREPO_LOCAL_URL=http://127.0.0.1:1/v1"}
	r.write("bin/deeprepo", "#!/bin/sh\nexec '"+exe+"' \"$@\"\n")
	// What a reader builds is this test's own program. The tests are not run from within themselves: it is seen that they are
	// there, and .ci/run runs the line itself.
	r.write("bin/go", `#!/bin/sh
case "$1 $2" in
"run ./cmd/deeprepo") test -f cmd/deeprepo/main.go && shift 2 && exec deeprepo "$@" ;;
"install github.com/deeprepo/deeprepo/cmd/deeprepo@latest") exit 0 ;;
"test -timeout") test "$*" = "test -timeout 30m ./..." && grep -q '^module github.com/deeprepo/deeprepo$' go.mod ;;
*) echo "no such command here: go $*"; exit 1 ;;
esac
`)
	r.write(".gitconfig", "[url \"file://"+r.home+"/hosts/\"]\n\tinsteadOf = https://\n[user]\n\tname = a\n\temail = a@b\n"+
		"[init]\n\tdefaultBranch = main\n")
	code := "import tempfile\n\ndef open_it():\n    return tempfile.mktemp()\n"
	for name, text := range map[string]string{"go.mod": "module github.com/deeprepo/deeprepo\n", "cmd/deeprepo/main.go": "package main\n",
		"lib/a.py": code} {
		r.write("hosts/github.com/deeprepo/deeprepo/"+name, text)
	}
	r.write("hosts/github.com/google/gson/A.java", "class A { }\n")
	r.write("app/web.py", code)
	r.write("app/lib/b.py", code)
	for _, dir := range []string{"hosts/github.com/deeprepo/deeprepo", "hosts/github.com/google/gson", "app"} {
		r.must(dir, "git init -q && git add . && git commit -qm begun")
	}
	return r
}

func (r *reader) write(name, text string) {
	r.t.Helper()
	runtest.WriteFile(r.t, filepath.Join(r.home, name), text)
	if err := os.Chmod(filepath.Join(r.home, name), 0o700); err != nil { // #nosec G302 -- some are programs
		r.t.Fatal(err)
	}
}

// must has a shell run a text in a directory, stopping at the first command that fails.
func (r *reader) must(dir, text string) string {
	r.t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-ec", text)
	cmd.Dir, cmd.Env = filepath.Join(r.home, dir), r.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Minute
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Errorf("%v in\n%s\n%s", err, text, out)
	}
	return string(out)
}

// Every snippet of the README and of docs/ci.md runs as it stands. What begins with a prompt is not to be pasted: its command is
// one that the program takes. TestThreeLinesBringUpAFleet runs the lines that start a fleet, whose port it has to change.
func TestSnippetsRun(t *testing.T) {
	r, ran := newReader(t), 0
	for _, file := range []string{"README.md", "docs/ci.md"} {
		for _, s := range snippets(t, file) {
			switch s.language {
			case "sh":
				ran++
				if file == "README.md" && s.text == threeLines(t, "README.md") {
					continue
				}
				out := r.must(r.place(s.text), s.text)
				t.Logf("%s\n%s", s.text, out)
				for line := range strings.Lines(s.text) {
					if want := expected(line); want != "" && !strings.Contains(out, want) {
						t.Errorf("%sdoes not say %q:\n%s", line, want, out)
					}
				}
			case "text":
				line, _, _ := strings.Cut(s.text, "\n")
				words := strings.Fields(line)
				if len(words) < 3 || words[0] != "$" || words[1] != "deeprepo" {
					t.Errorf("%s: what is this the output of? %q", file, line)
					continue
				}
				accepts(t, file, words[2:])
			case "yaml":
				if !slices.ContainsFunc(starting, func(f struct{ name, from, what string }) bool {
					text, err := startText(f.from, "main")
					return err == nil && strings.Contains(text, s.text)
				}) {
					t.Errorf("%s: init writes no such lines:\n%s", file, s.text)
				}
			default:
				t.Errorf("%s: a block of %q: sh runs, text is what a command prints, yaml is what init writes:\n%s", file, s.language, s.text)
			}
		}
	}
	if ran < 7 {
		t.Errorf("only %d snippets", ran)
	}
	for _, name := range []string{"runs/one/report.html", "deeprepo.sarif", ".gitlab-ci.yml", "deeprepo.xml", "../deeprepo/runs"} {
		if _, err := os.Stat(filepath.Join(r.home, "app", name)); err != nil {
			t.Error(err)
		}
	}
}

// place is where a reader stands: in the clone of deeprepo for its tests, above it to make it, else in a repository.
func (r *reader) place(text string) string {
	switch {
	case strings.HasPrefix(text, "git clone"):
		return "."
	case strings.HasPrefix(text, "go test"):
		return "deeprepo"
	}
	return "app"
}

// expected is what a line has to make the program say, beside ending well.
func expected(line string) string {
	for start, want := range map[string]string{
		"go run ./cmd/deeprepo analyze":   "no language model takes part",
		"deeprepo analyze --dry-run":      "nothing was sent",
		"deeprepo analyze --budget":       "reports: runs/one/report.html",
		"deeprepo analyze web.py lib":     "2 of 2 files",
		"deeprepo analyze --list":         "gson",
		"deeprepo models":                 "anthropic",
		"deeprepo init":                   "written   deeprepo.toml",
		"deeprepo analyze --fail-on high": "no baseline yet",
	} {
		if strings.HasPrefix(line, start) {
			return want
		}
	}
	return ""
}

// Every command that the README names in passing is one that the program takes.
func TestNamedCommandsExist(t *testing.T) {
	text, err := os.ReadFile(repository + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range regexp.MustCompile("`deeprepo ([^`]+)`").FindAllStringSubmatch(string(text), -1) {
		words := strings.Fields(m[1])
		if words[0] == "completion" { // cobra's own, made when the program starts
			continue
		}
		n++
		if last := len(words) - 1; words[last] == "--help" {
			if cmd, _, err := (&app{getenv: os.Getenv}).rootCommand().Find(words[:last]); err != nil || cmd.RunE == nil {
				t.Errorf("README.md: %s: %v", m[0], err)
			}
			continue
		}
		accepts(t, "README.md", words)
	}
	if n < 15 {
		t.Errorf("only %d commands", n)
	}
}
