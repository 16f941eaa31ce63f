package e2e

import (
	"context"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/web/ui"
)

// someFleet says what a test has it say.
type someFleet struct {
	mu     sync.Mutex
	status fleet.Status
	err    error
	asked  int
}

func (f *someFleet) ask(context.Context) (fleet.Status, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	s := f.status
	s.At = time.Now()
	s.Workers = append([]fleet.WorkerStatus{}, s.Workers...)
	for i := range s.Workers {
		s.Workers[i].Seen = s.At.Add(-3 * time.Second)
	}
	return s, f.err
}

func (f *someFleet) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *someFleet) looks() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked
}

// serveHere serves the page in this process.
func serveHere(t *testing.T, c ui.Config) string {
	t.Helper()
	s, err := ui.New(c)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(s)
	t.Cleanup(func() { s.Close(); srv.Close() })
	return srv.URL
}

// cells are the texts of a row of a table, by the beginning of its first one.
func (p *Page) cells(table, row string) []string {
	p.t.Helper()
	var texts []string
	p.Eval(`[...([...document.querySelectorAll('table[aria-label="`+table+`"] tbody tr')].find(r => r.innerText.startsWith(`+quote(row)+
		`))?.cells ?? [])].map(c => c.innerText.trim())`, &texts)
	return texts
}

// A fleet, live: what changes there changes on the page, a hub that goes is missed, and one that comes back is followed again.
func TestFleetLive(t *testing.T) {
	needBrowser(t)
	f := &someFleet{status: fleet.Status{
		Version: "v1",
		Workers: []fleet.WorkerStatus{
			{Name: "big", Version: "v1", Kinds: []fleet.Kind{fleet.KindJudge}, Slots: 8, Running: 3, Done: 100, UpSeconds: 10,
				OldestSeconds: 61},
			{Name: "small", Version: attack, Kinds: []fleet.Kind{fleet.Kind(attack)}, Slots: 1, Done: 7, Faults: 2, UpSeconds: 4000,
				Draining: true},
		},
		Queues: []fleet.QueueStatus{{Kind: fleet.KindJudge, Waiting: 5, Running: 3, Done: 107, Dead: 1, OldestSeconds: 12}},
		Runs: []fleet.RunMoney{{Run: "grpo-7", Cap: 5 * money.Dollar, Spent: 2 * money.Dollar, Leased: money.Dollar / 2, Items: 4,
			At: time.Now()}},
		Dead: []fleet.DeadItem{{Kind: fleet.KindJudge, Key: "abc123", At: time.Now(), Worker: attack, Reason: "the sandbox failed: " + attack}},
	}}
	p := newPage(t)
	p.Open(serveHere(t, ui.Config{Dirs: []string{reviewed(t)}, Fleet: f.ask, FleetURL: "nats://hub:4222"}) + "/")
	p.Wait("planted-review")
	p.ClickText("Fleet")
	p.Wait("nats://hub:4222", "draining", "Items that nobody could finish", "the sandbox failed", "onerror=")
	p.clean("the fleet")
	if got := p.cells("Workers", "big"); len(got) < 11 || got[2] != "8" || got[3] != "3" || got[4] != "1 min 01 s" || got[5] != "100" ||
		got[6] != "600" || got[7] != "0" || got[9] != "3.00 s ago" {
		t.Errorf("the worker's row is %q", got)
	}
	if got := p.cells("Queues", "judge"); len(got) != 7 || got[1] != "5" || got[2] != "3" || got[3] != "107" || got[5] != "1" ||
		got[6] != "12.0 s" {
		t.Errorf("the queue's row is %q", got)
	}
	if got := p.cells("Money", "grpo-7"); len(got) != 6 || got[1] != "$5.00" || got[2] != "$2.00" || got[3] != "$0.500" || got[4] != "4" {
		t.Errorf("the run's row is %q", got)
	}
	f.set(func() {
		f.status.Workers[0].Done, f.status.Workers[0].UpSeconds = 160, 16
		f.status.Queues[0].Waiting = 41
	})
	p.Until("the new figures", `document.querySelector('table[aria-label=Workers] tbody tr').innerText.includes('160') && `+
		`document.querySelector('table[aria-label=Queues] tbody tr').innerText.includes('41')`)
	p.WaitFor(`[aria-label^="Items a second"] canvas`)
	p.Shot("fleet")

	f.set(func() { f.err = hint.New("no fleet answers at nats://hub:4222", "deeprepo fleet hub starts one") })
	p.Wait("away", "no fleet answers", "fleet hub starts one", "when the hub answered last")
	p.Wait("big") // what it said last stays
	f.set(func() { f.err = nil; f.status.Workers[0].Done = 170 })
	p.WaitGone("no fleet answers")
	p.Wait("170", "live")

	// What nobody sees is not asked for.
	p.Eval(`Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true})`, nil)
	time.Sleep(500 * time.Millisecond) // a question that is under way
	before := f.looks()
	time.Sleep(5 * time.Second)
	if after := f.looks(); after != before {
		t.Errorf("asked %d times while the page was out of sight", after-before)
	}
	f.set(func() { f.status.Workers[0].Done = 199 })
	p.Eval(`delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))`, nil)
	p.Wait("199")
	p.ClickText("Runs")
	p.Wait("planted-review")
}

func TestNoFleetNoPage(t *testing.T) {
	needBrowser(t)
	p := newPage(t)
	p.Allow("status of 404")
	p.Open(serveHere(t, ui.Config{Dirs: []string{reviewed(t)}}) + "/")
	p.Wait("planted-review")
	if n := p.Count("nav[aria-label=Pages]"); n != 0 {
		t.Errorf("%d links to a fleet", n)
	}
	p.Go("fleet")
	p.Wait("no fleet is shown here", "deeprepo ui --fleet")
}

// A run whose work a fleet did says who did what.
func TestRunOfAFleet(t *testing.T) {
	needBrowser(t)
	dir := copied(t, codeEvaluated(t, "base"))
	runtest.WriteFile(t, filepath.Join(dir, runfile.FleetName), `{"url": "nats://hub:4222", "forged": 2, "others": 3, "workers": [
		{"name": `+quote(attack)+`, "items": 12, "kinds": {"judge": 12}, "first": "2026-11-21T10:00:00Z", "last": "2026-11-21T10:05:00Z"},
		{"name": "second", "items": 1300, "kinds": {"judge": 1000, "rollout": 300}, "first": "2026-11-21T10:00:00Z",
			"last": "2026-11-21T10:05:00Z"}]}`)
	p := open(t, dir)
	p.Wait("Fleet: who did what", "<img src=x", "2 results not believed", "3 items by workers that are not listed")
	p.clean("the overview")
	if got := p.cells("Who did what", "second"); len(got) != 5 || got[1] != "1,300" || got[2] != "judge 1,000, rollout 300" || got[4] == "" {
		t.Errorf("the worker's row is %q", got)
	}
	p.Shot("codeeval-fleet")
}
