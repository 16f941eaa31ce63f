package pairs

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadForms(t *testing.T) {
	text := NewPair("7", "p", "c", "r")
	chat := text
	chat.Chat = true
	for name, c := range map[string]struct {
		in   string
		want Pair
	}{
		"texts":        {`{"task_id": 7, "prompt": "p", "chosen": "c", "rejected": "r"}`, text},
		"other names":  {`{"problem_id": "7", "instruction": "p", "chosen": "c", "rejected": "r"}`, text},
		"conversation": {`{"task_id":"7","prompt":[{"role":"user","content":"p"}],"chosen":[{"role":"assistant","content":"c"}],"rejected":[{"role":"assistant","content":"r"}]}`, chat},
		"implicit prompt": {`{"task_id":"7","chosen":[{"role":"user","content":"p"},{"role":"assistant","content":"c"}],
			"rejected":[{"role":"user","content":"p"},{"role":"assistant","content":"r"}]}`, chat},
		"one message": {`{"task_id":"7","prompt":[{"from":"human","value":"p"}],"chosen":{"from":"gpt","value":"c"},"rejected":{"from":"gpt","value":"r"}}`, chat},
		"parts":       {`{"task_id":"7","prompt":"p","chosen":[{"role":"assistant","content":[{"type":"text","text":"c"}]}],"rejected":"r"}`, chat},
		"labeled": {`{"task_id":"7","prompt_conversation":[{"role":"user","content":"p"}],"completion_A":[{"role":"assistant","content":"r"}],
			"completion_B":[{"role":"assistant","content":"c"}],"label":"B"}`, chat},
		"comparison": {`{"task_id":"7","comparison":{"prompt_conversation":[{"role":"user","content":"p"}],` +
			`"completion_A":[{"role":"assistant","content":"c"}],
			"completion_B":[{"role":"assistant","content":"r"}]},"label":"A"}`, chat},
		"no task": {`{"prompt": "p", "chosen": "c", "rejected": "r"}`, NewPair("", "p", "c", "r")},
		"metadata": {`{"task_id":"7","prompt":"p","chosen":"c","rejected":"r","score":0.5}`, func() Pair {
			p := text
			p.Extra = map[string]json.RawMessage{"score": json.RawMessage("0.5")}
			return p
		}()},
	} {
		t.Run(name, func(t *testing.T) {
			row := strings.ReplaceAll(c.in, "\n", " ")
			want := c.want
			want.Line = 1
			for form, in := range map[string]string{"lines": row + "\n", "no line end": "\ufeff " + row, "list": "[" + row + "]",
				"gzip": zipped(t, row+"\n")} {
				got, err := Read(strings.NewReader(in), "f")
				if err != nil {
					t.Fatalf("%s: %v", form, err)
				}
				if d := cmp.Diff([]Pair{want}, got); d != "" {
					t.Errorf("%s: %s", form, d)
				}
			}
		})
	}
}

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadBroken(t *testing.T) {
	good := `{"task_id": 7, "prompt": "p", "chosen": "c", "rejected": "r"}` + "\n"
	for _, c := range []struct{ in, want string }{
		{"", "f: the file is empty"},
		{"\n \n", "f: the file is empty"},
		{good + "\n" + `{"task_id": 7, "chosen": "c"` + "\n" + good, "f:3: not JSON: unexpected end of JSON input"},
		{"\n\n" + good + "null\n", "f:4: not a pair: a row must be a JSON object"},
		{"7\n", "f:1: not a pair: a row must be a JSON object"},
		{"{7}\n", "f:1: not JSON: invalid character"},
		{`{"prompt": "p", "chosen": "c"}`, `f:1: not a pair: "rejected" is missing`},
		{`{"prompt": "p", "completion": "c", "label": true}`, "f:1: not a pair: it has one completion and a label (KTO)"},
		{`{"prompt": "p", "chosen": 7, "rejected": "r"}`, "f:1: not a pair: chosen is neither a text nor a list of messages"},
		{`{"prompt": "p", "chosen": null, "rejected": "r"}`, "f:1: not a pair: chosen is neither a text nor a list of messages"},
		{`{"prompt": "p", "chosen": [{"content": "c"}], "rejected": "r"}`, "f:1: not a pair: message 1 of chosen has no role or no text"},
		{`{"prompt": "p", "chosen": [], "rejected": "r"}`, "f:1: not a pair: a side has no answer behind what both begin with"},
		{`{"completion_A": "a", "completion_B": "b", "label": "Tie"}`, "f:1: not a pair: a tie prefers neither side"},
		{`{"completion_A": "a", "completion_B": "b"}`, `f:1: not a pair: completion_A and completion_B without a label of "A" or "B"`},
		{"[" + good + ", 7]", "f: entry 2 of the list: "},
		{"[" + good, "f: the list does not end: "},
		{"\x1f\x8bnothing", "f: this is no gzip file: "},
	} {
		_, err := Read(strings.NewReader(c.in), "f")
		var row *RowError
		if !errors.As(err, &row) || !strings.HasPrefix(err.Error(), c.want) || row.Hint() == "" {
			t.Errorf("%q: %v\nwant %s", c.in, err, c.want)
		}
	}
	whole := zipped(t, strings.Repeat(good, 100))
	if _, err := Read(strings.NewReader(whole[:len(whole)-9]), "f"); err == nil {
		t.Error("a file cut off was read")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"task_id": 7, "prompt": "p", "chosen": "c", "rejected": "r"}` + "\n"))
	f.Add([]byte(`[{"chosen":[{"role":"user","content":"p"},{"role":"assistant","content":"c"}],"rejected":[{"role":"user","content":"p"}]}]`))
	f.Add([]byte(`{"comparison":{"prompt_conversation":[],"completion_A":"","completion_B":""},"label":"A"}`))
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, in []byte) {
		pairs, err := Read(bytes.NewReader(in), "f")
		var row *RowError
		if err != nil && !errors.As(err, &row) {
			t.Fatalf("%T: %v", err, err)
		}
		for _, p := range pairs {
			if len(p.Chosen) == 0 || len(p.Rejected) == 0 || p.Line < 1 {
				t.Fatalf("%+v", p)
			}
		}
	})
}
