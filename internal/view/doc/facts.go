package doc

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

// Fact is a name and a value, to be shown side by side.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// What facts hold at most.
const (
	maxSettings = 100
	maxPlain    = 30
)

// Facts pairs names with those values that are not empty.
func Facts(pairs ...string) []Fact {
	out := []Fact{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, Fact{pairs[i], Clip(pairs[i+1], 500)})
		}
	}
	return out
}

// Settings lists what an object says, in the order of its names: plain values as they are, others as JSON.
func Settings(raw json.RawMessage) []Fact {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(raw, &all) // what is no object has no settings
	out := []Fact{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := string(all[name])
		var text string
		if json.Unmarshal(all[name], &text) == nil {
			value = text
		}
		if len(out) < maxSettings {
			out = append(out, Fact{Clip(name, 100), Clip(value, 500)})
		}
	}
	return out
}

// PlainFacts are the plain values of an object, or of a text that holds one, without those that only a program needs.
func PlainFacts(raw json.RawMessage) []Fact {
	facts := []Fact{}
	var m map[string]json.RawMessage
	if bounded.Unmarshal([]byte(TextOf(raw)), &m) != nil {
		return facts
	}
	for name, v := range m {
		text := TextOf(v)
		if text == "" || text[0] == '{' || text[0] == '[' || name == "task" || name == "task_seed" {
			continue
		}
		facts = append(facts, Fact{Clip(name, 80), Clip(text, 200)})
	}
	slices.SortFunc(facts, func(a, b Fact) int { return cmp.Compare(a.Name, b.Name) })
	return facts[:min(len(facts), maxPlain)]
}
