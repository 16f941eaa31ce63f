package review

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// travel takes v to another machine.
func travel[T any](t *testing.T, v T) T {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Error(err)
	}
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Error(err)
	}
	return out
}

// another is a machine with an Env of its own, which is reached by bytes alone.
func another(t *testing.T, there Env) Elsewhere {
	return func(ctx context.Context, w Work, code *codebase.Codebase, past []byte) (Performed, []byte, error) {
		packed, err := code.Pack()
		if err != nil {
			return Performed{}, nil, err
		}
		if code, err = codebase.Unpack(packed); err != nil {
			return Performed{}, nil, err
		}
		events, _, err := trace.Read(bytes.NewReader(past))
		if err != nil {
			return Performed{}, nil, err
		}
		var file runtest.Journal
		p, err := Perform(ctx, travel(t, w), code, trace.NewWriter(&file, int64(len(events)), there.Now, nil), events, there)
		return travel(t, p), slices.Concat(past, file.Bytes()), err
	}
}

// atOnce is a clock that stands still: what is measured is 0.
func atOnce() time.Time { return time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC) }

// measured is how long a cell took, in a trace.
var measured = regexp.MustCompile(`"seconds":[0-9.e-]+`)

// left are the files of a run, but for what differs from run to run: its name, and how long cells took. report.html is drawn
// from them.
func left(t *testing.T, dir string) map[string]string {
	t.Helper()
	m, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range []string{"report.json", "report.md", "report.sarif", "coverage.json", TraceName} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = measured.ReplaceAllString(strings.ReplaceAll(string(data), m.ID, "ID"), "")
	}
	return files
}

// A review that another machine performed leaves what one leaves that was performed here, byte for byte.
func TestElsewhereIsAsHere(t *testing.T) {
	for name, j := range journeys(t) {
		t.Run(name, func(t *testing.T) {
			path := runtest.Tree(t, j.files)
			review := func(far bool) (Outcome, map[string]string, []string) {
				o := j.options(path)
				if o.Root == "" {
					o.Root = "offline/orchestrator"
				}
				o.Path, o.Out, o.NoCache, o.Concurrency = path, filepath.Join(t.TempDir(), "run"), true, 1
				var mu sync.Mutex
				var said []string
				env := j.env(t)
				env.Now = atOnce
				if far {
					env.Elsewhere = another(t, env)
					env.Sandbox = nil // nothing runs here
				}
				env.Say = func(s string) {
					mu.Lock()
					defer mu.Unlock()
					said = append(said, s)
				}
				out, err := Analyze(t.Context(), o, env)
				if err != nil {
					t.Fatal(err)
				}
				return out, left(t, out.Dir), said
			}
			here, files, said := review(false)
			there, gone, saidToo := review(true)
			for name := range files {
				if diff := cmp.Diff(files[name], gone[name]); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
			}
			here.Dir, there.Dir, here.Report.Run.ID, there.Report.Run.ID = "", "", "", ""
			if diff := cmp.Diff(here.Report, there.Report); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(said, saidToo); diff != "" || j.say != "" && !strings.Contains(strings.Join(said, "\n"), j.say) {
				t.Errorf("said %q: %s", said, diff)
			}
			sameCause(t, here.Cause, there.Cause, j.cause)
			if j.check != nil {
				j.check(t, here)
			}
		})
	}
}

func sameCause(t *testing.T, here, there error, want string) {
	t.Helper()
	if (here == nil) != (want == "") || (there == nil) != (here == nil) {
		t.Fatalf("%v here, %v there, want %q", here, there, want)
	}
	if here == nil {
		return
	}
	if !strings.Contains(here.Error(), want) || here.Error() != there.Error() || hint.Of(here) != hint.Of(there) ||
		llm.KindOf(here) != llm.KindOf(there) {
		t.Errorf("%q (%s) here, %q (%s) there", here, llm.KindOf(here), there, llm.KindOf(there))
	}
}

// Who has a review performed elsewhere needs no key: with one or without it asks for the same.
func TestWhoAsksElsewhereNeedsNoKey(t *testing.T) {
	path := runtest.Tree(t, oneBug)
	price := &llm.Price{Input: 3 * money.Dollar, Output: 15 * money.Dollar}
	there := environment(t, finder, nil)
	there.Now = atOnce
	there.Registry.Register("dear", func(string) (llm.Handle, error) { return llm.Handle{Model: llm.Func(finder), Price: price}, nil })
	try := func(mine llm.Provider, far Elsewhere, budget *money.USD) (Manifest, error) {
		env := environment(t, nil, nil)
		env.Now, env.Elsewhere = atOnce, far
		env.Registry.RegisterProvider("dear", mine)
		out := filepath.Join(t.TempDir(), "run")
		o := Options{Path: path, Out: out, Root: "offline/orchestrator", Worker: "dear/worker", Verify: true, Verifier: "dear/verifier",
			Budget: budget}
		if err := Check(o, env); err != nil {
			return Manifest{}, err
		}
		if _, err := Analyze(t.Context(), o, env); err != nil {
			return Manifest{}, err
		}
		if _, err := Resume(t.Context(), out, Changes{}, env); err != nil {
			t.Error(err)
		}
		m, err := ReadManifest(out)
		m.ID = ""
		m.Options.Out = ""
		return m, err
	}
	cap := new(5 * money.Dollar)
	with, err := try(opens{price}, another(t, there), cap)
	if err != nil {
		t.Fatal(err)
	}
	without, err := try(keyless{price}, another(t, there), cap)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(with, without); diff != "" || without.Prices["dear/worker"] == nil || without.Prices["dear/verifier"] == nil {
		t.Error(diff)
	}
	if _, err := try(keyless{}, another(t, there), cap); err != nil {
		t.Errorf("who has the key knows the price: %v", err)
	}
	if _, err := try(opens{}, another(t, there), cap); err == nil || !strings.Contains(err.Error(), "price of dear/worker is not known") {
		t.Error(err)
	}
	if _, err := try(keyless{price}, nil, cap); llm.KindOf(err) != llm.KindNotConfigured {
		t.Errorf("a review on this machine: %v", err)
	}
	env := environment(t, nil, nil)
	env.Elsewhere = another(t, there)
	if err := Check(Options{Path: path, Root: "offline/orchestrator", Worker: "nobody/x"}, env); llm.KindOf(err) != llm.KindUnknownProvider {
		t.Errorf("a name that nobody has: %v", err)
	}
	there.Registry.RegisterProvider("dear", keyless{price})
	if _, err := try(keyless{price}, another(t, there), cap); llm.KindOf(err) != llm.KindNotConfigured {
		t.Errorf("a machine without a key: %v", err)
	}
}

// opens is a provider of models that nobody asks.
type opens struct{ price *llm.Price }

func (o opens) Open(name string) (llm.Handle, error) {
	return llm.Handle{Name: "dear/" + name, Model: llm.Func(finder), Price: o.price}, nil
}
func (opens) Status(context.Context) llm.Status { return llm.Status{} }

// A run whose other machine died is resumed with the journal that it left, and pays for nothing again.
func TestElsewhereGoesOn(t *testing.T) {
	path := runtest.Tree(t, filling(12))
	begin := func(far func(Env) Elsewhere, b *biller) (Outcome, error) {
		env := b.environment(t)
		env.Now = atOnce
		if far != nil {
			env.Elsewhere = far(env)
		}
		return Analyze(t.Context(), Options{Path: path, Out: filepath.Join(t.TempDir(), "run"), Root: "offline/orchestrator",
			Worker: "paid/worker", NoCache: true, Concurrency: 1}, env)
	}
	whole, err := begin(nil, &biller{})
	if err != nil {
		t.Fatal(err)
	}
	b, died := &biller{}, errors.New("the machine died")
	var dir string
	dies := func(env Env) Elsewhere {
		live := another(t, env)
		return func(ctx context.Context, w Work, code *codebase.Codebase, past []byte) (Performed, []byte, error) {
			dir = w.Manifest.ID
			_, journal, err := live(ctx, w, code, past)
			lines := bytes.SplitAfter(journal, []byte("\n"))
			return Performed{}, bytes.Join(lines[:len(lines)*2/3], nil), errors.Join(err, died)
		}
	}
	out := filepath.Join(t.TempDir(), "run")
	env := b.environment(t)
	env.Now = atOnce
	env.Elsewhere = dies(env)
	if got, err := Analyze(t.Context(), Options{Path: path, Out: out, Root: "offline/orchestrator", Worker: "paid/worker", NoCache: true,
		Concurrency: 1}, env); !errors.Is(err, died) || got.Dir != "" || dir == "" {
		t.Fatalf("%v, %+v", err, got)
	}
	before := b.calls.Load()
	env.Elsewhere = another(t, env)
	got, err := Resume(t.Context(), out, Changes{}, env)
	if err != nil {
		t.Fatal(err)
	}
	if n := b.calls.Load() - before; n == 0 || n > before/2 {
		t.Errorf("%d calls, and %d again", before, n)
	}
	got.Report.Run.ID = whole.Report.Run.ID
	got.Report.Usage, whole.Report.Usage = whole.Report.Usage, got.Report.Usage
	if diff := cmp.Diff(whole.Report.Findings, got.Report.Findings); diff != "" {
		t.Error(diff)
	}
	before = b.calls.Load()
	env.Elsewhere = nil // and here
	if _, err := Resume(t.Context(), out, Changes{}, env); err != nil || b.calls.Load() != before {
		t.Errorf("%v, %d calls", err, b.calls.Load()-before)
	}
}

// A journal that does not go on where the run's ends is refused, and the run's stays.
func TestAJournalFromElsewhereIsChecked(t *testing.T) {
	path := runtest.Tree(t, oneBug)
	for name, spoil := range map[string]func([]byte) []byte{
		"of another run": func(b []byte) []byte { return bytes.Replace(b, []byte("\"run\":\""), []byte("\"run\":\"x"), 1) },
		"torn":           func(b []byte) []byte { return b[:len(b)-5] },
		"damaged":        func(b []byte) []byte { return append(b, "nonsense\n{}\n"...) },
		"shorter":        func(b []byte) []byte { return b[:10] },
	} {
		env := environment(t, finder, nil)
		env.Now = atOnce
		live := another(t, env)
		var before []byte
		env.Elsewhere = func(ctx context.Context, w Work, code *codebase.Codebase, past []byte) (Performed, []byte, error) {
			before = bytes.Clone(past)
			p, journal, err := live(ctx, w, code, past)
			return p, spoil(journal), err
		}
		out := filepath.Join(t.TempDir(), "run")
		_, err := Analyze(t.Context(), Options{Path: path, Out: out, Root: "offline/orchestrator", Worker: "fake/worker"}, env)
		if err == nil || !strings.Contains(err.Error(), "from elsewhere") {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(filepath.Join(out, TraceName)); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the journal was changed (%v)", name, err)
		}
	}
}

func TestPerformRefusesOtherCode(t *testing.T) {
	env := environment(t, finder, nil)
	code := codebase.FromMap(map[string]string{"a.py": "x = 1\n"})
	m := Manifest{Codebase: finding.Hollow, Options: Options{Root: "offline/orchestrator", Worker: "fake/worker"}}
	w := trace.NewWriter(trace.Discard, 0, time.Now, nil)
	if _, err := Perform(t.Context(), Work{Manifest: m}, code, w, nil, env); err == nil || !strings.Contains(err.Error(), "not what") {
		t.Error(err)
	}
	m.Codebase = code.Hash()
	m.Options.Worker = "nobody/x"
	if _, err := Perform(t.Context(), Work{Manifest: m}, code, w, nil, env); llm.KindOf(err) != llm.KindUnknownProvider {
		t.Error(err)
	}
}
