package transformer

import (
	"fmt"
	"math"
)

// Config is the shape of a model. The zero value is a working model of about a million parameters.
type Config struct {
	Vocab    int     // Number of tokens. Defaults to 1024.
	Dim      int     // Width of the residual stream. Defaults to 128.
	Layers   int     // Number of layers. Defaults to 4.
	Heads    int     // Number of attention heads, each Dim/Heads wide; the width is even. Defaults to 4.
	KVHeads  int     // Number of heads that have keys and values; so many query heads share each. Defaults to Heads.
	Hidden   int     // Width of the feed-forward. Defaults to 352.
	Context  int     // Number of positions at most. Defaults to 1024.
	RopeBase float64 // Base of the rotary frequencies. Defaults to 10000.
	NormEps  float64 // Added to the mean square before its root. Defaults to 1e-5.
	Bias     bool    // Queries, keys and values have a bias, as Qwen2's do.
	Untied   bool    // The output matrix is one of its own, and not the embedding.
}

// Tiny is about four hundred thousand parameters: 3 layers of 96.
func Tiny() Config { return Config{Dim: 96, Layers: 3, Heads: 3, Hidden: 256}.withDefaults() }

// Small is about a million parameters: 4 layers of 128.
func Small() Config { return Config{}.withDefaults() }

// Medium is about three million parameters: 6 layers of 192.
func Medium() Config { return Config{Dim: 192, Layers: 6, Heads: 6, Hidden: 512}.withDefaults() }

// Large is about seven million parameters: 8 layers of 256.
func Large() Config { return Config{Dim: 256, Layers: 8, Heads: 8, Hidden: 704}.withDefaults() }

func (c Config) withDefaults() Config {
	whole := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	whole(&c.Vocab, 1024)
	whole(&c.Dim, 128)
	whole(&c.Layers, 4)
	whole(&c.Heads, 4)
	whole(&c.KVHeads, c.Heads)
	whole(&c.Hidden, 352)
	whole(&c.Context, 1024)
	if c.RopeBase == 0 {
		c.RopeBase = 1e4
	}
	if c.NormEps == 0 {
		c.NormEps = 1e-5
	}
	return c
}

// The largest model that this package holds: above what is worth running on a processor in float32, and low enough that
// no product of two of them overflows.
const (
	maxVocab   = 1 << 18
	maxDim     = 1 << 12
	maxLayers  = 1 << 7
	maxHidden  = 1 << 14
	maxContext = 1 << 16
	maxSize    = 1 << 31
)

// Validate says what of the shape cannot be built. It looks at the values with their defaults filled in.
func (c Config) Validate() error {
	c = c.withDefaults()
	for _, f := range []struct {
		name   string
		v, max int
	}{
		{"vocabulary", c.Vocab, maxVocab}, {"width", c.Dim, maxDim}, {"number of layers", c.Layers, maxLayers}, {"number of heads", c.Heads, maxDim},
		{"hidden width", c.Hidden, maxHidden}, {"context", c.Context, maxContext},
	} {
		if f.v < 1 || f.v > f.max {
			return fmt.Errorf("the %s is %d, not within 1 and %d", f.name, f.v, f.max)
		}
	}
	if c.Dim%c.Heads != 0 || c.Dim/c.Heads%2 != 0 {
		return fmt.Errorf("a width of %d does not divide into %d heads of an even width", c.Dim, c.Heads)
	}
	if c.KVHeads < 1 || c.KVHeads > c.Heads || c.Heads%c.KVHeads != 0 {
		return fmt.Errorf("%d heads cannot share %d heads of keys and values evenly", c.Heads, c.KVHeads)
	}
	if !(c.RopeBase > 1 && c.RopeBase < 1e12) {
		return fmt.Errorf("the base of the rotary frequencies is %g, not within 1 and 1e12", c.RopeBase)
	}
	if !(c.NormEps > 0 && c.NormEps < 1) {
		return fmt.Errorf("the epsilon of the norms is %g, not within 0 and 1", c.NormEps)
	}
	if n := c.Size(); n > maxSize {
		return fmt.Errorf("%d parameters are more than the %d that this model may have", n, maxSize)
	}
	return nil
}

// Size is the number of parameters of a model of this shape.
func (c Config) Size() int {
	c = c.withDefaults()
	n, qkv := c.Vocab*c.Dim+c.Dim, c.qkvDim()
	if c.Untied {
		n += c.Vocab * c.Dim
	}
	if c.Bias {
		n += c.Layers * qkv
	}
	return n + c.Layers*(2*c.Dim+qkv*c.Dim+c.Dim*c.Dim+3*c.Dim*c.Hidden)
}

// kvDim is the width of the keys of one position, and of its values.
func (c Config) kvDim() int { return c.KVHeads * c.HeadDim() }

// TokenBytes is what a decoder keeps of each token of a conversation: its keys and values.
func (c Config) TokenBytes() int {
	c = c.withDefaults()
	return c.Layers * 2 * c.kvDim() * 4
}

// qkvDim is the width of the queries, keys and values of one position side by side.
func (c Config) qkvDim() int { return c.Dim + 2*c.kvDim() }

// BeyondCache says of a model that its weights do not stay in a processor's cache: it has more than 16 million.
func (c Config) BeyondCache() bool { return c.Size() > 1<<24 }

// HeadDim is the width of one attention head.
func (c Config) HeadDim() int {
	if c.Dim == 0 || c.Heads == 0 {
		c = c.withDefaults()
	}
	return c.Dim / c.Heads
}

// rotary is the table of cosines and sines: for every position half a head's width of each. Frequencies fall
// geometrically from 1 to nearly 1/base (Su et al. 2021, eq. 15).
func (c Config) rotary() (cos, sin []float32) {
	half := c.HeadDim() / 2
	cos, sin = make([]float32, c.Context*half), make([]float32, c.Context*half)
	for i := range half {
		f := math.Pow(c.RopeBase, -float64(i)/float64(half))
		for p := range c.Context {
			s, k := math.Sincos(float64(p) * f)
			cos[p*half+i], sin[p*half+i] = float32(k), float32(s)
		}
	}
	return cos, sin
}
