package savedrow

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestFormsOfARow(t *testing.T) {
	decode := func(text string) (v any) {
		if text != "" {
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Fatal(err)
			}
		}
		return v
	}
	for _, tt := range []struct{ in, task string }{
		{`{"task":"a","name":"b"}`, "a"}, {`{"name":"b"}`, "b"}, {`"{\"task_id\":\"c\"}"`, "c"}, {`"c"`, ""}, {`{"task":7}`, ""}, {`[1]`, ""}, {``, ""},
	} {
		if got := Task(decode(tt.in)); got != tt.task {
			t.Errorf("the task of %s is %q, want %q", tt.in, got, tt.task)
		}
	}
	if got := Task(`{"task":"a"}` + strings.Repeat(" ", maxInfo)); got != "" {
		t.Errorf("a text of more than %d bytes was read", maxInfo)
	}
	for _, tt := range []struct{ in, failure string }{
		{`null`, ""}, {`"ModelError"`, "ModelError"}, {`""`, "Error"}, {`{"error":"a","error_chain_str":"a -> b"}`, "a -> b"}, {`{"error":"a"}`, "a"}, {`{}`, "Error"}, {`false`, "Error"},
	} {
		if got := Error(decode(tt.in)); got != tt.failure {
			t.Errorf("the error of %s is %q, want %q", tt.in, got, tt.failure)
		}
	}
	for _, tt := range []struct {
		in      string
		seconds float64
	}{
		{`{"generation":2}`, 2}, {`{"generation":{"duration":3}}`, 3}, {`{"generation_ms":1500}`, 1.5}, {`{"generation":1e300}`, math.NaN()}, {`{}`, math.NaN()},
	} {
		timing, _ := decode(tt.in).(map[string]any)
		if got := Seconds(timing); got != tt.seconds && !(math.IsNaN(got) && math.IsNaN(tt.seconds)) {
			t.Errorf("the seconds of %s are %v, want %v", tt.in, got, tt.seconds)
		}
	}
}
