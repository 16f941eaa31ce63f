package savedrow

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What another program wrote beside a row's place, reward and error does not spoil the row.
func TestForeignFieldsSpoilNoRow(t *testing.T) {
	nothing := math.NaN()
	want := Row{Example: 3, Rollout: -1, Reward: 0.5, Generation: nothing, Input: nothing, Output: nothing, Metrics: map[string]float64{}}
	for _, field := range []string{"timing", "is_truncated", "stop_condition", "metrics", "token_usage", "root_usage", "worker_usage",
		"cost_usd", "conduct", "parts"} {
		for _, value := range []string{`["x"]`, `7e99`, `[[1]]`, `{"cost_usd":"x","cells":[],"input_tokens":"x"}`, `-1`} {
			r, err := Parse(fmt.Appendf(nil, `{%q:%s,"example_id":3,"reward":0.5}`, field, value))
			if diff := cmp.Diff(want, r, cmpopts.EquateNaNs()); diff != "" || err != nil {
				t.Errorf("%s %s: %v %s", field, value, err, diff)
			}
		}
	}
	whole := `{"example_id":0,"reward":1,"cost_usd":0.5,"conduct":{"cells":2},"parts":[{"name":"p","value":1,"weight":2}],` +
		`"root_usage":{"calls":4},"stop_condition":"done","is_truncated":true,"token_usage":{"input_tokens":9},` +
		`"metrics":{"a":true},"timing":{"generation":2}}`
	r, err := Parse([]byte(whole))
	if err != nil || r.Cost.Float64() != 0.5 || r.Conduct.Cells != 2 || r.Parts[0].Weight != 2 || r.Root.Calls != 4 || r.Stop != "done" ||
		!r.Truncated || r.Input != 9 || !math.IsNaN(r.Output) || r.Metrics["a"] != 1 || r.Generation != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestNoRow(t *testing.T) {
	for text, why := range map[string]string{
		`{"reward":1}`: "no example_id", `{"example_id":-1,"reward":1}`: "-1 is no example_id", `{"example_id":4294967296,"reward":1}`: "4294967296 is no example_id",
		`{"example_id":"a","reward":1}`: "example_id of type int", `{"example_id":0}`: "neither a reward nor an error",
		`{"example_id":0,"rollout":-2,"reward":1}`: "rollout -2", `{"example_id":0,"reward":1e99}`: "a reward of 1e+99", `[`: "not a row",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", text, err, why)
		}
	}
}
