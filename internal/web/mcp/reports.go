package mcp

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view"
)

// What is kept in memory of runs' reports.
const (
	reportsKept     = 4
	reportBytesKept = 32 << 20 // of their files; the last stays, whatever its size
	pathsKept       = 20_000
	headBytes       = 1 << 20 // within which a report says what it is of
)

// reports are what was read of runs' reports, each until its file changes.
type reports struct {
	mu    sync.Mutex
	kept  []*opened // the latest last
	paths map[string]reviewedPath
}

// opened is a run whose report was read. What it holds is everybody's: results are copies of it (see clean).
type opened struct {
	dir    string
	stamp  stamp // of report.json
	report runfile.Report

	mu  sync.Mutex
	run *view.Run // nil until it is asked for
}

// reviewedPath is the codebase that a report is of.
type reviewedPath struct {
	stamp stamp
	path  string
}

// of reads the run in a directory, unless it is kept.
func (k *reports) of(dir string) (*opened, error) {
	stamped, _ := stampOf(dir, runfile.ReportName)
	k.mu.Lock()
	i := slices.IndexFunc(k.kept, func(o *opened) bool { return o.dir == dir })
	if i >= 0 {
		o := k.kept[i]
		k.kept = slices.Delete(k.kept, i, i+1)
		if o.stamp == stamped {
			k.kept = append(k.kept, o)
			k.mu.Unlock()
			return o, nil
		}
	}
	k.mu.Unlock()
	r, err := review.ReadReport(filepath.Join(dir, runfile.ReportName))
	if err != nil {
		return nil, err
	}
	o := &opened{dir: dir, stamp: stamped, report: r}
	if now, there := stampOf(dir, runfile.ReportName); !there || now != stamped {
		return o, nil // it changed meanwhile
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = append(slices.DeleteFunc(k.kept, func(o *opened) bool { return o.dir == dir }), o)
	var size int64
	for i := len(k.kept) - 1; i >= 0; i-- {
		if size += k.kept[i].stamp.size; i < len(k.kept)-reportsKept || size > reportBytesKept && i < len(k.kept)-1 {
			k.kept = slices.Delete(k.kept, 0, i+1)
			break
		}
	}
	return o, nil
}

// shown is the run as the page shows it. It stays open until nobody has it any more.
func (o *opened) shown() (*view.Run, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var err error
	if o.run == nil {
		o.run, err = view.Open(o.dir)
	}
	return o.run, err
}

// path is the codebase that the report of a run says that it is of. Of the report only the beginning is read.
func (k *reports) path(dir string) (string, error) {
	stamped, _ := stampOf(dir, runfile.ReportName)
	k.mu.Lock()
	known, ok := k.paths[dir]
	k.mu.Unlock()
	if ok && known.stamp == stamped {
		return known.path, nil
	}
	f, err := bounded.Open(filepath.Join(dir, runfile.ReportName), report.MaxReportBytes)
	if err != nil {
		return "", err
	}
	defer f.Close()
	path, err := pathIn(io.LimitReader(f, headBytes))
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.paths == nil || len(k.paths) >= pathsKept {
		k.paths = map[string]reviewedPath{}
	}
	k.paths[dir] = reviewedPath{stamped, path}
	return path, nil
}

// pathIn is the codebase's path in a report, which stands near its beginning.
func pathIn(text io.Reader) (string, error) {
	d := json.NewDecoder(text)
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return "", errors.Join(err, errors.New("it is not a report"))
	}
	schema := 0
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return "", err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return "", err
		}
		switch name {
		case "schema":
			if err := json.Unmarshal(value, &schema); err != nil || schema != report.Schema {
				return "", errors.Join(err, errors.New("it is of another version"))
			}
		case "repo":
			var repo struct{ Path string }
			if err := json.Unmarshal(value, &repo); err != nil || schema == 0 {
				return "", errors.Join(err, errors.New("it cannot be read"))
			}
			return repo.Path, nil
		}
	}
	return "", errors.New("it does not say what it is of")
}
