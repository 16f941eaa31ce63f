package bpe

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// corpus is about n bytes of programs and outputs with thousands of different words.
func corpus(n int) []string {
	rng := rand.New(rand.NewPCG(1, 1))
	syllables := strings.Fields("ka lo mi ter sen vor ad pre con file task user item cost rate total index parse load save list map key " +
		"name path")
	name := func() string {
		var parts []string
		for range 1 + rng.IntN(3) {
			parts = append(parts, syllables[rng.IntN(len(syllables))]+syllables[rng.IntN(len(syllables))])
		}
		return strings.Join(parts, "_")
	}
	var texts []string
	for size := 0; size < n; {
		var b strings.Builder
		for range 20 {
			fmt.Fprintf(&b, "for %[1]s in zip(files, llm_batch([f\"Review {p}:\\n{codebase[p]}\" for p in %[2]s])):\n    "+
				"%[1]s.append(%[3]s[%[4]d])\n# %[5]d files, %[2]s/%[3]s.py: line %[4]d\n",
				name(), name(), name(), rng.IntN(1000), rng.IntN(90))
		}
		texts = append(texts, b.String())
		size += b.Len()
	}
	return texts
}

func BenchmarkTrain(b *testing.B) {
	texts := corpus(5 << 20)
	for b.Loop() {
		if _, err := Train(texts, 1024, specials); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(5 << 20)
}

func BenchmarkEncode(b *testing.B) {
	texts := corpus(1 << 20)
	tok, err := Train(texts, 1024, specials)
	if err != nil {
		b.Fatal(err)
	}
	all := strings.Join(texts, "")
	b.SetBytes(int64(len(all)))
	b.Run("known", func(b *testing.B) {
		b.SetBytes(int64(len(all)))
		for b.Loop() {
			tok.Encode(all)
		}
	})
	b.Run("new", func(b *testing.B) {
		b.SetBytes(int64(len(all)))
		for b.Loop() {
			clear(tok.cache)
			tok.Encode(all)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.SetBytes(int64(len(texts[0])))
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				tok.Encode(texts[0])
			}
		})
	})
}
