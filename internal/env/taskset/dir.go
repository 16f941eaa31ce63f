package taskset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/env"
)

// maxList bounds a truth or a list of decoys, in bytes.
const maxList = 64 << 20

// openDir reads a directory that is a task, or whose directories are.
func openDir(ctx context.Context, path string) ([]env.Task, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if exists(root, TruthName) || exists(root, TreeName) {
		t, err := openTask(ctx, root, path, ".", "")
		if err != nil {
			return nil, err
		}
		return []env.Task{t}, nil
	}
	entries, err := os.ReadDir(path) // by name
	if err != nil {
		return nil, err
	}
	var tasks []env.Task
	names := map[string]string{}
	for _, e := range entries {
		name := e.Name()
		if !exists(root, filepath.Join(name, TruthName)) && !exists(root, filepath.Join(name, TreeName)) {
			continue
		}
		id := setName(name)
		if other, ok := names[id]; ok {
			return nil, &Error{File: path, Err: fmt.Errorf("%q and %q would both be called %s", other, name, id), Advice: "rename one of them"}
		}
		names[id] = name
		t, err := openTask(ctx, root, path, name, id)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	if len(tasks) == 0 {
		return nil, &Error{File: path, Err: errors.New("the directory holds no task"),
			Advice: "a task is a directory with " + TreeName + " and " + TruthName + ", as deeprepo env generate writes it"}
	}
	return tasks, nil
}

// openTask reads the task in a directory below root.
func openTask(ctx context.Context, root *os.Root, path, name, id string) (env.Task, error) {
	t := env.Task{ID: id}
	if info, err := root.Stat(filepath.Join(name, TreeName)); err != nil || !info.IsDir() {
		return env.Task{}, &Error{File: filepath.Join(path, name, TreeName), Err: reason(err, "no directory with the codebase"),
			Advice: taskAdvice}
	}
	var err error
	if t.Codebase, err = load(ctx, filepath.Join(path, name, TreeName)); err != nil {
		return env.Task{}, err
	}
	if t.Defects, err = ReadTruth(t.Codebase, root, filepath.Join(name, TruthName)); err != nil {
		return env.Task{}, err
	}
	if t.Decoys, err = ReadDecoys(t.Codebase, root, filepath.Join(name, DecoysName)); err != nil {
		return env.Task{}, err
	}
	return t, nil
}

func lineOf[T any](list []element[T], at int) int {
	if at < 0 || at >= len(list) {
		return 0
	}
	return list[at].line
}

// reason is what stands in the way of a file that must be there.
func reason(err error, absent string) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return errors.New(absent)
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func exists(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

// read reads a file of bounded size. The root sees to it that no link leads out.
func read(root *os.Root, name string) ([]byte, error) {
	data, err := bounded.ReadFileIn(root, name, maxList)
	if err != nil {
		return nil, err
	}
	return []byte(strings.TrimPrefix(string(data), "\ufeff")), nil
}
