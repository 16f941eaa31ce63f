package rundir_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

const logName = "log.jsonl"

var kind = rundir.Kind{
	Name: "walk", Leaves: "maps", By: "the guide", Files: []string{logName},
	Taken: func(path string) error { return fmt.Errorf("%s is a walk", path) },
}

type manifest struct {
	Schema  int    `json:"schema"`
	Version string `json:"version"`
	Where   string `json:"where"`
}

func create(t *testing.T, path string) *rundir.Dir {
	t.Helper()
	d, err := rundir.Create(path, kind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// refused checks an error's text and its hint's.
func refused(t *testing.T, err error, text, advice string) {
	t.Helper()
	switch {
	case err == nil || !strings.Contains(err.Error(), text):
		t.Errorf("error %v, want %q in it", err, text)
	case !strings.Contains(hint.Of(err), advice):
		t.Errorf("%v: the hint does not hold %q", err, advice)
	}
}

func TestTwoRunsCannotShareADirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	first := create(t, path)
	_, err := rundir.Create(path, kind)
	refused(t, err, "another deeprepo is working in "+path, "--out DIR")
	_, err = rundir.Open(path, kind)
	refused(t, err, "another deeprepo is working in "+path, "wait for it")
	if err := first.WriteJSON(rundir.ManifestName, manifest{Schema: rundir.Schema}); err != nil {
		t.Fatal(err)
	}
	first.Close()
	_, err = rundir.Create(path, kind)
	refused(t, err, path+" is a walk", "")
	again, err := rundir.Open(path, kind)
	if err != nil {
		t.Fatalf("the lock outlived its holder: %v", err)
	}
	again.Close()
}

func TestAUsersFilesAreNotOverwritten(t *testing.T) {
	for name, want := range map[string]string{"report.md": "is not empty", rundir.ManifestName: "is a walk", logName: "is a walk"} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, name), "mine")
		_, err := rundir.Create(dir, kind)
		refused(t, err, want, "")
		if diff := cmp.Diff([]string{name}, names(t, dir)); diff != "" {
			t.Errorf("something was written (-want +got):\n%s", diff)
		}
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".lock"), "") // of a run that was refused, or a user's after all
	write(t, filepath.Join(dir, "mine"), "")
	_, err := rundir.Create(dir, kind)
	refused(t, err, "is not empty", "maps are not written over other files")
	file := filepath.Join(dir, "mine")
	_, err = rundir.Create(file, kind)
	refused(t, err, "walk directory: ", "--out DIR")
}

// TestARunThatWasKilledAtItsBeginning leaves the directory to the next one: there was nothing yet.
func TestARunThatWasKilledAtItsBeginning(t *testing.T) {
	for _, left := range [][]string{{}, {".gitignore"}, {"..gitignore-ABC"}, {".gitignore", ".run.json-ABC"}} {
		dir := t.TempDir()
		for _, name := range append(left, ".lock") {
			write(t, filepath.Join(dir, name), "")
		}
		d, err := rundir.Create(dir, kind)
		if err != nil {
			t.Errorf("with %v in it: %v", left, err)
			continue
		}
		d.Close()
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".gitignore"), "mine") // and no lock: no run began here
	_, err := rundir.Create(dir, kind)
	refused(t, err, "is not empty", "")
}

func TestAFailedWriteLeavesTheOldFile(t *testing.T) {
	d := create(t, t.TempDir())
	if err := d.WriteJSON("a.json", "old"); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	err := d.Write("a.json", func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		return full
	})
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "write a.json: ") {
		t.Errorf("error %v", err)
	}
	data, err := os.ReadFile(d.File("a.json"))
	if err != nil || string(data) != "\"old\"\n" {
		t.Errorf("the old file became %q, %v", data, err)
	}
	if diff := cmp.Diff([]string{".gitignore", ".lock", "a.json"}, names(t, d.Path())); diff != "" {
		t.Errorf("left behind (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(d.File("a.json")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestSweepRemovesHalvesOfItsOwnFile(t *testing.T) {
	d := create(t, t.TempDir())
	killed := ""
	err := d.Write("a.json", func(io.Writer) error { // what a kill would leave now
		for _, name := range names(t, d.Path()) {
			if strings.HasPrefix(name, ".a.json-") {
				killed = name
			}
		}
		return nil
	})
	if err != nil || killed == "" {
		t.Fatalf("no half was seen, %v", err)
	}
	write(t, d.File(killed), "half")
	write(t, d.File(".b.json-X"), "another's")
	d.Sweep("a.json")
	if diff := cmp.Diff([]string{".b.json-X", ".gitignore", ".lock", "a.json"}, names(t, d.Path())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDiscardLeavesWhatIsNotOurs(t *testing.T) {
	begin := func(path string) *rundir.Dir {
		d := create(t, path)
		if err := errors.Join(d.WriteJSON(rundir.ManifestName, manifest{}), d.Root().MkdirAll("parts/deep", 0o755)); err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := begin(filepath.Join(t.TempDir(), "run"))
	d.Discard("parts", "never made")
	if _, err := os.Stat(d.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory is left: %v", err)
	}
	d = begin(filepath.Join(t.TempDir(), "run"))
	write(t, d.File("mine"), "")
	d.Discard("parts")
	if diff := cmp.Diff([]string{"mine"}, names(t, d.Path())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestATraceGoesOn(t *testing.T) {
	d := create(t, t.TempDir())
	for round, durable := range []bool{true, false, true} {
		var seen int
		w, past, err := d.Trace(logName, durable, time.Now, func(trace.Event) { seen++ })
		if err != nil || len(past) != round {
			t.Fatalf("round %d: %d events, %v", round, len(past), err)
		}
		if err := errors.Join(w.AppendDurable(trace.Event{Kind: trace.KindStart, Start: &trace.Start{Run: "r"}}), w.Close()); err != nil ||
			seen != 1 {
			t.Fatalf("%v, %d events were seen", err, seen)
		}
	}
	write(t, d.File(logName), "no event\n")
	var damage *trace.CorruptError
	if _, _, err := d.Trace(logName, true, time.Now, nil); !errors.As(err, &damage) || !strings.Contains(err.Error(), d.File(logName)) {
		t.Errorf("error %v", err)
	}
}

// A directory may come from a stranger: a link in it must not have a file elsewhere read, written, cut or made.
func TestLinksOutOfTheDirectoryAreNotFollowed(t *testing.T) {
	outside := t.TempDir()
	secret, absent := filepath.Join(outside, "secret"), filepath.Join(outside, "absent")
	text := `{"schema":1,"where":"elsewhere"}` // no newline: as a trace it would be cut
	write(t, secret, text)
	link := func(to, name string) string {
		path := t.TempDir()
		if err := os.Symlink(to, filepath.Join(path, name)); err != nil {
			t.Skip("no symbolic links here: " + err.Error())
		}
		return path
	}
	if m, err := rundir.ReadManifest[manifest](link(secret, rundir.ManifestName), kind); err == nil || m.Where != "" {
		t.Errorf("the manifest was read from elsewhere: %+v, %v", m, err)
	}
	_, err := rundir.Open(link(absent, ".lock"), kind)
	refused(t, err, "lock walk directory: ", "writable")
	_, err = rundir.Create(link(absent, ".lock"), kind)
	refused(t, err, "lock walk directory: ", "writable")
	d, err := rundir.Open(link(secret, logName), kind)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, _, err := d.Trace(logName, true, time.Now, nil); err == nil {
		t.Error("a trace was opened elsewhere")
	}
	if err := d.WriteJSON(logName, 1); err != nil { // replaces the link itself
		t.Error(err)
	}
	if err := os.Symlink(outside, d.File("away")); err != nil {
		t.Fatal(err)
	}
	d.Discard("away")
	data, err := os.ReadFile(secret)
	if err != nil || string(data) != text {
		t.Errorf("the file elsewhere holds %q, %v", data, err)
	}
	if diff := cmp.Diff([]string{"secret"}, names(t, outside)); diff != "" {
		t.Errorf("elsewhere (-want +got):\n%s", diff)
	}
}

func TestReadManifest(t *testing.T) {
	path := t.TempDir()
	want := manifest{rundir.Schema, "v1", "here"}
	d := create(t, path)
	if err := d.WriteJSON(rundir.ManifestName, want); err != nil {
		t.Fatal(err)
	}
	if got, err := rundir.ReadManifest[manifest](path, kind); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for _, tt := range []struct{ name, content, text, hint string }{
		{"another version", `{"schema":2,"version":"v9"}`, "another version of deeprepo (schema 2)", "began the walk: v9"},
		{"no schema", `{}`, "(schema 0)", ""},
		{"no JSON", `{"schema":1`, "run.json: not readable: ", "the walk cannot go on without it"},
		{"another shape", `{"schema":1,"where":[]}`, "run.json: not readable: ", "start a new one"},
		{"too large", `{"schema":1}` + strings.Repeat(" ", 16<<20), "is larger than", ""},
	} {
		write(t, filepath.Join(path, rundir.ManifestName), tt.content)
		_, err := rundir.ReadManifest[manifest](path, kind)
		t.Run(tt.name, func(t *testing.T) { refused(t, err, tt.text, tt.hint) })
	}
	for _, none := range []string{t.TempDir(), filepath.Join(path, "missing")} {
		_, err := rundir.ReadManifest[manifest](none, kind)
		refused(t, err, none+" holds no walk", "the directory that the guide named")
	}
	odd := t.TempDir()
	if err := os.Mkdir(filepath.Join(odd, rundir.ManifestName), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := rundir.ReadManifest[manifest](odd, kind)
	refused(t, err, "no regular file", "")
}

func FuzzReadManifest(f *testing.F) {
	f.Add([]byte(`{"schema":1,"version":"v1","where":"here"}`))
	f.Add([]byte(`{"schema":1,"SCHEMA":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := t.TempDir()
		if err := os.WriteFile(filepath.Join(path, rundir.ManifestName), data, 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := rundir.ReadManifest[manifest](path, kind)
		if err == nil && (m.Schema != rundir.Schema || !json.Valid(data)) {
			t.Fatalf("%+v was taken", m)
		}
	})
}

func TestRunsOfTheSameSecondGetTheirOwnDirectories(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, want := range []string{"runs/app-1", "runs/app-1-2", "runs/app-1-3"} {
		name, err := rundir.Fresh(filepath.Join("runs", "app-1"), kind)
		if err != nil || filepath.ToSlash(name) != want {
			t.Fatalf("%q, %v, want %s", name, err, want)
		}
		create(t, name)
	}
	write(t, "file", "")
	_, err := rundir.Fresh(filepath.Join("file", "app"), kind)
	refused(t, err, "walk directory: ", "--out DIR")
}

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{
		"my app": "my_app", "/": "else", "<script>\n": "script", "..": "else", "": "else", "a-B_9.x": "a-B_9.x", "日本": "else", "-rf": "-rf", "..\x1b[2Jx": "2Jx",
	} {
		if got := rundir.Slug(name, "else"); got != want {
			t.Errorf("Slug(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestStoppedSaysHowToGoOn(t *testing.T) {
	some := &rundir.Stopped{What: "eval", Parts: "rollouts", Dir: "d", Done: 1, Total: 2}
	if want := "deeprepo resume d continues from here; finished rollouts are not repeated and nothing is paid for twice"; some.Hint() != want {
		t.Errorf("hint %q", some.Hint())
	}
	none := &rundir.Stopped{What: "training", Parts: "demonstrations", Dir: "d", Total: 2}
	if want := "deeprepo resume d begins with the first of the demonstrations"; none.Hint() != want {
		t.Errorf("with nothing done: hint %q", none.Hint())
	}
	dear := &rundir.Stopped{What: "eval", Parts: "rollouts", Dir: "d", Budget: true}
	if want := "deeprepo resume d --budget USD continues with a larger budget"; dear.Hint() != want {
		t.Errorf("without money: hint %q", dear.Hint())
	}
}
