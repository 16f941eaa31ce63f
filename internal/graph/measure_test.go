package graph

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

type truth struct {
	File        string
	Line        int
	EndLine     int `json:"end_line"`
	Category    string
	Description string
}

func TestMeasure(t *testing.T) {
	dir := os.Getenv("HARD")
	if dir == "" {
		t.Skip()
	}
	dirs, _ := filepath.Glob(dir)
	var all, right5, n5, decoy int
	hit := map[int]int{}
	for _, d := range dirs {
		code, err := codebase.Load(t.Context(), filepath.Join(d, "tree"), codebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var ts, ds []truth
		b, _ := os.ReadFile(filepath.Join(d, "truth.json"))
		json.Unmarshal(b, &ts)
		b, _ = os.ReadFile(filepath.Join(d, "decoys.json"))
		json.Unmarshal(b, &ds)
		g, err := Build(t.Context(), code, Options{Parser: runtest.OpenParser})
		if err != nil {
			t.Fatal(err)
		}
		out := g.Outliers()
		found := map[int]int{}
		touch := func(o Outlier, t truth) bool {
			for _, d := range o.Departures {
				if d.File == t.File && d.Line <= t.EndLine+1 && t.Line-1 <= d.EndLine {
					return true
				}
			}
			return false
		}
		for r, o := range out {
			ok := ""
			for i, t := range ts {
				if touch(o, t) {
					if _, was := found[i]; !was {
						found[i] = r
					}
					ok = fmt.Sprint("HIT ", t.Category)
				}
			}
			for _, t := range ds {
				if touch(o, t) && ok == "" {
					ok = "DECOY " + t.Description
					if r < 20 {
						decoy++
					}
				}
			}
			if r < 5 {
				n5++
				if len(ok) > 3 && ok[:3] == "HIT" {
					right5++
				}
			}
			if os.Getenv("SHOW") != "" && r < 30 {
				fmt.Printf("%2d %.2f %s:%d %s of %d %s\n", r, o.Score, o.Symbol.File, o.Symbol.Line, o.Symbol.Qualified, o.Of, ok)
				for _, d := range o.Departures {
					fmt.Printf("        %d-%d has %q usual %q %d/%d %.2f\n", d.Line, d.EndLine, d.Has, d.Usual, d.Agree, d.Of, d.score)
				}
			}
		}
		for i, t := range ts {
			all++
			r, ok := found[i]
			for _, n := range []int{5, 10, 20, 40, 1 << 20} {
				if ok && r < n {
					hit[n]++
				}
			}
			if !ok && os.Getenv("SHOW") != "" {
				fmt.Println("MISS", t.File, t.Line, t.Category, t.Description)
			}
		}
	}
	fmt.Println("defects", all, "found at top", hit, "top5", right5, "of", n5, "decoys in top 20", decoy)
}
