package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// somePool is a pool that says what a test wants.
type somePool struct {
	items  map[string]int64
	forged int64
}

func (p *somePool) Workers() map[string]int64 { return p.items }
func (p *somePool) Forged() int64             { return p.forged }

var walks = rundir.Kind{Name: "walk", Leaves: "steps", By: "the guide", Taken: func(string) error { return os.ErrExist }}

// kept is the fleet.json in a directory.
func kept(t *testing.T, dir string) (w runfile.FleetWork) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, runfile.FleetName))
	if err == nil {
		err = json.Unmarshal(text, &w)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var noTimes = cmpopts.IgnoreTypes(time.Time{})

// A run that is taken up adds to what its directory says; what was done before there was a directory counts, and nothing
// counts for two.
func TestFleetWorkIsKeptAndAddedUp(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	d, err := rundir.Create(dir, walks)
	if err != nil {
		t.Fatal(err)
	}
	judge := &somePool{items: map[string]int64{"a": 2}}
	var said strings.Builder
	first := &app{stderr: &said}
	first.onFleet("nats://one:1", fleet.KindJudge, judge)
	closing := first.keepFleet(d)
	judge.items["b"], judge.forged = 1, 1
	rollout := &somePool{items: map[string]int64{"a": 5}}
	first.onFleet("tls://me:secret@one:1/x?y=z,nats://two:2", "rollout", rollout)
	closing()
	want := runfile.FleetWork{URL: "tls://one:1,nats://two:2", Forged: 1, Workers: []runfile.FleetShare{
		{Name: "a", Items: 7, Kinds: map[string]int64{"judge": 2, "rollout": 5}}, {Name: "b", Items: 1, Kinds: map[string]int64{"judge": 1}}}}
	if diff := cmp.Diff(want, kept(t, dir), noTimes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	first.close()
	if want := "items of the fleet by worker: a 7, b 1; warning: results that were not believed: 1 "; !strings.Contains(said.String(), want) {
		t.Errorf("it says %q, not %q", said.String(), want)
	}
	began := kept(t, dir).Workers[0].First
	if age := time.Since(began); began.IsZero() || age < 0 || age > time.Minute {
		t.Errorf("the first result is of %v", began)
	}

	// Another directory of the same command has its own.
	other, err := rundir.Create(filepath.Join(t.TempDir(), "other"), walks)
	if err != nil {
		t.Fatal(err)
	}
	closing = first.keepFleet(other)
	judge.items["b"] = 4
	closing()
	if w := kept(t, other.Path()); len(w.Workers) != 1 || w.Workers[0].Items != 3 || w.Forged != 0 {
		t.Errorf("%+v", w)
	}

	// The run goes on in another process.
	second := &app{stderr: &said}
	second.onFleet("nats://one:1", fleet.KindJudge, &somePool{items: map[string]int64{"b": 1, "c": 1}, forged: 1})
	second.keepFleet(d)()
	want.URL, want.Forged = "nats://one:1", 2
	want.Workers[1] = runfile.FleetShare{Name: "b", Items: 2, Kinds: map[string]int64{"judge": 2}}
	want.Workers = append(want.Workers, runfile.FleetShare{Name: "c", Items: 1, Kinds: map[string]int64{"judge": 1}})
	if diff := cmp.Diff(want, kept(t, dir), noTimes); diff != "" {
		t.Errorf("resumed (-want +got):\n%s", diff)
	}
	if again := kept(t, dir).Workers[0].First; !again.Equal(began) {
		t.Errorf("the first result was of %v, and is now of %v", began, again)
	}

	// And again, without a fleet: what is there stays.
	(&app{stderr: &said}).keepFleet(d)()
	if diff := cmp.Diff(want, kept(t, dir), noTimes); diff != "" {
		t.Errorf("without a fleet (-want +got):\n%s", diff)
	}
}

func TestARunWithoutAFleetSaysNothingOfOne(t *testing.T) {
	d, err := rundir.Create(filepath.Join(t.TempDir(), "run"), walks)
	if err != nil {
		t.Fatal(err)
	}
	(&app{stderr: &strings.Builder{}}).keepFleet(d)()
	if _, err := os.Stat(d.File(runfile.FleetName)); err == nil {
		t.Error("there is a fleet.json")
	}
}

// It is there while the run goes on, not only at its end.
func TestFleetWorkIsThereAtOnce(t *testing.T) {
	d, err := rundir.Create(filepath.Join(t.TempDir(), "run"), walks)
	if err != nil {
		t.Fatal(err)
	}
	a := &app{stderr: &strings.Builder{}}
	a.onFleet("nats://one:1", fleet.KindJudge, &somePool{items: map[string]int64{"a": 1}})
	closing := a.keepFleet(d)
	defer closing()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(d.File(runfile.FleetName)); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("there is none while the run goes on")
		}
	}
}

// Names come from machines of others, and a file from before may be a stranger's.
func TestHostileFleetWork(t *testing.T) {
	d, err := rundir.Create(filepath.Join(t.TempDir(), "run"), walks)
	if err != nil {
		t.Fatal(err)
	}
	many := map[string]int64{strings.Repeat("x", 1000): 9, "\x1b[2J\u202e": 8}
	for i := range 3000 {
		many[fmt.Sprint("w", i)] = 1
	}
	runtest.WriteFile(t, d.File(runfile.FleetName), `{"workers":[{"name":"w0","items":3,"kinds":null},{"name":"w0","items":4}]}`)
	var said strings.Builder
	a := &app{stderr: &said}
	a.onFleet("nats://one:1", fleet.KindJudge, &somePool{items: many})
	a.keepFleet(d)()
	w := kept(t, d.Path())
	var sum int64
	for _, s := range w.Workers {
		sum += s.Items
		if len(s.Name) > mostWorkerName {
			t.Errorf("a name of %d bytes", len(s.Name))
		}
	}
	if len(w.Workers) != mostFleetWorkers || sum+w.Others != 3000+9+8+3+4 {
		t.Errorf("%d workers, %d items and %d of others", len(w.Workers), sum, w.Others)
	}
	a.close()
	if line := a.fleetAccount.line(); strings.ContainsAny(line, "\x1b\u202e\n") || !strings.Contains(said.String(), line) {
		t.Errorf("it says %q", said.String()[:200])
	}

	runtest.WriteFile(t, d.File(runfile.FleetName), `{"workers": 7`)
	said.Reset()
	a = &app{stderr: &said}
	a.onFleet("nats://one:1", fleet.KindJudge, &somePool{items: map[string]int64{"a": 1}})
	a.keepFleet(d)()
	if w := kept(t, d.Path()); len(w.Workers) != 1 || w.Workers[0].Items != 1 {
		t.Errorf("%+v", w)
	}
}

func FuzzFleetWork(f *testing.F) {
	f.Add([]byte(`{"url":"nats://h:1","workers":[{"name":"a","items":1,"kinds":{"judge":1},"first":"2026-11-23T00:00:00Z",
		"last":"2026-11-23T00:00:00Z"}],"others":1,"forged":1}`))
	f.Add([]byte(`{"workers":[{"kinds":null},{"kinds":{"":-1}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		runtest.WriteFile(t, filepath.Join(dir, runfile.FleetName), string(text))
		if w := fleetWork(dir); w != nil {
			sum := addFleet(*w, runfile.FleetWork{Workers: []runfile.FleetShare{{Name: "a", Items: 1, Kinds: map[string]int64{"judge": 1}}}})
			if _, err := json.Marshal(sum); err != nil {
				t.Fatal(err)
			}
			if line := fleetLine(sum); strings.ContainsAny(line, "\x1b\n") {
				t.Fatalf("%q", line)
			}
		}
	})
}
