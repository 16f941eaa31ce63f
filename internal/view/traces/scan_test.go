package traces

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// sample are events of every kind, as the writer writes them.
func sample(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := trace.NewWriter(memory{&b}, 0, func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6_000_000, time.FixedZone("", 3600)) }, nil)
	cost := int64(1_500_000_000_000)
	for _, e := range []trace.Event{
		{Kind: trace.KindStart, Start: &trace.Start{Run: "r", System: "be \"good\"\n\\"}},
		{Kind: trace.KindRoot, Turn: 1, Key: "t001", Root: &trace.Root{Model: "m", Message: "hello </script>\u2028",
			Text: "```python\n# Read é\u0000 all\n```", ToolCalls: []trace.ToolCall{{ID: "1", Name: "x", Arguments: "{\"code\":\"]}\"}"}},
			Usage: trace.Usage{InputTokens: 5, CachedTokens: 2, OutputTokens: 7, CostPico: &cost}, Seconds: 1.5}},
		{Kind: trace.KindDispatch, Turn: 1, Key: "t001.c01.d001.0001", Dispatch: &trace.Dispatch{Model: "w", Prompt: "p\n=== FILE: a/\"b\".go (lines 1-2 of 2) ===\n", Reply: "r", Files: []string{"a/\"b\".go", "c"}, Redacted: 2, Cached: true}},
		{Kind: trace.KindDispatch, Turn: 1, Key: "t001.c01.d001.0002", Dispatch: &trace.Dispatch{Model: "w", Prompt: "p\n=== FILE: a/\"b\".go (lines 1-2 of 2) ===\n", Error: "no \\\" way"}},
		{Kind: trace.KindDispatch, Turn: 1, Key: "t001.c01.d002.0001", Dispatch: &trace.Dispatch{Model: "w", Prompt: "Is it?", Reply: "No.", Purpose: trace.PurposeQuestion}},
		{Kind: trace.KindCall, Turn: 1, Key: "t001.c01.h0001", Call: &trace.Call{Name: "grep", Arguments: `{"pattern": "x"}`, Result: "1 lines"}},
		{Kind: trace.KindCell, Turn: 1, Key: "t001.c01", Cell: &trace.Cell{Index: 1, Code: "\n  x = 1\n", Output: "", ErrorType: "NameError", Error: "y", Stop: "wall", Variables: []trace.Variable{{Name: "x"}}}},
		{Kind: trace.KindCell, Turn: 1, Key: "t001.c02", Node: "", Cell: &trace.Cell{Index: 2, Code: "x", ErrorType: "NameError", Error: "y"}},
		{Kind: trace.KindGate, Turn: 1, Gate: &trace.Gate{Coverage: 0.5, Wanted: 0.9, Count: 1}},
		{Kind: trace.KindCompact, Turn: 2, Node: "t001.c01.d001.0003", Compact: &trace.Compact{From: 1, To: 2, Digest: "d"}},
		{Kind: trace.KindRoot, Turn: 3, Root: &trace.Root{Model: "m", Error: "refused", Synthesis: true}},
		{Kind: trace.KindEnd, End: &trace.End{Status: "completed", StopReason: "answer"}},
	} {
		if err := w.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

type memory struct{ *bytes.Buffer }

func (memory) Sync() error  { return nil }
func (memory) Close() error { return nil }

// FuzzScan holds the scanner against the decoder: what the decoder takes for an event the scanner must take for the same
// one, whatever the order of its fields, and nothing may make it panic or read for ever.
func FuzzScan(f *testing.F) {
	for line := range bytes.Lines(sample(f)) {
		f.Add(bytes.TrimRight(line, "\n"))
	}
	for _, s := range []string{
		`{"root":{"text":"early","usage":{"cost_pico_usd":null}},"kind":"root","seq":2,"at":"2026-01-02T03:04:05Z"}`,
		"{ \"seq\" : 1 , \"at\":\"2026-01-02T03:04:05+01:00\", \"kind\":\"end\",\t\"end\": { } }", `{"kind":"end"}`, `{"kind":"end","end":null}`,
		`[[[[[[`, `{"a":[{"b":[]}],"kind":"gate","gate":{}}`, `{"kind":"cell","cell":{"code":"\ud83d\ude00\ud83d"}}`, `{"seq":1e3}`, `{"a":"\\\\\\\""}`, `{"a" "b"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var got scanned
		ok := scan(line, &got)
		label := string(got.label(nil))
		if utf8.RuneCountInString(label) > maxLabel+20 || !utf8.ValidString(label) {
			t.Errorf("the label %q", label)
		}
		events(line, func(from, to int) bool { return from < to })
		if !plainJSON(line) {
			return
		}
		var want trace.Event
		if json.Unmarshal(line, &want) != nil || !hasContent(want) || eventLetters[string(want.Kind)] == 0 {
			return
		}
		if !ok {
			t.Fatalf("not taken for an event: %s", line)
		}
		if got.seq != want.Seq || got.at != want.At.UnixMilli() || got.kind != eventLetters[string(want.Kind)] ||
			decoded(got.node) != want.Node ||
			got.turn != int64(want.Turn) || decoded(got.key) != want.Key {
			t.Errorf("%+v\nwant %+v", got, want)
		}
		if u, ok := usageIn(want); ok {
			cost := int64(unpriced)
			if u.CostPico != nil {
				cost = *u.CostPico
			}
			if got.in != u.InputTokens || got.out != u.OutputTokens || got.cached != u.CachedTokens ||
				got.cost != cost && bytes.Contains(line, []byte(`"usage"`)) {
				t.Errorf("usage %+v\nwant %+v", got, u)
			}
		}
		if d := want.Dispatch; want.Kind == trace.KindDispatch {
			flags := flag(d.Error != "", flagError) | flag(d.Cached, flagCached) | flag(d.Redacted > 0, flagRedacted)
			if decoded(got.purpose) != string(d.Purpose) {
				t.Errorf("purpose %q, want %q", got.purpose, d.Purpose)
			}
			if got.flags != flags || decoded(got.model) != clipTo(d.Model) || got.files != len(d.Files) || got.seconds != d.Seconds {
				t.Errorf("dispatch %+v\nwant %+v", got, d)
			}
		}
		if c := want.Cell; want.Kind == trace.KindCell {
			if got.flags != flag(c.ErrorType != "" || c.Error != "", flagError)|flag(c.Stop != "", flagStopped) ||
				(got.fault != 0) != (c.ErrorType != "" || c.Error != "") {
				t.Errorf("cell %+v\nwant %+v", got, c)
			}
		}
	})
}

func flag(on bool, f uint8) uint8 {
	if on {
		return f
	}
	return 0
}

func clipTo(s string) string { return s[:min(len(s), 8_000)] }

func usageIn(e trace.Event) (trace.Usage, bool) {
	switch e.Kind {
	case trace.KindRoot:
		return e.Root.Usage, true
	case trace.KindDispatch:
		return e.Dispatch.Usage, true
	}
	return trace.Usage{}, false
}

// plainJSON reports text in which every object has each name once, in small letters and without escapes, and no long
// strings: encoding/json forgives more there than any writer does.
func plainJSON(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	var open []map[string]bool // nil for an array
	name := false
	for {
		offset := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			return len(open) == 0
		}
		raw := text[offset:d.InputOffset()]
		top := len(open) - 1
		if s, ok := token.(string); ok && name {
			if open[top][s] || strings.ToLower(s) != s || len(s) != utf8.RuneCountInString(s) || bytes.IndexByte(raw, '\\') >= 0 || len(s) > 100 {
				return false
			}
			open[top][s] = true
			name = false
			continue
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:top]
			}
		case string:
			if len(v) > 4_000 {
				return false
			}
		}
		name = len(open) > 0 && open[len(open)-1] != nil
	}
}

func TestScanOfEveryKind(t *testing.T) {
	var labels []string
	for line := range bytes.Lines(sample(t)) {
		var e scanned
		if !scan(bytes.TrimRight(line, "\n"), &e) {
			t.Fatalf("no event: %s", line)
		}
		labels = append(labels, string(e.kind)+" "+string(e.label(nil)))
	}
	want := "s |r Read é\x00 all ```|d a/\"b\".go +1|d a/\"b\".go|d Is it?|h grep|c x = 1|c x|g coverage 50% of 90%|m turns 1 to 2 folded|r " +
		"refused|e completed: answer"
	if got := strings.Join(labels, "|"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A label says that it is not all.
func TestLabelsEnd(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("é", 80):         strings.Repeat("é", 80),
		strings.Repeat("é", 80) + "\\n": strings.Repeat("é", 80),
		strings.Repeat("é", 81):         strings.Repeat("é", 79) + "…",
		"short":                         "short",
	} {
		if got := string(appendWords(nil, []byte(text))); got != want {
			t.Errorf("%q of %q", got, text)
		}
	}
}

func TestCostsAreWrittenAsDollars(t *testing.T) {
	text, err := json.Marshal(costs{0, unpriced, 1_500_000_000_000, 7, math.MaxInt64})
	if err != nil || string(text) != "[0,null,1.5,7e-12,9.223372036854776e+06]" {
		t.Errorf("%s, %v", text, err)
	}
}
