// Package savedrow reads the rows of an eval's results.jsonl, as this program or verifiers 0.1 to 0.3 wrote them, puts them in
// order and describes their figures. Versions of verifiers write the name of a task, the error that ended a rollout and the
// time of its generation differently.
//
// Nothing in a row is trusted. The package opens no file.
package savedrow

import (
	"encoding/json"
	"math"
)

// maxInfo is the longest text of an info that is read, in bytes: it has been read once already, as a string.
const maxInfo = 4 << 20

// Usable reports a number that sums and squares stay finite with. Larger values are not measurements.
func Usable(v float64) bool { return math.Abs(v) <= 1e15 }

// Task is the task's name in a row's info, an object or its text as JSON; "" if there is none.
func Task(info any) string {
	if text, ok := info.(string); ok {
		info = nil
		var inner any
		if len(text) <= maxInfo && json.Unmarshal([]byte(text), &inner) == nil {
			info = inner
		}
	}
	m, _ := info.(map[string]any)
	for _, key := range []string{"task", "name", "task_id"} {
		if s, ok := m[key].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// Error names the error that ended a rollout, "" for none.
func Error(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case map[string]any:
		for _, key := range []string{"error_chain_str", "error"} {
			if s, ok := v[key].(string); ok && s != "" {
				return s
			}
		}
	case string:
		if v != "" {
			return v
		}
	}
	return "Error"
}

// Seconds is the time of generation, out of any form of timing; NaN if there is none.
func Seconds(timing map[string]any) float64 {
	v, ok := timing["generation"].(float64)
	if m, isSpan := timing["generation"].(map[string]any); isSpan {
		v, ok = m["duration"].(float64)
	}
	if ms, isMS := timing["generation_ms"].(float64); !ok && isMS {
		v, ok = ms/1000, true
	}
	if !ok || !Usable(v) {
		return math.NaN()
	}
	return v
}
