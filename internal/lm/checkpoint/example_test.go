package checkpoint_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	base, adapted := filepath.Join(dir, "base"), filepath.Join(dir, "adapter")

	t, _ := bpe.Train(nil, 257, []string{"<|end|>"})
	m := transformer.New(transformer.Config{Vocab: t.Vocab(), Dim: 16, Layers: 1, Heads: 2, Hidden: 24, Context: 32}, 1)
	a := transformer.NewAdapter(m.Config, 4, 8, 1)
	fmt.Println(checkpoint.WriteModel(base, m, t, map[string]string{"seed": "1"}), checkpoint.WriteAdapter(adapted, a, m, base))

	m, _, meta, err := checkpoint.ReadModel(os.DirFS(base))
	fmt.Println(m.Config.Size(), meta, err)
	a, err = checkpoint.ReadAdapter(os.DirFS(adapted), m)
	fmt.Println(a.Rank, a.Alpha, err)

	_, err = checkpoint.ReadAdapter(os.DirFS(adapted), transformer.New(m.Config, 2))
	fmt.Println(err)
	// Output:
	// <nil> <nil>
	// 6336 map[seed:1] <nil>
	// 4 8 <nil>
	// the adapter was trained on another model than the one it is given for
}
