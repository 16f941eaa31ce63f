package nano

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"sync"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// Arithmetic is a digest of what a small known model with an adapter says on this machine. Machines where it is the same
// sample the same replies; processors differ in the last places of what they compute, and so in what is drawn.
func Arithmetic() string { return arithmetic() }

var arithmetic = sync.OnceValue(func() string {
	const prompt, reply = 60, 60
	c := transformer.Config{Vocab: 300, Dim: 96, Layers: 2, Heads: 3, Hidden: 256, Context: prompt + reply}
	a := transformer.NewAdapter(c, 8, 16, 1)
	for _, p := range a.Params() {
		for i := range p.Data { // a new adapter changes nothing
			p.Data[i] += float32(i%7-3) / 64
		}
	}
	decoder := transformer.NewDecoder(transformer.New(c, 1).Merge(a), 1, 1)
	rows := make([]transformer.Row, prompt)
	for i := range rows {
		rows[i] = transformer.Row{Pos: i, Token: int32(i % c.Vocab), Want: i == prompt-1}
	}
	rng, weights, seen := dice(1, 0), make([]float32, c.Vocab), []byte{}
	put := func(f float32) { seen = binary.LittleEndian.AppendUint32(seen, math.Float32bits(f)) }
	for at := prompt; ; at++ {
		logits := decoder.Step(rows)[0]
		for _, f := range logits {
			put(f)
		}
		token, logp, entropy, err := draw(logits, DefaultTemperature, rng, weights)
		put(logp)
		put(entropy)
		if err != nil || at == prompt+reply {
			break
		}
		rows = []transformer.Row{{Pos: at, Token: token, Want: true}}
	}
	sum := sha256.Sum256(seen)
	return hex.EncodeToString(sum[:8])
})
