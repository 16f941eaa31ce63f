// Fit makes internal/locate/weights.json: it gathers the evidence of records, fits the weights, and says what they are worth on
// repositories that were held out.
//
//	go run ./internal/locate/fit -data instances_70.jsonl -repos DIR -evidence FILE > internal/locate/weights.json
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func main() {
	data := flag.String("data", "", "records")
	repos := flag.String("repos", "", "repositories")
	evidence := flag.String("evidence", "", "file that keeps the evidence")
	cache := flag.String("cache", "", "graph cache")
	only := flag.String("only", "", "instances that hold this")
	flag.Parse()
	if err := run(*data, *repos, *evidence, *cache, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(data, repos, evidence, cache, only string) error {
	var examples []locate.Example
	if f, err := os.Open(evidence); err == nil {
		d := json.NewDecoder(bufio.NewReader(f))
		for d.More() {
			var e locate.Example
			if err := d.Decode(&e); err != nil {
				return err
			}
			examples = append(examples, e)
		}
		f.Close()
	} else {
		records, err := localisation.OpenRecords(data)
		if err != nil {
			return err
		}
		out, err := os.Create(evidence)
		if err != nil {
			return err
		}
		parser, err := syntax.Open(context.Background(), syntax.Config{})
		if err != nil {
			return err
		}
		for _, r := range records {
			if !strings.Contains(r.InstanceID, only) {
				continue
			}
			ctx := context.Background()
			t0 := time.Now()
			code, err := codebase.Load(ctx, repos+"/"+strings.Replace(r.Repo, "/", "__", 1), codebase.Options{Commit: r.BaseCommit})
			if err != nil {
				return err
			}
			t1 := time.Now()
			g, err := graph.Build(ctx, code, graph.Options{Parser: func() (*syntax.Parser, error) { return parser, nil }, CacheDir: cache, CacheBytes: 4 << 30})
			if err != nil {
				return err
			}
			t2 := time.Now()
			x, err := locate.New(ctx, code, locate.Options{Graph: func(context.Context) (*graph.Graph, error) { return g, nil }, HeldOut: r.Repo})
			if err != nil {
				return err
			}
			t3 := time.Now()
			gold, err := r.Gold(ctx, code, func() (*syntax.Parser, error) { return parser, nil })
			if err != nil {
				return err
			}
			places := gold.Functions
			e := x.Example(r.Repo, r.Issue, r.GoldFiles, places)
			t4 := time.Now()
			fmt.Fprintf(os.Stderr, "%s load %.1f graph %.1f index %.1f ask %.1f files %d gold %v %v\n", r.InstanceID, t1.Sub(t0).Seconds(), t2.Sub(t1).Seconds(), t3.Sub(t2).Seconds(), t4.Sub(t3).Seconds(), len(e.Files), r.GoldFiles, places)
			e.ID, e.Gold, e.GoldPlaces = r.InstanceID, r.GoldFiles, places
			text, _ := json.Marshal(e)
			out.Write(append(text, '\n'))
			examples = append(examples, e)
		}
		out.Close()
	}
	report(examples)
	return nil
}

func report(examples []locate.Example) {
	text := locate.Fit(examples, nil, nil)
	os.Stdout.Write(text)
	score(examples, text)
}

func score(examples []locate.Example, text []byte) {
	acc := map[string]float64{}
	n, np := 0.0, 0.0
	for _, e := range examples {
		files, places := e.Ranked(text)
		n++
		last := 0
		for _, g := range e.Gold {
			last = max(last, rank(files, g))
		}
		for _, k := range []int{1, 3, 5, 10} {
			if last <= k {
				acc[fmt.Sprintf("file@%d", k)]++
			}
		}
		lp := 0
		for _, g := range e.GoldPlaces {
			lp = max(lp, rank(places, g))
		}
		if len(e.GoldPlaces) > 0 {
			np++
			for _, k := range []int{1, 5, 10} {
				if lp <= k {
					acc[fmt.Sprintf("place@%d", k)]++
				}
			}
		}
		fmt.Fprintln(os.Stderr, e.ID, last, lp, e.Gold, e.GoldPlaces, "| first:", files[:min(3, len(files))])
	}
	for _, k := range []string{"file@1", "file@3", "file@5", "file@10"} {
		fmt.Fprintf(os.Stderr, "%s %.3f\n", k, acc[k]/n)
	}
	for _, k := range []string{"place@1", "place@5", "place@10"} {
		fmt.Fprintf(os.Stderr, "%s %.3f (of %v), of all %.3f\n", k, acc[k]/np, np, acc[k]/n)
	}
}

func rank(list []string, name string) int {
	for i, x := range list {
		if x == name {
			return i + 1
		}
	}
	return 9999
}
