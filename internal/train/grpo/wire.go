package grpo

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/train"
)

// wire is a Rollout's JSON.
type wire struct {
	Reward   number            `json:"reward"`
	Metrics  map[string]number `json:"metrics"`
	Turns    int               `json:"turns"`
	Cut      int               `json:"cut,omitempty"`
	Segments []tokens          `json:"segments"`
	Over     bool              `json:"over,omitempty"`
	Entropy  number            `json:"entropy"`
	Written  int               `json:"written"`
}

// MarshalJSON gives every number to the bit.
func (r Rollout) MarshalJSON() ([]byte, error) {
	w := wire{Reward: number(r.Reward), Turns: r.Turns, Cut: r.Cut, Over: r.Over, Entropy: number(r.Entropy), Written: r.Written}
	if r.Metrics != nil {
		w.Metrics = make(map[string]number, len(r.Metrics))
	}
	for name, v := range r.Metrics {
		w.Metrics[name] = number(v)
	}
	if r.Segments != nil {
		w.Segments = make([]tokens, len(r.Segments))
	}
	for i, s := range r.Segments {
		w.Segments[i] = tokens(s)
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Rollout) UnmarshalJSON(data []byte) error {
	var w wire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*r = Rollout{Reward: float64(w.Reward), Turns: w.Turns, Cut: w.Cut, Over: w.Over, Entropy: float64(w.Entropy), Written: w.Written}
	if w.Metrics != nil {
		r.Metrics = make(map[string]float64, len(w.Metrics))
	}
	for name, v := range w.Metrics {
		r.Metrics[name] = float64(v)
	}
	if w.Segments != nil {
		r.Segments = make([]train.Segment, len(w.Segments))
	}
	for i, s := range w.Segments {
		r.Segments[i] = train.Segment(s)
	}
	return nil
}

// number is a float64 in JSON; what JSON has no number for is text, its bits in hexadecimal.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if f := float64(n); train.Finite(f) {
		return json.Marshal(f)
	}
	return strconv.AppendQuote(nil, strconv.FormatUint(math.Float64bits(float64(n)), 16)), nil
}

func (n *number) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '"' {
		return json.Unmarshal(data, (*float64)(n))
	}
	bits, err := strconv.ParseUint(string(data[1:len(data)-1]), 16, 64)
	*n = number(math.Float64frombits(bits))
	return err
}

// tokens is a segment in JSON: base64 of 4 bytes a token, least first. The highest bit says that it is the policy's own; then
// the 4 bytes of its log-probability follow.
type tokens train.Segment

const ownBit = 1 << 31

func (t tokens) MarshalJSON() ([]byte, error) {
	if len(t.Own) != len(t.Tokens) || len(t.LogP) != len(t.Tokens) {
		return nil, errors.New("a segment's parts are of different lengths")
	}
	var b []byte
	if t.Tokens != nil {
		b = make([]byte, 0, 8*len(t.Tokens))
	}
	for i, token := range t.Tokens {
		switch bits := math.Float32bits(t.LogP[i]); {
		case token < 0 || !t.Own[i] && bits != 0:
			return nil, errors.New("a segment with a negative token, or a log-probability of one that was given")
		case t.Own[i]:
			b = binary.LittleEndian.AppendUint32(b, uint32(token)|ownBit)
			b = binary.LittleEndian.AppendUint32(b, bits)
		default:
			b = binary.LittleEndian.AppendUint32(b, uint32(token))
		}
	}
	return json.Marshal(b)
}

func (t *tokens) UnmarshalJSON(data []byte) error {
	var b []byte
	if err := json.Unmarshal(data, &b); err != nil {
		return err
	}
	*t = tokens{}
	if b != nil {
		t.Tokens, t.Own, t.LogP = []int32{}, []bool{}, []float32{}
	}
	next := func() (v uint32, ok bool) {
		if len(b) < 4 {
			return 0, false
		}
		v, b = binary.LittleEndian.Uint32(b), b[4:]
		return v, true
	}
	for len(b) > 0 {
		token, whole := next()
		own, logp := token&ownBit != 0, uint32(0)
		if own && whole {
			logp, whole = next()
		}
		if !whole {
			return errors.New("a segment is cut short")
		}
		t.Tokens, t.Own = append(t.Tokens, int32(token&^ownBit)), append(t.Own, own)
		t.LogP = append(t.LogP, math.Float32frombits(logp))
	}
	return nil
}
