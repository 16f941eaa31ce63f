package view_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// withFleet is a run of code whose fleet.json is a text.
func withFleet(t testing.TB, text string) string {
	t.Helper()
	dir := t.TempDir()
	runtest.WriteFile(t, filepath.Join(dir, "run.json"), `{"schema": 1, "command": "code verify", "started_at": "2026-11-21T10:00:00Z"}`)
	runtest.WriteFile(t, filepath.Join(dir, runfile.FleetName), text)
	return dir
}

func TestWhichWorkerDidWhat(t *testing.T) {
	dir := withFleet(t, `{"url": "nats://hub:4222", "forged": 2, "workers": [{"name": "one", "items": 5, "kinds": {"judge": 5},
		"first": "2026-11-21T10:00:01Z", "last": "2026-11-21T10:00:09Z"}]}`)
	h := header(t, dir)
	if h.Fleet == nil || h.Fleet.URL != "nats://hub:4222" || h.Fleet.Forged != 2 || len(h.Fleet.Workers) != 1 ||
		h.Fleet.Workers[0].Items != 5 || h.Fleet.Workers[0].Last.Second() != 9 {
		t.Errorf("%+v", h.Fleet)
	}
	run, err := view.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	archive, err := run.Archive(1<<20, false)
	if err != nil || !strings.Contains(string(archive[""]), `"nats://hub:4222"`) {
		t.Errorf("a file of the run does not say it: %v, %s", err, archive[""])
	}
	if h := header(t, runtest.Dir(t, "code")); h.Fleet != nil {
		t.Errorf("a run without a fleet has %+v", h.Fleet)
	}
}

// Names come from machines of others, and the directory may be a stranger's: all is bounded, and counted.
func TestAHostileFleetFile(t *testing.T) {
	var workers []string
	for i := range 3000 {
		workers = append(workers, fmt.Sprintf(`{"name": "%d%s", "items": 1, "kinds": {"%s": 1}}`, i, strings.Repeat("<b>", 1000),
			strings.Repeat("k", 1000)))
	}
	h := header(t, withFleet(t, `{"url": "`+strings.Repeat("u", 10_000)+`", "workers": [`+strings.Join(workers, ",")+`]}`))
	if h.Fleet == nil || len(h.Fleet.Workers) != 1000 || h.Fleet.Others != 2000 || len(h.Fleet.URL) > 510 {
		t.Fatalf("%d workers, %d others", len(h.Fleet.Workers), h.Fleet.Others)
	}
	for _, w := range h.Fleet.Workers {
		for kind := range w.Kinds {
			if len(w.Name) > 70 || len(kind) > 70 {
				t.Fatalf("%q, %q", w.Name, kind)
			}
		}
	}
	damaged := header(t, withFleet(t, `{"workers": 7}`))
	if damaged.Fleet != nil || !strings.Contains(fmt.Sprint(damaged.Facts), "who did what cannot be read: fleet.json") {
		t.Errorf("%+v, %v", damaged.Fleet, damaged.Facts)
	}
}

func FuzzFleetFile(f *testing.F) {
	f.Add(`{"url": "nats://hub:4222", "others": -1, "workers": [{"name": "one", "items": 5, "kinds": {"judge": 5},
		"first": "2026-11-21T10:00:01Z"}]}`)
	f.Add(`{"workers": [{"kinds": null}, null]}`)
	f.Fuzz(func(t *testing.T, text string) {
		run, err := view.Open(withFleet(t, text))
		if err != nil {
			t.Fatal(err)
		}
		defer run.Close()
		document, err := run.Get("")
		if err != nil {
			t.Fatal(err)
		}
		h := document.(doc.Header)
		if h.Fleet != nil && (h.Fleet.Workers == nil || len(h.Fleet.Workers) > 1000) {
			t.Fatalf("%+v", h.Fleet)
		}
		if _, err := json.Marshal(h); err != nil {
			t.Fatal(err)
		}
	})
}
