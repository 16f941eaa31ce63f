package locate

import (
	_ "embed"
	"encoding/json"
)

// weights say what each signal is worth.
type weights struct {
	Files  [fileSignals]float64  `json:"files"`
	Places [placeSignals]float64 `json:"functions"`
}

// fitted are the weights, by the repository that was held out; "" is none.
//
//go:embed weights.json
var fittedText []byte

var fitted = func() map[string]weights {
	m := map[string]weights{}
	if err := json.Unmarshal(fittedText, &m); err != nil {
		panic(err) // the file is ours
	}
	return m
}()

// weightsWithout are weights that records of a repository had no part in.
func weightsWithout(repo string) weights {
	if w, ok := fitted[repo]; ok {
		return w
	}
	return fitted[""]
}
