package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
)

// Files of a model directory that [WriteModel] does not write.
const (
	indexName    = "model.safetensors.index.json" // says in which of several files each tensor is
	templateName = "chat_template.jinja"
)

// maxShards bounds the files that hold one model.
const maxShards = 1000

// openHugging opens a directory as transformers writes it.
func openHugging(fsys fs.FS) (_ *Source, err error) {
	data, err := readText(fsys, configName)
	if err != nil {
		return nil, err
	}
	s := &Source{where: weightsName}
	if s.Config, err = parseConfig(data); err != nil {
		return nil, fmt.Errorf("%s: %w", configName, err)
	}
	tokens, err := readText(fsys, tokenizerName)
	if err != nil {
		return nil, err
	}
	if s.Tokenizer, err = bpe.ParseTokenizer(tokens); err != nil {
		return nil, err
	}
	if err := s.checkVocabulary(); err != nil {
		return nil, err
	}
	if s.Template, err = template(fsys); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := s.openShards(fsys); err != nil {
		return nil, err
	}
	if sum := s.Meta[tokenizerKey]; sum != "" && sum != digest(tokens) {
		return nil, fmt.Errorf("%s is not the one that the weights of %s were trained with", tokenizerName, weightsName)
	}
	maps.DeleteFunc(s.Meta, func(k, _ string) bool { return k == formatKey || k == tokenizerKey })
	return s, nil
}

// openShards opens the file of the weights, or those that the index names.
func (s *Source) openShards(fsys fs.FS) error {
	all := shards{}
	s.weights = all
	_, err := fs.Stat(fsys, weightsName)
	_, none := fs.Stat(fsys, indexName)
	if err == nil || none != nil {
		f, err := s.openShard(fsys, weightsName)
		if err != nil {
			return err
		}
		s.Meta = f.meta
		return all.add(f)
	}
	s.where = indexName
	data, err := readText(fsys, indexName)
	if err != nil {
		return err
	}
	var index struct {
		Where map[string]string `json:"weight_map"`
	}
	if err := json.Unmarshal(data, &index); err != nil {
		return fmt.Errorf("%s: %w", indexName, err)
	}
	names := slices.Compact(slices.Sorted(maps.Values(index.Where)))
	if len(names) == 0 || len(names) > maxShards {
		return fmt.Errorf("%s names %d files", indexName, len(names))
	}
	for _, name := range names {
		if path.Base(name) != name {
			return fmt.Errorf("%s names %q, which is no file beside it", indexName, name)
		}
		f, err := s.openShard(fsys, name)
		if err == nil {
			err = all.add(f)
		}
		if err != nil {
			return err
		}
	}
	for _, tensor := range slices.Sorted(maps.Keys(index.Where)) {
		if f, ok := all[tensor]; !ok || f.name != index.Where[tensor] {
			return fmt.Errorf("%s: tensor %q is not in %s", indexName, tensor, index.Where[tensor])
		}
	}
	return nil
}

// openShard opens one file of weights. Its tensors may take twice the memory that the model can have: too many of them are
// reported by name.
func (s *Source) openShard(fsys fs.FS, name string) (*shard, error) {
	f, r, size, err := openAt(fsys, name)
	if err != nil {
		return nil, err
	}
	s.close = append(s.close, f)
	out, err := openTensors(r, size, Limits{Data: 8 * int64(s.Config.Size())})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	out.name = name
	return out, nil
}

// shards are tensors by the files that they are in.
type shards map[string]*shard

func (all shards) add(f *shard) error {
	for _, t := range f.tensors {
		if other, twice := all[t.Name]; twice {
			return fmt.Errorf("tensor %q is in %s and in %s", t.Name, other.name, f.name)
		}
		all[t.Name] = f
	}
	return nil
}

func (all shards) shapes() map[string][]int {
	out := make(map[string][]int, len(all))
	for name, f := range all {
		out[name] = f.tensors[f.at[name]].Shape
	}
	return out
}

func (all shards) read(name string, to []float32) error { return all[name].read(name, to) }

// template is a directory's chat template, "" if it has none. Of several it is the one called default.
func template(fsys fs.FS) (string, error) {
	data, err := readText(fsys, templateName)
	if err == nil {
		return string(data), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if data, err = readText(fsys, tokenizerConfigName); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return "", err
	}
	var c struct {
		Template json.RawMessage `json:"chat_template"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return "", fmt.Errorf("%s: %w", tokenizerConfigName, err)
	}
	var one string
	if json.Unmarshal(c.Template, &one) == nil {
		return one, nil
	}
	var several []struct{ Name, Template string }
	_ = json.Unmarshal(c.Template, &several) // what is neither is none
	for _, t := range several {
		if t.Name == "default" {
			return t.Template, nil
		}
	}
	return "", nil
}
