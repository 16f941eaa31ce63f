package opinion

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, raw string
		want      reply
		bad       bool
	}{
		{"all", `{"file":"a.py","line":3,"missing":"","quote":"x = 1","reason":"why","severity":"Low","verdict":"partly"}`,
			reply{Verdict: "partly", File: "a.py", Line: 3, Quote: "x = 1", Reason: "why", Severity: "low"}, false},
		{"words as people write them", `{"verdict":"By design","line":"12","quote":["a","b"]}`,
			reply{Verdict: "by_design", Line: 12, Quote: "a\nb"}, false},
		{"what is missing", `{"verdict":"unsure","missing":"the  proxy's\nsettings"}`, reply{Verdict: "unsure", Missing: []string{"the proxy's settings"}}, false},
		{"what is missing, by name", `{"verdict":"unsure","missing":["a.py", 3, "", "b ", "b","c","d","e","f"]}`,
			reply{Verdict: "unsure", Missing: []string{"a.py", "b", "c", "d", "e"}}, false},
		{"no severity", `{"verdict":"partly","severity":"harmless"}`, reply{Verdict: "partly"}, false},
		{"another word", `{"verdict":"wontfix"}`, reply{}, true},
		{"a number", `{"verdict":1}`, reply{}, true},
		{"a second object counts where the first is none", `{"note":"x"} {"verdict":"stands"}`, reply{Verdict: "stands"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parse(tt.raw)
			if (err != nil) != tt.bad || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, %v; want %+v", got, err, tt.want)
			}
		})
	}
}

// A provider's strict mode wants every property required, and a model writes its proof before its verdict.
func TestTheSchemaNamesAllThatIsRead(t *testing.T) {
	for _, check := range []bool{false, true} {
		var s struct {
			Required   []string
			Properties map[string]struct{ Enum []string }
		}
		if err := json.Unmarshal(schema(check).JSON, &s); err != nil {
			t.Fatal(err)
		}
		for name := range s.Properties {
			if !strings.Contains(instructions+checkRequest, "`"+name+"`") {
				t.Errorf("the instructions do not explain %q", name)
			}
		}
		if _, has := s.Properties["test"]; has != check || len(s.Required) != len(s.Properties) || !slices.IsSorted(s.Required) ||
			s.Required[len(s.Required)-1] != "verdict" {
			t.Errorf("%+v", s)
		}
		for _, v := range s.Properties["verdict"].Enum {
			if !strings.Contains(instructions, "`"+v+"`") {
				t.Errorf("the instructions do not explain %q", v)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"file":"a.py","line":3,"quote":"x = 1","reason":"why","verdict":"refuted"}`)
	f.Add("```json\n{\"verdict\":\"stands\",\"line\":\"12\",\"quote\":[\"a\",\"b\"]}\n```")
	f.Add(`{"verdict":"by design","severity":"LOW","missing":"a\u0000b"}`)
	f.Add(`{"verdict":"unsure","missing":["a.py",["b"],{"c":1},"d\u2028e","` + strings.Repeat("f", 400) + `","g","h","i"]}`)
	f.Add("{{{{\"verdict\": 1}")
	f.Add("<think>")
	f.Fuzz(func(t *testing.T, raw string) {
		r, err := parse(raw)
		if err == nil && !slices.Contains(finding.Verdicts(), r.Verdict) {
			t.Errorf("verdict %q", r.Verdict)
		}
		if r.Line < 0 || len(r.Quote) > maxQuote || len(r.Reason) > maxReason+8 || len(r.Missing) > mostLacks || len(r.Check) > maxCheck ||
			r.Severity != "" && taxonomy.Rank(r.Severity) == 0 {
			t.Errorf("%+v", r)
		}
		for _, m := range r.Missing {
			if m == "" || len(m) > maxLack+8 || strings.ContainsAny(m, "\r\n") {
				t.Errorf("missing: %q", m)
			}
		}
	})
}
