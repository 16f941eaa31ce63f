// Fit makes internal/locate/weights.json: it gathers the evidence of records, fits the weights, for each repository without its
// own records, and says what they are worth there.
//
//	go run ./internal/locate/fit -data instances_70.jsonl -repos DIR -evidence FILE > internal/locate/weights.json
//
// The evidence is kept in FILE and read from there next time. With -ablate the fit is done again without each signal, and
// what each is worth alone is said.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func main() {
	data := flag.String("data", "", "records, as eval localisation takes them")
	repos := flag.String("repos", "", "directory of their repositories")
	evidence := flag.String("evidence", "evidence.jsonl", "file that keeps the evidence")
	cache := flag.String("cache", "", "directory that keeps the code graph's facts")
	ablate := flag.Bool("ablate", false, "fit again without each signal")
	flag.Parse()
	examples, err := read(*evidence)
	if errors.Is(err, fs.ErrNotExist) {
		examples, err = gather(context.Background(), *data, *repos, *evidence, *cache)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
	weights := locate.Fit(examples, "")
	os.Stdout.Write(weights)
	report("all signals", examples, weights)
	if !*ablate {
		return
	}
	for _, signal := range locate.SignalNames() {
		report("without "+signal, examples, locate.Fit(examples, signal))
		alone(signal, examples)
	}
}

func read(file string) ([]locate.Example, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var examples []locate.Example
	for d := json.NewDecoder(bufio.NewReader(f)); d.More(); {
		var e locate.Example
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		examples = append(examples, e)
	}
	return examples, nil
}

// gather makes the examples and keeps them, the file at once with the last of them.
func gather(ctx context.Context, data, repos, evidence, cache string) ([]locate.Example, error) {
	records, err := localisation.OpenRecords(data)
	if err != nil {
		return nil, err
	}
	parser, err := syntax.Open(ctx, syntax.Config{})
	if err != nil {
		return nil, err
	}
	var examples []locate.Example
	var text []byte
	for _, r := range records {
		start := time.Now()
		e, err := example(ctx, r, repos, graph.Options{
			Parser: func() (*syntax.Parser, error) { return parser, nil }, CacheDir: cache, CacheBytes: 4 << 30})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.InstanceID, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %d files in %.1f s\n", r.InstanceID, len(e.Files), time.Since(start).Seconds())
		line, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		examples, text = append(examples, e), append(append(text, line...), '\n')
	}
	return examples, os.WriteFile(evidence, text, 0o600)
}

func example(ctx context.Context, r localisation.Record, repos string, o graph.Options) (locate.Example, error) {
	code, err := codebase.Load(ctx, filepath.Join(repos, strings.Replace(r.Repo, "/", "__", 1)), codebase.Options{Commit: r.BaseCommit})
	if err != nil {
		return locate.Example{}, err
	}
	x, err := locate.New(ctx, code, locate.Options{Graph: graph.Lazily(code, o), HeldOut: r.Repo})
	if err != nil {
		return locate.Example{}, err
	}
	gold, err := r.Gold(ctx, code, o.Parser)
	if err != nil {
		return locate.Example{}, err
	}
	e := x.Example(r.Issue, gold.Files, gold.Functions)
	e.ID, e.Repo = r.InstanceID, r.Repo
	return e, nil
}

// ks are the cut-offs.
var ks = []int{1, 3, 5, 10}

// report measures the rankings by weights that the example's repository had no part in.
func report(what string, examples []locate.Example, weights []byte) {
	files, functions := make([]float64, len(ks)), make([]float64, len(ks))
	for _, e := range examples {
		rankedFiles, rankedFunctions := e.Ranked(weights)
		for i, k := range ks {
			files[i] += within(rankedFiles, e.GoldFiles, k) / float64(len(examples))
			functions[i] += within(rankedFunctions, e.GoldFunctions, k) / float64(len(examples))
		}
	}
	fmt.Fprintf(os.Stderr, "%-28s acc@1, 3, 5, 10: files %.3f, functions %.3f\n", what, files, functions)
}

// alone measures the rankings by one signal.
func alone(signal string, examples []locate.Example) {
	acc := make([]float64, len(ks))
	for _, e := range examples {
		ranked, gold := e.RankedBy(signal)
		for i, k := range ks {
			acc[i] += within(ranked, gold, k) / float64(len(examples))
		}
	}
	fmt.Fprintf(os.Stderr, "%-28s acc@1, 3, 5, 10: %.3f\n", signal+" alone", acc)
}

// within is 1 when all golds are among the first k.
func within(ranked, golds []string, k int) float64 {
	first := map[string]bool{}
	for _, name := range ranked[:min(k, len(ranked))] {
		first[name] = true
	}
	for _, g := range golds {
		if !first[g] {
			return 0
		}
	}
	return 1
}
