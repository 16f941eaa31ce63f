package python_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/env/grow/python"
)

func BenchmarkGrow(b *testing.B) {
	for _, tpl := range python.Templates() {
		b.Run(tpl.Name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := grow.Grow(tpl, 1, 1000); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
