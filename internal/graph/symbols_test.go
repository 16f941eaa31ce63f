package graph

import (
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

func TestTry(t *testing.T) {
	p := os.Getenv("TRY")
	if p == "" {
		t.Skip()
	}
	code, err := codebase.Load(t.Context(), p, codebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	runtest.Parser(t)
	start := time.Now()
	g, err := Build(t.Context(), code, Options{Parser: runtest.OpenParser, CacheDir: os.Getenv("CACHE")})
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, f := range g.files {
		i, _ := code.File(f.path)
		lines += i.Lines
	}
	refs := 0
	for _, f := range g.files {
		refs += len(f.facts.Refs)
	}
	var conf [3]int
	for _, e := range g.edges {
		conf[e.confidence]++
	}
	fmt.Println(len(g.files), "files", lines, "lines", time.Since(start), len(g.symbols), "symbols", refs, "refs", conf, "unparsed", len(g.Unparsed))
	r := rand.New(rand.NewSource(3))
	for n := 0; n < 30 && os.Getenv("SAMPLE") != ""; {
		e := g.edges[r.Intn(len(g.edges))]
		if e.confidence.String() != os.Getenv("SAMPLE") {
			continue
		}
		n++
		E := g.edge(&e)
		text, _ := code.Text(E.File)
		fmt.Printf("%s:%d  %s  -> %s %s:%d\n", E.File, E.Line, strings.TrimSpace(strings.Split(text, "\n")[E.Line-1]), E.To.Qualified, E.To.File, E.To.Line)
	}
}
