package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/pelletier/go-toml/v2"
)

// File is one that an engine is started with.
type File struct {
	Name string
	Data []byte
}

// Names of the files.
const (
	trlName      = "trl.json"
	primeName    = "rl.toml"
	verlName     = "verl.yaml"
	verlRows     = "tasks.jsonl"
	verlLoop     = "agent_loop.yaml"
	tinkerName   = "tinker.json"
	readmeName   = "README.md"
	adapterModel = "adapter_model.safetensors"
	adapterSays  = "adapter_config.json"
)

// Place is where an engine works and what it talks to. It decides nothing about the weights.
type Place struct {
	// Out is the directory that the engine writes to. Defaults to engine-out in the working directory.
	Out string
	// Dir is where its files lie. Defaults to the working directory.
	Dir string
	// URL is the base URL that `deeprepo env serve` printed. Defaults to DefaultURL.
	URL string
}

// Files gives the files that the engine is started with, the first one its configuration.
func Files(o Options, p Place) ([]File, error) {
	o = o.WithDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	o, err := o.rooted()
	if err != nil {
		return nil, err
	}
	p.Out = cmp.Or(p.Out, "engine-out")
	p.Dir = cmp.Or(p.Dir, ".")
	p.URL = cmp.Or(p.URL, DefaultURL)
	var files []File
	switch o.Engine {
	case TRL:
		files, err = trlFiles(o, p)
	case PrimeRL:
		files, err = primeFiles(o, p)
	case Verl:
		files, err = verlFiles(o, p)
	default:
		files, err = tinkerFiles(o, p)
	}
	if err != nil {
		return nil, err
	}
	return append(files, File{readmeName, readme(o, p)}), nil
}

// Write generates the files of an engine in a directory, which is made, and gives their paths. It starts nothing. The files
// of an earlier Write are replaced; a directory with anything else in it is refused.
func Write(dir string, o Options) ([]string, error) {
	p := Place{}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, hint.Wrap(fmt.Errorf("look into the directory of the engine's files: %w", err), "choose another directory")
	}
	if len(entries) > 0 && !written(dir) {
		return nil, hint.Wrap(fmt.Errorf("%s is not empty", dir), "choose another directory with --out DIR: a README.md would be written over")
	}
	if p.Dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	p.Out = filepath.Join(p.Dir, "out")
	return write(p, o)
}

// written reports whether an earlier Write made a directory.
func written(dir string) bool {
	f, err := bounded.Open(filepath.Join(dir, readmeName), 0)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return false
	}
	for _, name := range Names() {
		for _, method := range []string{GRPO, DPO} {
			if strings.HasPrefix(string(text), title(Options{Engine: name, Method: method})) {
				return true
			}
		}
	}
	return false
}

func write(p Place, o Options) ([]string, error) {
	files, err := Files(o, p)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return nil, hint.Wrap(fmt.Errorf("make the directory of the engine's files: %w", err), "choose another directory")
	}
	root, err := os.OpenRoot(p.Dir)
	if err != nil {
		return nil, fmt.Errorf("open the directory of the engine's files: %w", err)
	}
	defer root.Close()
	var paths []string
	for _, f := range files {
		if info, err := root.Lstat(f.Name); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("write %s: %w", filepath.Join(p.Dir, f.Name), fs.ErrExist)
		}
		if err := root.WriteFile(f.Name, f.Data, 0o644); err != nil {
			return nil, fmt.Errorf("write the engine's files: %w", err)
		}
		paths = append(paths, filepath.Join(p.Dir, f.Name))
	}
	return paths, nil
}

func jsonFile(name string, v any) (File, error) {
	data, err := jsonfile.Bytes(v)
	if err != nil {
		return File{}, fmt.Errorf("write %s: %w", name, err)
	}
	return File{name, data}, nil
}

func tomlFile(name string, v any) (File, error) {
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.SetIndentTables(false)
	if err := e.Encode(v); err != nil {
		return File{}, fmt.Errorf("write %s: %w", name, err)
	}
	return File{name, b.Bytes()}, nil
}

// isModel reports whether a path of this machine holds a model.
func isModel(path string) bool {
	_, err := os.Stat(filepath.Join(path, "config.json"))
	return err == nil
}
