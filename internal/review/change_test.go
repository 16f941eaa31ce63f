package review

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// sides are the two states of a change: one bug comes, one goes, one stays in a file that changes, one in a file that does not.
func sides() (base, head map[string]string) {
	base = map[string]string{"same.py": "x = 1  # BUG same\n", "gone.py": "import x\n\n\n\n\n\n\n\n\n\ny = 1  # BUG gone\n",
		"stays.py": "a = 1  # BUG stays\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\nh = 8\n"}
	head = maps.Clone(base)
	head["gone.py"] = "import x\n\n\n\n\n\n\n\n\n\ny = 1\n"
	head["stays.py"] += "i = 9\n"
	head["comes.py"] = "z = 1  # BUG comes\n"
	return base, head
}

// statuses are what a report says of each bug.
func statuses(out Outcome) map[string]string {
	got := map[string]string{}
	for _, f := range slices.Concat(out.Report.Findings, out.Report.Fixed) {
		_, name, _ := strings.Cut(f.Evidence, "BUG ")
		got[name] = f.Status
	}
	return got
}

var wanted = map[string]string{"comes": "new", "stays": "pre-existing", "gone": "fixed"}

// A model that reads a change is told of it, and one that reads its base is not.
func TestAChangeReadByModels(t *testing.T) {
	base, head := sides()
	var told, untold atomic.Int64
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if strings.Contains(r.System, "added: comes.py") && strings.Contains(r.System, "-y = 1  # BUG gone") {
			told.Add(1)
		} else {
			untold.Add(1)
			if strings.Contains(r.Messages[0].Content, "comes") {
				t.Error("the base's reader sees what came later")
			}
		}
		if strings.Contains(r.Messages[0].Content, "BUG same") {
			t.Error("a file is read that has nothing to do with the change")
		}
		return finder(ctx, r)
	}
	out, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, head), Base: runtest.Tree(t, base), Out: filepath.Join(t.TempDir(), "run"),
		Root: "offline/orchestrator", Worker: "fake/worker", NoCache: true}, environment(t, worker, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := statuses(out); !maps.Equal(got, wanted) {
		t.Errorf("got %v, want %v", got, wanted)
	}
	if told.Load() == 0 || untold.Load() == 0 {
		t.Errorf("%d prompts told of the change, %d did not", told.Load(), untold.Load())
	}
	r := out.Report
	if r.Usage.Worker.Calls != int(told.Load()+untold.Load()) || r.Dispatches != r.Usage.Worker.Calls || r.Change.Before == nil ||
		r.Change.Before.Dispatches != int(untold.Load()) {
		t.Errorf("usage %+v, %d dispatches, before %+v; %d and %d were made", r.Usage.Worker, r.Dispatches, r.Change.Before, told.Load(),
			untold.Load())
	}
}

// One report is asked for, and what is told of the change once to whom.
func TestWhatIsAskedOfAChange(t *testing.T) {
	for _, name := range rlm.PresetNames() {
		whole, err := rlm.BuiltinPreset(name)
		if err != nil {
			t.Fatal(err)
		}
		p := ofChange(whole, "\n\ntold")
		_, asked, _ := strings.Cut(p.Root, "Hand in a report")
		if !strings.Contains(whole.Root, "\n\nHand in a report") || strings.Count(p.Root, "Hand in a report") != 1 ||
			asked != " on the change: **What it does**, **What it breaks**, **What to look at**.\n\ntold" || p.Worker != whole.Worker+"\n\ntold" {
			t.Errorf("%s: %s", name, p.Root)
		}
	}
	own := ofChange(rlm.Preset{Root: "Look at money.", Worker: "w"}, "")
	if !strings.HasPrefix(own.Root, "Look at money.\n\nHand in a report on the change") {
		t.Error(own.Root)
	}
}

// Wherever the review of a change is interrupted, it comes to the same end when it is resumed, and one cap holds for both sides.
func TestAChangeAcrossInterruptions(t *testing.T) {
	base, head := sides()
	for i := range 4 { // a dispatch each
		name := string(rune('k' + i))
		text := string(bytes.Repeat([]byte("value = 'some more text for this file'\n"), 500))
		base[name+".py"], head[name+".py"] = text, text+"more = "+name+"\n"
	}
	from, to := runtest.Tree(t, base), runtest.Tree(t, head)
	calls := int64(0)
	for stop := int64(0); stop <= calls; stop++ {
		b := &biller{stop: stop}
		limit := 40 * 4096 * money.Dollar / 1_000_000
		ctx, cancel := context.WithCancel(t.Context())
		b.giveUp = cancel
		dir := filepath.Join(t.TempDir(), "run")
		out, err := Analyze(ctx, Options{Path: to, Base: from, Out: dir, Root: "offline/orchestrator", Worker: "paid/worker", Concurrency: 1,
			Budget: &limit}, b.environment(t))
		cancel()
		if err != nil {
			t.Fatalf("stopped at %d: %v", stop, err)
		}
		if stop == 0 {
			calls = b.calls.Load()
		} else {
			if out.Report.Run.Status == trace.StatusCompleted {
				t.Errorf("stopped at call %d: %s (%s)", stop, out.Report.Run.Status, out.Report.Run.StopReason)
			}
			b.stop = 0
			if out, err = Resume(t.Context(), dir, Changes{}, b.environment(t)); err != nil {
				t.Fatalf("stopped at %d, resumed: %v", stop, err)
			}
			if b.calls.Load() > calls+1 {
				t.Errorf("stopped at call %d: %d calls, where one run makes %d", stop, b.calls.Load(), calls)
			}
		}
		if got := statuses(out); !maps.Equal(got, wanted) || out.Report.Run.Status != trace.StatusCompleted {
			t.Errorf("stopped at call %d: %v, %s", stop, got, out.Report.Run.Status)
		}
		if billed := money.USD(b.billed.Load()); billed > limit || *out.Report.Usage.AtMostUSD < *dollars(&billed)-1e-9 {
			t.Errorf("stopped at call %d: billed %s of %s, at most $%g is said", stop, billed, limit, *out.Report.Usage.AtMostUSD)
		}
	}
	if calls < 6 {
		t.Errorf("only %d calls were there to be interrupted", calls)
	}
}

// A change cannot keep its code from the review: what it makes too large, or has ignored, is said to have changed.
func TestAChangeCannotHideItsCode(t *testing.T) {
	base, head := sides()
	head["stays.py"] += strings.Repeat("# filler\n", 1000)
	base["left.py"] = "w = 1  # BUG left\n"
	head["left.py"] = "w = 1  # BUG left, and more\n"
	head[".deeprepoignore"] = "left.py\n"
	out, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, head), Base: runtest.Tree(t, base), Out: filepath.Join(t.TempDir(), "run"),
		Root: "offline/orchestrator", Worker: "fake/worker", MaxFileBytes: 5000}, environment(t, finder, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out.Report.Change.Hidden, []string{"left.py", "stays.py"}; !slices.Equal(got, want) {
		t.Errorf("hidden: %v, want %v", got, want)
	}
	if got := statuses(out); got["stays"] == "fixed" || got["left"] == "fixed" {
		t.Errorf("what nobody read is fixed: %v", got)
	}
}

// Neither what a change takes away nor what it adds tells a reader elsewhere a secret, and run.json does not hold it either.
func TestAChangeTellsNoSecret(t *testing.T) {
	secrets := []string{"ghp_" + "aZ3kLm9QwErT7yUiOp2SdFgHjK5xCvBnM8q1", "marmalade", "clementine"}
	base := map[string]string{"a.py": "key = '" + secrets[0] + "'\nx = 1\n", "config/app.yml": "region: eu\npassword: " + secrets[1] + "\n"}
	head := map[string]string{"a.py": "x = 2\n", "config/app.yml": "region: us\npassword: " + secrets[2] + "\n"}
	for _, noRedact := range []bool{false, true} {
		for _, o := range []Options{
			{Root: "offline/orchestrator", Worker: "far/worker", Strategy: StrategyRLM, NoCache: true},
			{Root: "far/reader", Worker: "far/reader", Strategy: StrategySingle, NoCache: true},
		} {
			var said strings.Builder
			var mu sync.Mutex
			env := environment(t, nil, nil)
			env.Registry.RegisterProvider("far", faraway{llm.Func(func(_ context.Context, r llm.Request) (llm.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				said.WriteString(r.System)
				for _, m := range r.Messages {
					said.WriteString(m.Content)
				}
				return llm.Response{Text: `{"summary": "files", "findings": []}`, Finish: llm.FinishStop}, nil
			})})
			o.Path, o.Base, o.Out, o.NoRedact = runtest.Tree(t, head), runtest.Tree(t, base), filepath.Join(t.TempDir(), "run"), noRedact
			out, err := Analyze(t.Context(), o, env)
			if err != nil {
				t.Fatal(err)
			}
			manifest, err := os.ReadFile(filepath.Join(out.Dir, ManifestName))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(said.String(), "+x = 2") || !strings.Contains(said.String(), "+region: us") {
				t.Errorf("%s: nobody is told of the change", o.Strategy)
			}
			for name, text := range map[string]string{"a reader": said.String(), ManifestName: string(manifest)} {
				for _, secret := range secrets {
					if got := strings.Contains(text, secret); got != noRedact {
						t.Errorf("%s, no redaction %v: %s has %q: %v", o.Strategy, noRedact, name, secret, got)
					}
				}
			}
		}
	}
}

// Both sides of a change are read where the work is performed.
func TestAChangeReadElsewhere(t *testing.T) {
	base, head := sides()
	here := environment(t, func(context.Context, llm.Request) (llm.Response, error) {
		t.Error("this machine's models were asked")
		return llm.Response{}, errors.New("no")
	}, nil)
	there := environment(t, finder, nil)
	there.Now = atOnce
	here.Elsewhere = another(t, there)
	out, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, head), Base: runtest.Tree(t, base), Out: filepath.Join(t.TempDir(), "run"),
		Root: "offline/orchestrator", Worker: "fake/worker"}, here)
	if got := statuses(out); err != nil || !maps.Equal(got, wanted) {
		t.Errorf("got %v, want %v (%v)", got, wanted, err)
	}
}

// Where the head could not be reviewed at all, nothing is spent on the base.
func TestAChangeWhoseReviewFails(t *testing.T) {
	base, head := sides()
	calls := 0
	refuse := func(context.Context, llm.Request) (llm.Response, error) {
		calls++
		return llm.Response{}, &llm.Error{Kind: llm.KindBadRequest, Message: "no"}
	}
	out, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, head), Base: runtest.Tree(t, base), Out: filepath.Join(t.TempDir(), "run"),
		Strategy: StrategySingle, Root: "fake/reader", Worker: "fake/reader"}, environment(t, nil, refuse))
	if err != nil || out.Report.Run.Status != trace.StatusFailed || calls != 1 || out.Report.Change == nil || out.Report.Change.Before != nil {
		t.Errorf("%d calls, %s, %+v (%v)", calls, out.Report.Run.Status, out.Report.Change, err)
	}
}

// What the head's review cost is not there for the base's.
func TestOneCapForBothSides(t *testing.T) {
	base, head := sides()
	b := &biller{}
	limit := 19 * 4096 * money.Dollar / 10_000_000 // of nearly two calls
	out, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, head), Base: runtest.Tree(t, base), Out: filepath.Join(t.TempDir(), "run"),
		Root: "offline/orchestrator", Worker: "paid/worker", Budget: &limit}, b.environment(t))
	if billed := money.USD(b.billed.Load()); err != nil || billed > limit || b.calls.Load() == 0 {
		t.Errorf("%d calls billed %s of %s (%v); %s", b.calls.Load(), billed, limit, err, out.Report.Run.Status)
	}
}

// Without money for the base, the changed lines alone say what is new.
func TestAChangeWithoutItsBase(t *testing.T) {
	base, head := sides()
	b := &biller{}
	limit := 4096 * money.Dollar / 1_000_000
	out, err := Analyze(t.Context(), Options{Path: runtest.Tree(t, head), Base: runtest.Tree(t, base), Out: filepath.Join(t.TempDir(), "run"),
		Root: "offline/orchestrator", Worker: "paid/worker", Budget: &limit}, b.environment(t))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"comes": "new", "stays": "pre-existing"}
	if got := statuses(out); !maps.Equal(got, want) || b.calls.Load() != 1 || out.Report.Change.Before != nil {
		t.Errorf("%v after %d calls, want %v; before %+v", got, b.calls.Load(), want, out.Report.Change.Before)
	}
	if text, err := ReadReport(filepath.Join(out.Dir, "report.json")); err != nil || text.Change == nil || len(text.Change.Files) != 3 {
		t.Errorf("%v: %+v", err, text.Change)
	}
}
