package llm

import (
	"bytes"
	"testing"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/google/go-cmp/cmp"
)

const openRouterList = `{"data":[
 {"id":"a/good","context_length":131072,"pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003"}},
 {"id":"a/free:free","pricing":{"prompt":"0","completion":"0"}},
 {"id":"a/auto","pricing":{"prompt":"-1","completion":"-1"}},
 {"id":"a/absurd","pricing":{"prompt":"0.02","completion":"0.01"}},
 {"id":"a/half","pricing":{"prompt":"0.000003"}},
 {"id":"a/words","pricing":{"prompt":"cheap","completion":{"a":1}}},
 {"id":"a/cache","pricing":{"prompt":"0.000001","completion":"0.000001","input_cache_write":"-0.1"}}]}`

const liteLLMList = `{"sample_spec":{"input_cost_per_token":0,"output_cost_per_token":0,"litellm_provider":"one of the list"},
 "claude-x":{"litellm_provider":"anthropic","input_cost_per_token":3e-06,"output_cost_per_token":1.5e-05,"max_input_tokens":200000,
  "input_cost_per_token_above_200k_tokens":6e-06,"output_cost_per_token_above_200k_tokens":2.25e-05},
 "openrouter/a/b":{"litellm_provider":"openrouter","input_cost_per_token":"0.0000001","output_cost_per_token":4e-07},
 "gpt-bad":{"litellm_provider":"openai","input_cost_per_token":-3e-06,"output_cost_per_token":1},
 "other":{"litellm_provider":"bedrock","input_cost_per_token":3e-06,"output_cost_per_token":1e-06}}`

func TestParsePrices(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		leftOut    int
		want       map[string]string // input and output per million
	}{
		{"OpenRouter", openRouterList, 5, map[string]string{"openrouter/a/good": "3 15", "openrouter/a/free:free": "0 0"}},
		{"LiteLLM", liteLLMList, 1, map[string]string{"anthropic/claude-x": "3 15", "openrouter/a/b": "0.1 0.4"}},
		{"its own", `{"providers":{"openai":{"m":{"cost":{"input":1,"output":2}}}}}`, 0, map[string]string{"openai/m": "1 2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, leftOut, err := ParsePrices([]byte(tt.text), "a list", "2026-11-23")
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, m := range p.All() {
				got[m.Name] = m.Price.Input.Decimal() + " " + m.Price.Output.Decimal()
			}
			if d := cmp.Diff(tt.want, got); d != "" || leftOut != tt.leftOut {
				t.Errorf("%d left out\n%s", leftOut, d)
			}
			var b bytes.Buffer
			if err := p.Write(&b); err != nil {
				t.Fatal(err)
			}
			again, err := ReadPrices(&b)
			if err != nil {
				t.Fatal(err)
			}
			base, err := DefaultPrices()
			if err != nil {
				t.Fatal(err)
			}
			over := again.Over(base)
			for _, m := range p.All() {
				m.Price.Source, m.Price.Date = "a list", "2026-11-23"
				if d := cmp.Diff(m, over.Lookup(m.Name, nil)); d != "" {
					t.Errorf("written and read again:\n%s", d)
				}
			}
			if s := over.Lookup("anthropic/claude-opus-4-6", nil); s.Price == nil || s.Price.Source != "snapshot" {
				t.Errorf("the snapshot's prices are gone: %+v", s)
			}
		})
	}
	p, _, err := ParsePrices([]byte(liteLLMList), "a list", "2026-11-23")
	if err != nil {
		t.Fatal(err)
	}
	long := p.Lookup("anthropic/claude-x", nil).Price.Cost(Usage{InputTokens: 200_001})
	if want := money.USD(200_001) * 6_000_000; long != want {
		t.Errorf("a long request costs %s, want %s", long, want)
	}
	if short := p.Lookup("anthropic/claude-x", nil).Price.Cost(Usage{InputTokens: 200_000}); short != 200_000*3_000_000 {
		t.Errorf("a short request costs %s", short)
	}
	for _, bad := range []string{"", "[]", "{}", "nope", `{"data":{}}`, `{"data":[]}`,
		`{"providers":{"a":{"m":{"cost":{"input":20000,"output":1}}}}}`,
		`{"providers":{"a":{"m":{"cost":{"input":-1,"output":1}}}}}`} {
		if p, _, err := ParsePrices([]byte(bad), "a list", "2026-11-23"); err == nil {
			t.Errorf("%s was taken: %+v", bad, p)
		}
	}
}

// Whatever a list says, a price that is taken is one, and what was taken is written and read again.
func FuzzParsePrices(f *testing.F) {
	f.Add([]byte(openRouterList))
	f.Add([]byte(liteLLMList))
	f.Add([]byte(`{"providers":{"a":{"m":{"cost":{"input":5,"output":0.0375,"tiers":[{"over":1,"input":1,"output":1}]}}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, _, err := ParsePrices(text, "a list", "2026-11-23")
		if err != nil {
			return
		}
		for _, m := range p.All() {
			for _, r := range m.Price.bands() {
				if min(r.input, r.output, r.cached, r.write) < 0 || max(r.input, r.output, r.cached, r.write) > mostPrice {
					t.Fatalf("%s: %+v", m.Name, m.Price)
				}
			}
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPrices(&b); err != nil {
			t.Fatal(err)
		}
	})
}
