package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
)

// A row as verifiers 0.1.10 saved it in February 2026, and one of 0.3.0.
const (
	rowOf01 = `{"example_id": 0, "prompt": [{"role": "user", "content": "x"}], "completion": [], ` +
		`"task": "default", "reward": 0.25, "error": null, "timing": {"start_time": 1.5, "generation_ms": 20500.0, "scoring_ms": 3.0, ` +
		`"total_ms": 20503.0}, "is_completed": true, "is_truncated": false, "stop_condition": "episode_done", ` +
		`"metrics": {"delegation_reward": 0.25, "num_turns": 5.0}, "oai_tools": null, "token_usage": {"input_tokens": 10.0, ` +
		`"output_tokens": 2.0}, "delegation_reward": 0.25, "num_turns": 5.0}`
	rowOf03 = `{"example_id": 1, "prompt": null, "completion": null, "reward": 0.0, "error": {"error": "ModelError", "message": "503", ` +
		`"error_chain_repr": "ModelError('503')", "error_chain_str": "ModelError -> APIError"}, ` +
		`"timing": {"start_time": 1.5, "setup": {"start": 0.0, "end": 0.0, "duration": 0.0}, ` +
		`"generation": {"start": 1.0, "end": 3.5, "duration": 2.5}, "total": 2.5, "overhead": 0.0}, ` +
		`"is_completed": true, "is_truncated": true, "stop_condition": "has_error", "metrics": {}, ` +
		`"tool_defs": null, "info": "{\"task\": \"mini-blog\"}"}`
)

func TestRowsOfVerifiersAreRead(t *testing.T) {
	var r Results
	torn, err := r.read(strings.NewReader(rowOf03+"\n"+rowOf01+"\n\n"+rowOf01), ResultsName)
	if err != nil || torn || len(r.records) != 3 {
		t.Fatalf("%d records, torn %v, %v", len(r.records), torn, err)
	}
	a, b, c := &r.records[0], &r.records[1], &r.records[2]
	if a.Rollout != 0 || b.Rollout != 1 || b.Example != 0 || c.Example != 1 {
		t.Errorf("order: %+v, %+v, %+v", a, b, c)
	}
	if !a.OK() || a.Reward != 0.25 || a.Generation != 20.5 || a.Input != 10 || a.Cost != nil || a.Conduct != nil {
		t.Errorf("%+v", a)
	}
	if v, ok := r.metric(a, "num_turns"); !ok || v != 5 {
		t.Errorf("num_turns %v, %v", v, ok)
	}
	if c.OK() || c.Error != "ModelError -> APIError" || c.Generation != 2.5 || !c.Truncated || c.Task != "mini-blog" {
		t.Errorf("%+v", c)
	}
}

func TestDamagedRowsAreRefusedWithTheirLine(t *testing.T) {
	tests := []struct{ name, row, why string }{
		{"no JSON", `garbage`, "not a row"},
		{"no example", `{"reward": 1}`, "no example_id"},
		{"negative example", `{"example_id": -1, "reward": 1}`, "no example_id"},
		{"no reward", `{"example_id": 1}`, "neither a reward nor an error"},
		{"NaN", `{"example_id": 1, "reward": NaN}`, "not a row"},
		{"a list", `[1]`, "not a row"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r Results
			_, err := r.read(strings.NewReader(rowOf01+"\n"+tt.row+"\n"+rowOf01+"\n"), ResultsName)
			var damage *CorruptError
			if !errors.As(err, &damage) || damage.Line != 2 || !strings.Contains(damage.Why, tt.why) || damage.Hint() == "" {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A crash can cut the file at any byte: resume repairs it and comes to the rows of an uninterrupted eval.
func TestTornFilesAreRepaired(t *testing.T) {
	whole := options(t, 4, 2)
	if _, err := Run(t.Context(), whole, config(guesser)); err != nil {
		t.Fatal(err)
	}
	want, traces := read(t, whole.Out, ResultsName), read(t, whole.Out, TracesName)
	for _, tail := range []string{`{"example_id":3,"roll`, strings.Repeat("x", 5000), "\x00\x00\x00"} { // behind the last row
		if err := os.WriteFile(filepath.Join(whole.Out, ResultsName), append(want[:len(want):len(want)], tail...), 0o644); err != nil {
			t.Fatal(err)
		}
		if s, err := Load(whole.Out); err != nil || len(s.Results.records) != 8 || !s.Torn {
			t.Errorf("tail %.10q: %v, torn %v", tail, err, s.Torn)
		}
		if _, err := Resume(t.Context(), whole.Out, nil, func(Options) (Config, error) { return config(guesser), nil }); err != nil {
			t.Fatalf("tail %.10q: %v", tail, err)
		}
		if got := read(t, whole.Out, ResultsName); !bytes.Equal(got, want) {
			t.Errorf("tail %.10q: the rows differ", tail)
		}
	}
	for _, cut := range []int{0, 1, len(want) / 3, bytes.IndexByte(want, '\n') + 1, len(want) - 1} {
		if err := os.WriteFile(filepath.Join(whole.Out, ResultsName), want[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(whole.Out, TracesName), traces[:len(traces)*cut/len(want)], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Resume(t.Context(), whole.Out, nil, func(Options) (Config, error) { return config(guesser), nil }); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if got := read(t, whole.Out, ResultsName); !bytes.Equal(got, want) {
			t.Errorf("cut at %d: the rows differ", cut)
		}
	}
}

func TestDamageIsNotResumed(t *testing.T) {
	o := options(t, 2, 2)
	if _, err := Run(t.Context(), o, config(guesser)); err != nil {
		t.Fatal(err)
	}
	resume := func() error {
		_, err := Resume(t.Context(), o.Out, nil, func(Options) (Config, error) { return config(guesser), nil })
		return err
	}
	good := read(t, o.Out, ResultsName)
	lines := bytes.SplitAfter(good, []byte("\n"))
	damaged := bytes.Join([][]byte{lines[0], []byte("{\"example_id\":9,\"rollout\":0,\"reward\":1}\n"), lines[1]}, nil)
	if err := os.WriteFile(filepath.Join(o.Out, ResultsName), damaged, 0o644); err != nil {
		t.Fatal(err)
	}
	var damage *CorruptError
	if err := resume(); !errors.As(err, &damage) || damage.Line != 2 || !strings.Contains(damage.Why, "not part of this eval") {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(filepath.Join(o.Out, ResultsName), good, 0o644); err != nil {
		t.Fatal(err)
	}
	manifest := read(t, o.Out, ManifestName)
	if err := os.WriteFile(filepath.Join(o.Out, ManifestName), bytes.Replace(manifest, []byte(`"seed": 0`), []byte(`"seed": 1`), 1),
		0o644); err != nil {
		t.Fatal(err)
	}
	if err := resume(); err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Errorf("changed options: %v", err)
	}
}

// A directory may come from a stranger: a link in it must not have resume write, or cut, a file elsewhere.
func TestLinksOutOfTheDirectoryAreNotFollowed(t *testing.T) {
	mine := filepath.Join(t.TempDir(), "key")
	for _, name := range []string{ResultsName, TracesName, rolloutsName} {
		o := options(t, 1, 1)
		if _, err := Run(t.Context(), o, config(guesser)); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(o.Out, name)
		if err := errors.Join(os.WriteFile(mine, []byte("no newline"), 0o600), os.RemoveAll(link), os.Symlink(mine, link)); err != nil {
			t.Skip("no symbolic links here: " + err.Error())
		}
		_, err := Resume(t.Context(), o.Out, nil, func(Options) (Config, error) { return config(guesser), nil })
		if err == nil || string(read(t, mine)) != "no newline" {
			t.Errorf("%s: error %v, and the file holds %q", name, err, read(t, mine))
		}
	}
}

func TestMetricsKeepTheirPlaces(t *testing.T) {
	r := runfile.EvalRow{Metrics: map[string]runfile.Float{"reward": 9, "näme \"x\"": 1.5, "a": 0}}
	text, err := encodeRow(r)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	if m["reward"] != 0.0 || m["näme \"x\""] != 1.5 || m["metrics"].(map[string]any)["reward"] != 9.0 {
		t.Errorf("%s", text)
	}
	for _, name := range reserved {
		if _, ok := m[name]; !ok && name != "answer" && name != "error_chain" && name != "long_error_chain" && name != "token_usage" &&
			name != "oai_tools" && name != "trajectory" {
			t.Errorf("%q is reserved and not in a row", name)
		}
	}
	for name := range m {
		if _, isMetric := r.Metrics[name]; !isMetric && !contains(reserved, name) {
			t.Errorf("%q stands in a row and is not reserved", name)
		}
	}
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func FuzzParseRow(f *testing.F) {
	f.Add([]byte(rowOf01))
	f.Add([]byte(rowOf03))
	text, err := encodeRow(runfile.EvalRow{Rollout: 1, Parts: []runfile.RewardPart{{Name: "p", Value: 1, Weight: 1}},
		Conduct: &runfile.Conduct{Cells: 2}, Metrics: map[string]runfile.Float{"m": 1}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		rec, err := savedrow.Parse(text)
		if err != nil {
			return
		}
		if rec.Example < 0 || rec.Rollout < -1 || !rec.OK() && rec.Reward != 0 {
			t.Fatalf("%+v", rec)
		}
		var r Results
		r.add(rec)
		r.settle()
		var b bytes.Buffer
		h := Header{RewardName: r.rewardName()}
		if err := errors.Join(WriteBlock(&b, h, &r), WriteDetail(&b, summarize(&r))); err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(b.Bytes(), "\x1b\x00\u202e") {
			t.Fatalf("%q", b.Bytes())
		}
		if _, err := json.Marshal(summarize(&r)); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzResults(f *testing.F) {
	f.Add([]byte(rowOf01+"\n"+rowOf03+"\n"), []byte(rowOf01+"\n"))
	f.Add([]byte(`{"example_id":0,"rollout":3,"reward":1e308}`+"\n"+`{"example_id":0,"rollout":3,"reward":-1e308}`+"\n\x00\x00"),
		[]byte(`{"example_id":0,"reward":2}`))
	f.Add([]byte(`{"example_id":0,"reward":0}`+"\n"+`{"example_id":0,"reward":1e200}`), []byte(`{"example_id":0,"reward":0}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var x, y Results
		_, errA := x.read(bytes.NewReader(a), ResultsName)
		_, errB := y.read(bytes.NewReader(b), ResultsName)
		if errA != nil || errB != nil || len(x.records) == 0 || len(y.records) == 0 {
			return
		}
		var out bytes.Buffer
		c, err := CompareSaved([]Saved{{Dir: "a", Header: Header{Environment: "e", Model: "m"}, Results: &x},
			{Dir: "b", Header: Header{Environment: "e", Model: "m"}, Results: &y}})
		if err != nil {
			return
		}
		if err := WriteComparison(&out, c); err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzStore(f *testing.F) {
	f.Add([]byte(`{"example_id":0,"rollout":0,"reward":1}` + "\n" + `{"example_id":0,"rollout":1,"reward":1}`))
	f.Add([]byte(`{"example_id":1,"rollout":0,"reward":1}` + "\n" + `{"example_id":0,"rollout":1,"reward":1}` + "\n\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir, err := rundir.Open(t.TempDir(), kind)
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		if err := os.WriteFile(dir.File("lines"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		open := func() (*store, error) {
			return openStore(dir, "lines", false, func(text []byte) (place, bool, error) {
				p, err := parseTrace(text)
				return p, true, err
			})
		}
		s, err := open()
		if err != nil {
			return
		}
		n := len(s.at)
		if err := errors.Join(s.append(place{1 << 40, 0}, []byte(fmt.Sprintf(`{"example_id":%d,"rollout":0}`, 1<<40))), s.sort(),
			s.close()); err != nil {
			t.Fatal(err)
		}
		_, had := s.at[place{1 << 40, 0}]
		if s, err = open(); err != nil || !had || len(s.at) < n || !s.sorted {
			t.Fatalf("%v: %d lines became %d", err, n, len(s.at))
		}
		s.close()
	})
}

func FuzzParseMetadata(f *testing.F) {
	f.Add([]byte(`{"env_id":"e","env_args":{"seed":1},"model":"m","base_url":"u","num_examples":3,"rollouts_per_example":2,` +
		`"cost":{"total_usd":0.5}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := parseMetadata(data); err == nil && (m.EnvID == "" || m.Model == "") {
			t.Fatalf("%+v", m)
		}
	})
}
