package patches

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

//go:embed tests.py
var testsSource string

// Config says what Run needs. Records, Repos, Venvs and Out must be given.
type Config struct {
	Records []localisation.Record
	// Repos is the directory that holds the checkouts, each in owner__name.
	Repos string
	// Venvs is the directory that holds virtual environments with what the tests need, pytest among it, each in
	// owner__name@VERSION or owner__name. Files in its folder "built" are laid into the checkout: what building the project
	// would add.
	Venvs string
	// Predictions are proposed patches by instance_id. Defaults to none: only the control is run.
	Predictions map[string]string
	// Out is the file that gets a line for each record. What it holds already is not tried again.
	Out string
	// Timeout bounds one run of the tests. Defaults to DefaultTimeout.
	Timeout time.Duration
	// Workers is how many issues are tried at once. Defaults to the number of processors.
	Workers int
	// Scratch is where checkouts lie while they are tried. Defaults to the system's directory for such.
	Scratch string
	// Parser parses what a patch leaves behind. It must be given with Predictions.
	Parser func() (*syntax.Parser, error)
	// Observe is told of each row, one at a time. Defaults to nobody.
	Observe func(r Row, done, total int)
}

// Row is what is known of one record: a line of Out.
type Row struct {
	InstanceID string  `json:"instance_id"`
	Repo       string  `json:"repo"`
	Version    string  `json:"version,omitempty"`
	Of         string  `json:"of"` // a digest of what was tried
	Control    Control `json:"control"`
	Patch      *Trial  `json:"patch,omitempty"` // with a prediction
}

// digest tells records and their patches apart.
func (c Config) digest(r localisation.Record) string {
	patch, predicted := c.Predictions[r.InstanceID]
	text, _ := json.Marshal([]any{r.Repo, r.BaseCommit, r.Version, r.Patch, r.TestPatch, r.FailToPass, predicted, patch}) // texts only
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Run tries the patches of all records and gives a row for each, in their order. Rows go to Out as they come; when ctx ends
// in between, those that are there are returned with its error. A record of which nothing could be tried, since a
// repository lacks its commit or it has no virtual environment, gets a row that says so and is tried again the next time.
func Run(ctx context.Context, c Config) ([]Row, error) {
	c.Timeout, c.Workers = cmp.Or(c.Timeout, DefaultTimeout), cmp.Or(c.Workers, runtime.NumCPU())
	out, kept, err := resume(c.Out)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	var parser *syntax.Parser
	if len(c.Predictions) > 0 {
		if parser, err = c.Parser(); err != nil {
			return nil, err
		}
	}
	p := &pythons{dir: c.Venvs, workers: c.Workers, open: map[string]*environment{}}
	rows := make([]*Row, len(c.Records))
	var mu sync.Mutex
	done := 0
	finish := func(i int, row Row) {
		mu.Lock()
		defer mu.Unlock()
		rows[i] = &row
		if done++; c.Observe != nil {
			c.Observe(row, done, len(rows))
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	waiting := make(chan int)
	var workers sync.WaitGroup
	for range c.Workers {
		workers.Go(func() {
			for i := range waiting {
				row, whole, err := c.try(ctx, c.Records[i], kept, p, parser)
				if err == nil && whole {
					err = write(&mu, out, row)
				}
				if err != nil {
					stop(err)
					return
				}
				finish(i, row)
			}
		})
	}
	for i, r := range c.Records {
		if row, ok := kept[r.InstanceID]; ok && row.Of == c.digest(r) {
			finish(i, row)
			continue
		}
		select {
		case waiting <- i:
		case <-ctx.Done():
		}
	}
	close(waiting)
	workers.Wait()
	var all []Row
	for _, row := range rows {
		if row != nil {
			all = append(all, *row)
		}
	}
	return all, context.Cause(ctx)
}

// try tries one record. A row is whole when it need not be tried again. A control that was kept is not run again for
// another prediction.
func (c Config) try(ctx context.Context, r localisation.Record, kept map[string]Row, p *pythons, parser *syntax.Parser) (Row, bool, error) {
	row := Row{InstanceID: r.InstanceID, Repo: r.Repo, Version: r.Version, Of: c.digest(r)}
	x, err := c.open(ctx, r, p)
	if ctx.Err() != nil || errors.As(err, new(*native.Error)) {
		return row, false, cmp.Or(ctx.Err(), err)
	}
	if err != nil {
		row.Control.Why = err.Error()
		return row, false, nil
	}
	defer x.close()
	if row.Control, err = x.control(ctx); err != nil {
		return row, false, err
	}
	if patch, ok := c.Predictions[r.InstanceID]; ok {
		trial, err := x.try(ctx, parser, patch, row.Control)
		if err != nil {
			return row, false, err
		}
		row.Patch = &trial
	}
	return row, row.Control.Why != noEnvironment, nil
}

func write(mu *sync.Mutex, out *os.File, row Row) error {
	line, err := json.Marshal(row)
	if err != nil {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	_, err = out.Write(append(line, '\n'))
	return err
}

// resume opens a file of rows and reads those that it holds. A last line without its end, as a crash leaves one, goes.
func resume(name string) (*os.File, map[string]Row, error) {
	kept := map[string]Row{}
	text, err := bounded.ReadFile(name, 1<<30)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	err = taskset.EachLine(bytes.NewReader(text), name, "name another file with --out", func(_ int, line []byte) error {
		var row Row
		if bounded.Unmarshal(line, &row) != nil || row.InstanceID == "" || row.Of == "" {
			return errors.New("this is no row of tried patches")
		}
		kept[row.InstanceID] = row
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err == nil {
		err = f.Truncate(int64(len(text)))
	}
	return f, kept, err
}

// ReadPredictions reads a file as the official harness is given it, for [Config.Predictions].
func ReadPredictions(name string) (map[string]string, error) {
	const advice = `a line is {"instance_id", "model_name_or_path", "model_patch"}`
	f, err := bounded.Open(name, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all := map[string]string{}
	err = taskset.EachLine(f, name, advice, func(_ int, text []byte) error {
		var p struct {
			ID    string  `json:"instance_id"`
			Patch *string `json:"model_patch"`
		}
		if bounded.Unmarshal(text, &p) != nil || p.ID == "" || p.Patch == nil {
			return errors.New("this is no prediction")
		}
		if _, twice := all[p.ID]; twice {
			return fmt.Errorf("%s is predicted twice", strings.ToValidUTF8(p.ID, "\uFFFD"))
		}
		all[p.ID] = *p.Patch
		return nil
	})
	return all, err
}
