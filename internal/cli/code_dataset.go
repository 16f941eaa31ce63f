package cli

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/spf13/cobra"
)

// datasetFlags say which tasks a command works on.
func datasetFlags(cmd *cobra.Command, data, split *string) {
	cmd.Flags().StringVar(data, "data", "", "the dataset's file or directory (default: fetched once, and checked)")
	cmd.Flags().StringVar(split, "split", "", "only this split's tasks, such as train or test (default: all)")
}

// partFlags choose some of the tasks.
func partFlags(cmd *cobra.Command, ids *[]string, limit *int) {
	cmd.Flags().StringSliceVar(ids, "ids", nil, "only these tasks, such as HumanEval/0,HumanEval/7")
	cmd.Flags().IntVar(limit, "limit", 0, "only the first N tasks (default: all)")
}

// dataset reads a set of tasks; one that is not here is fetched into the cache.
func (a *app) dataset(ctx context.Context, name, data, split string) (*dataset.Set, error) {
	set, err := a.datasetIn(ctx, "", name, data, split)
	if err == nil && set.Language() != "" {
		return nil, usageError{fmt.Errorf("%s is in %s; only code verify judges other languages than Python", name, set.Language()), ""}
	}
	return set, err
}

// datasetIn reads a set whose programs are written in that language: "" for the set's own.
func (a *app) datasetIn(ctx context.Context, language, name, data, split string) (*dataset.Set, error) {
	if err := knownDataset(name); err != nil {
		return nil, err
	}
	return dataset.Open(ctx, name, dataset.Options{
		Data: data, Split: split, Language: language, CacheDir: filepath.Join(a.cacheDir(), "datasets"),
		Client: &http.Client{Timeout: 10 * time.Minute},
		Parser: a.parser,
	})
}

// absolute is a path as a run keeps it, which may be resumed from elsewhere.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); path != "" && err == nil {
		return abs
	}
	return path
}

// knownDataset refuses a name that no dataset has.
func knownDataset(name string) error {
	_, err := dataset.Describe(name)
	if err == nil {
		return nil
	}
	if near := suggest.Nearest(name, dataset.Names()); near != "" {
		return usageError{err, "did you mean " + near + "? There are " + strings.Join(dataset.Names(), ", ")}
	}
	return err
}

func oneDataset() cobra.PositionalArgs {
	return one("", "dataset", "one of "+strings.Join(dataset.Names(), ", "))
}

func completeDataset(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return dataset.Names(), cobra.ShellCompDirectiveNoFileComp
}

// gateCache remembers the controls of a dataset, as long as this program is the same file.
func (a *app) gateCache(name string) *verify.GateCache {
	build := buildKey()
	if build == version() {
		return nil
	}
	return verify.OpenGateCache(filepath.Join(a.cacheDir(), "controls"), name, build)
}

// extractor finds code in replies.
func (a *app) extractor() *extract.Extractor { return extract.New(a.parser) }

// judges is how many programs run at once: more than a few for each processor would only take its memory.
func judges(workers int) int {
	if workers > 0 {
		return min(workers, max(64, 4*runtime.NumCPU()))
	}
	return runtime.NumCPU()
}
