package openenv

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/jsonfile"
)

// FuzzMessage checks that whatever a client sends, exactly one of a usable message and a sendable error comes of it.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		``, `{`, `null`, `{"type":"reset"}`, `{"type":"reset","data":{"seed":1,"episode_id":null,"files":7,"bare_cells":true}}`,
		`{"type":"step","data":{"message":"x","usage":{"input_tokens":1,"output_tokens":2,"cached_tokens":1},"metadata":{}}}`,
		`{"type":"state","data":null}`, `{"type":"mcp","data":{"jsonrpc":"2.0","id":"a","method":"tools/list"}}`, `{"type":"close"}x`,
		`{"TYPE":"reset","data":{"Seed":1}}`, `{"type":"reset","data":{"index":1e3}}`, `{"type":"reset","data":{"index":99999999999999999999}}`,
		`{"type":"reset","data":{"seed":-9223372036854775808,"index":9223372036854775807,"rollout":9223372036854775807,"files":1000000000}}`,
		`{"type":"reset","data":{"seed":NaN}}`, `{"type":"reset","data":{"files":"7"}}`, `{"type":"reset","data":{"files":-1e999}}`,
		`{"type":"step","data":{"message":"x","usage":{"input_tokens":1099511627777,"output_tokens":-1}}}`,
		"{\"type\":\"\u202e\"}", strings.Repeat("[", 20000),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, bad := parseMessage(raw)
		if bad == nil {
			switch m.Type {
			case typeReset:
				var d resetData
				if d, bad = parseReset(m.Data); bad == nil && (d.Index != nil && *d.Index < 0 || d.Rollout < 0 || d.Files < 0) {
					t.Fatalf("%q gave %+v", raw, d)
				}
			case typeStep:
				var r reply
				if r, bad = parseAction(m.Data); bad == nil {
					if !utf8.ValidString(r.text) || r.usage != nil &&
						(r.usage.CachedTokens > r.usage.InputTokens || r.usage.CachedTokens < 0 || r.usage.OutputTokens < 0) {
						t.Fatalf("%q gave %+v", raw, r)
					}
				}
			case typeMCP:
				if _, err := json.Marshal(rpc(m.Data)); err != nil {
					t.Fatal(err)
				}
			case typeState, typeClose:
			default:
				t.Fatalf("%q has type %q", raw, m.Type)
			}
		}
		if bad != nil {
			if bad.Code == "" || bad.Message == "" || len(bad.Message) > 1000+len(raw) {
				t.Fatalf("%q gave %+v", raw, bad)
			}
			if _, err := jsonfile.Line(answer{typeError, bad}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestCrowdedMessage(t *testing.T) {
	raw := []byte(`{"type":"step","data":{"message":"x","metadata":{"a":[` + strings.Repeat("{},", 1_000_000) + `{}]}}}`)
	if _, bad := parseMessage(raw); bad == nil || !strings.Contains(bad.Message, "more than 1000000 values") {
		t.Errorf("%+v", bad)
	}
}
