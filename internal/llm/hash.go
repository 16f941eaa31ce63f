package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// hashVersion is part of every hash. Raise it when the meaning of a request changes, so old cache entries miss.
const hashVersion = 1

// Hash is the SHA-256, in hex, over everything that decides the reply of model (its full name) to r: the texts, the
// tools, the sampling parameters and the schema. OnDelta takes no part; JSON texts count without their whitespace.
func (r Request) Hash(model string) string {
	r.Tools = slices.Clone(r.Tools)
	for i, t := range r.Tools {
		r.Tools[i].Parameters = canonicalJSON(t.Parameters)
	}
	if r.Schema != nil {
		r.Schema = &Schema{Name: r.Schema.Name, JSON: canonicalJSON(r.Schema.JSON)}
	}
	if len(r.Messages) == 0 {
		r.Messages = nil
	}
	h := sha256.New()
	// Encoding cannot fail: every RawMessage in it is valid JSON by now, and no other type here can.
	_ = json.NewEncoder(h).Encode(struct {
		Version int     `json:"v"`
		Model   string  `json:"model"`
		Request Request `json:"request"`
	}{hashVersion, model, r})
	return hex.EncodeToString(h.Sum(nil))
}

// canonicalJSON drops insignificant whitespace. What is not JSON becomes a JSON string of itself.
func canonicalJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) == nil {
		return b.Bytes()
	}
	s, _ := json.Marshal(string(raw))
	return s
}
