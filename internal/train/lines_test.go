package train

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestEpisodesRoundTrip(t *testing.T) {
	want := []Episode{
		{Task: "t/1", Policy: "heap", Reward: 0.5, Metrics: map[string]float64{"coverage": 1}, Turns: 2, Cut: 1,
			Exchanges: []nano.Exchange{{View: "9 files <b>\u2028", Cell: "print(\"a\\n\")"}, {View: "a t2/20", Cell: ""}}},
		{Task: "t/2", Exchanges: []nano.Exchange{{}}, Segments: []Segment{{Tokens: []int32{1}}}},
	}
	var b bytes.Buffer
	if err := WriteEpisodes(&b, want); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 2 || strings.Contains(b.String(), "\\u003c") {
		t.Errorf("%d lines:\n%s", n, b.String())
	}
	got, err := ReadEpisodes(strings.NewReader(b.String()+"\n  \n"), "x")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Episode{}, "Segments")); diff != "" {
		t.Error(diff)
	}
}

func TestReadEpisodesNamesTheLine(t *testing.T) {
	good := `{"task":"a","reward":0.5,"exchanges":[{"view":"v","cell":"c"}]}` + "\n"
	tests := []struct{ name, text, want string }{
		{"no JSON", good + "\n" + "{\"task\": \n", "demos.jsonl, line 3: unexpected end of JSON input"},
		{"the last line is torn", good + good[:20], "demos.jsonl, line 2: unexpected end of JSON input"},
		{"another kind of line", good + good + `{"prompt":"p"}`, "demos.jsonl, line 3: the episode has no exchanges"},
		{"a reward above 1", strings.Replace(good, "0.5", "1.5", 1), "line 1: a reward of 1.5"},
		{"a reward below 0", strings.Replace(good, "0.5", "-0.5", 1), "line 1: a reward of -0.5"},
		{"a negative count", strings.Replace(good, `"task"`, `"turns":-1,"task"`, 1), "line 1: counts below 0"},
		{"a reward that is a text", strings.Replace(good, "0.5", `"0.5"`, 1), "line 1: json: cannot unmarshal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadEpisodes(strings.NewReader(tt.text), "demos.jsonl")
			var line *LineError
			if !errors.As(err, &line) || line.Hint() == "" || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, and should say %q", err, tt.want)
			}
		})
	}
	long := strings.Repeat("x", maxLine+2)
	if _, err := ReadEpisodes(strings.NewReader(good+long), "x"); err == nil || !strings.Contains(err.Error(), "line 2: longer than") {
		t.Errorf("a line without an end: %v", err)
	}
	failing := errors.New("the disk is gone")
	if _, err := ReadEpisodes(&halfway{good, failing}, "x"); !errors.Is(err, failing) {
		t.Errorf("a disk that fails: %v", err)
	}
}

type halfway struct {
	text string
	err  error
}

func (h *halfway) Read(p []byte) (int, error) {
	n := copy(p, h.text)
	h.text = h.text[n:]
	if n == 0 {
		return 0, h.err
	}
	return n, nil
}

func TestReadSteps(t *testing.T) {
	text := `{"step":1,"loss":7,"heldout":0.25}` + "\n" + `{"step":2,"loss":6,"kl":0.5}` + "\n"
	steps, _, err := readSteps(strings.NewReader(text+`{"step":3,"lo`), "metrics.jsonl", math.MaxInt)
	if err != nil || len(steps) != 2 || steps[1].KL != 0.5 || steps[0].Heldout == nil || *steps[0].Heldout != 0.25 || steps[1].Heldout != nil {
		t.Errorf("%+v, %v", steps, err)
	}
	if _, _, err := readSteps(strings.NewReader(text+text), "metrics.jsonl", math.MaxInt); err == nil ||
		!strings.Contains(err.Error(), "metrics.jsonl, line 3: step 1 comes after step 2") {
		t.Errorf("steps that come twice: %v", err)
	}
	if _, _, err := readSteps(strings.NewReader(text+"garbage\n"), "metrics.jsonl", math.MaxInt); err == nil ||
		!strings.Contains(err.Error(), "line 3") {
		t.Errorf("garbage: %v", err)
	}
}

// FuzzReadEpisodes: whatever a file holds, it is read or refused; what is read is written and read again unchanged.
func FuzzReadEpisodes(f *testing.F) {
	f.Add([]byte(`{"task":"a","policy":"heap","reward":0.5,"metrics":{"coverage":1},"exchanges":[{"view":"v","cell":"c"}],"turns":1}` + "\n"))
	f.Add([]byte("{\"exchanges\":[{}]}\n\n{\"exchanges\":[{\"cell\":\"\\ud800\"}],\"cut\":2}"))
	f.Add([]byte(`{"exchanges":[{}],"reward":1e999}`))
	f.Add([]byte("{\"exchanges\":[{}],\"metrics\":{\"x\":-0.0}}\x00\n"))
	f.Add([]byte("[]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		episodes, err := ReadEpisodes(bytes.NewReader(data), "f")
		if err != nil {
			var line *LineError
			if !errors.As(err, &line) || line.Line < 1 || line.Line > bytes.Count(data, []byte("\n"))+1 {
				t.Fatalf("the error %v names no line", err)
			}
			return
		}
		var b bytes.Buffer
		if err := WriteEpisodes(&b, episodes); err != nil {
			t.Fatal(err)
		}
		again, err := ReadEpisodes(&b, "f")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(episodes, again, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// FuzzReadSteps: whatever a file holds, its steps are in order or it is refused.
func FuzzReadSteps(f *testing.F) {
	f.Add([]byte(`{"step":1,"loss":7}` + "\n" + `{"step":2}` + "\n"))
	f.Add([]byte(`{"step":2}` + "\n" + `{"step":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		steps, _, err := readSteps(bytes.NewReader(data), "f", math.MaxInt)
		for i := 1; i < len(steps); i++ {
			if steps[i].Step <= steps[i-1].Step {
				t.Fatalf("step %d after %d, %v", steps[i].Step, steps[i-1].Step, err)
			}
		}
	})
}
