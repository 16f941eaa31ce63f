package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/pairs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"
)

func some() []pairs.Pair {
	return []pairs.Pair{
		pairs.NewPair("MBPP/7", "Add <a> & b.", "def f(a, b):\n    return a + b\n", "def f(a, b):\n    return a - b\n"),
		pairs.NewPair("MBPP/7", "Add <a> & b.", "def f(a, b):\n    return a + b\n", "def f(a, b):\n    return a\n"),
		pairs.NewPair("MBPP/8", "Say hé.", "print('hé')", "print('he')"),
	}
}

func write(t *testing.T, form string, o Options) (string, int) {
	t.Helper()
	var b bytes.Buffer
	n, err := Write(&b, form, some(), o)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), n
}

// What is written in a form of pairs is read back as it was.
func TestRoundTrip(t *testing.T) {
	for _, form := range []string{TRL, Conversational, Tinker} {
		text, n := write(t, form, Options{Seed: 4})
		got, err := pairs.Read(strings.NewReader(text), form)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(some(), got, cmpopts.IgnoreFields(pairs.Pair{}, "Line", "Chat")); d != "" || n != 3 {
			t.Errorf("%s: %d rows, %s", form, n, d)
		}
		if again, _ := write(t, form, Options{Seed: 4}); again != text {
			t.Errorf("%s: other bytes the second time", form)
		}
	}
}

func TestRows(t *testing.T) {
	text, _ := write(t, TRL, Options{})
	first, _, _ := strings.Cut(text, "\n")
	if want := `{"task_id":"MBPP/7","prompt":"Add <a> & b.","chosen":"def f(a, b):\n    return a + b\n",` +
		`"rejected":"def f(a, b):\n    return a - b\n"}`; first != want {
		t.Error(first)
	}
	text, n := write(t, KTO, Options{})
	if n != 5 || strings.Count(text, `"label":true`) != 2 || strings.Count(text, `"label":false`) != 3 {
		t.Errorf("%d rows: %s", n, text)
	}
	labels := map[string]int{}
	for seed := range uint64(20) {
		text, _ := write(t, Tinker, Options{Seed: seed})
		for line := range strings.Lines(text) {
			var row tinkerRow
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			labels[row.Label]++
		}
	}
	if labels["A"] < 15 || labels["B"] < 15 || labels["A"]+labels["B"] != 60 {
		t.Error(labels)
	}
	if _, err := Write(&bytes.Buffer{}, "csv", some(), Options{}); err == nil ||
		!strings.Contains(err.Error(), "trl, conversational, kto, verl, tinker") {
		t.Error(err)
	}
}

func TestVerl(t *testing.T) {
	text, n := write(t, Verl, Options{})
	rows, err := parquet.Read[verlRow](strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	want := []verlRow{
		{"deeprepo/pairs", []verlMessage{{"user", "Add <a> & b."}}, "code", rewardModel{"rule", "def f(a, b):\n    return a + b\n"}, extraInfo{"train", 0, "MBPP/7", "", 2}},
		{"deeprepo/pairs", []verlMessage{{"user", "Say hé."}}, "code", rewardModel{"rule", "print('hé')"}, extraInfo{"train", 1, "MBPP/8", "", 1}},
	}
	if d := cmp.Diff(want, rows); d != "" || n != 2 {
		t.Error(n, d)
	}
	g, err := truth(dataset.Task{Setup: "import math", Tests: []dataset.Test{{Code: "assert f(1, 2) == 3"}}})
	if want := `{"assert_case":["import math\nassert f(1, 2) == 3"],"inputs":[""],"outputs":[null]}`; err != nil || g != want {
		t.Error(g, err)
	}
}
