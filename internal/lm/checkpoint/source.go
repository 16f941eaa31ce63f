package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// Source is a model whose files lie open: what they say of it, and its weights, which are read when they are asked for.
type Source struct {
	Config    transformer.Config
	Tokenizer *bpe.Tokenizer
	Meta      map[string]string // the texts that [WriteModel] was given
	Template  string            // how conversations become texts, as the model's makers wrote it; "" if they did not

	weights weights
	where   string // the file of the weights, for errors
	close   []fs.File
}

// weights are the tensors of a file or of several, under the names and in the shapes that [transformer.Model.Params] has.
type weights interface {
	shapes() map[string][]int
	read(name string, to []float32) error
}

// Open opens the model of a directory, as [WriteModel] and Hugging Face's libraries write it, or of its only GGUF file where it has
// no config.json. Errors have a hint.
func Open(fsys fs.FS) (*Source, error) {
	s, err := openDir(fsys)
	return s, withHint(err)
}

// OpenGGUF opens the model of a GGUF file. Errors have a hint.
func OpenGGUF(fsys fs.FS, name string) (*Source, error) {
	s, err := openGGUF(fsys, name)
	return s, withHint(err)
}

func withHint(err error) error {
	if err == nil {
		return nil
	}
	return hint.WrapMissing(err, "give a model directory that deeprepo or transformers wrote (config.json, tokenizer.json and "+
		"model.safetensors of one training run), or a GGUF file, of a Llama or a Qwen2")
}

func openDir(fsys fs.FS) (*Source, error) {
	if _, err := fs.Stat(fsys, configName); errors.Is(err, fs.ErrNotExist) {
		if found, err := fs.Glob(fsys, "*.gguf"); err == nil && len(found) == 1 {
			return openGGUF(fsys, found[0])
		}
	}
	return openHugging(fsys)
}

// Model reads all weights: each of them, of its shape, and no other. A weight that is not a number is refused.
func (s *Source) Model() (*transformer.Model, error) {
	have := s.weights.shapes()
	n := 0
	for _, shape := range have {
		size, _ := elements(shape, 1<<62)
		n += int(size)
	}
	if n < s.Config.Size()/2 { // or a few bytes of JSON would take gigabytes before a tensor is missed
		return nil, fmt.Errorf("%s holds %d numbers, %s describes a model of %d", s.where, n, configName, s.Config.Size())
	}
	m := transformer.Blank(s.Config)
	for _, p := range m.Params() {
		if err := s.read(have, p); err != nil {
			return nil, fmt.Errorf("%s: %w", s.where, err)
		}
		delete(have, p.Name)
	}
	maps.DeleteFunc(have, func(name string, _ []int) bool { return s.spare(name) })
	if len(have) > 0 {
		return nil, fmt.Errorf("%s: tensor %q belongs to no such model", s.where, slices.Sorted(maps.Keys(have))[0])
	}
	return m, nil
}

func (s *Source) read(have map[string][]int, p transformer.Param) error {
	shape, ok := have[p.Name]
	switch {
	case !ok:
		return fmt.Errorf("tensor %q of shape %v is missing", p.Name, p.Shape)
	case !slices.Equal(shape, p.Shape):
		return fmt.Errorf("tensor %q has shape %v, the model wants %v", p.Name, shape, p.Shape)
	}
	if err := s.weights.read(p.Name, p.Data); err != nil {
		return err
	}
	return finite(Tensor{Name: p.Name, Data: p.Data})
}

// spare says of a tensor that a file may have it and the model does without: tables that follow from the configuration, and a
// copy of the embedding, which is the output matrix of a tied model.
func (s *Source) spare(name string) bool {
	return strings.HasSuffix(name, ".rotary_emb.inv_freq") || name == "lm_head.weight" && !s.Config.Untied
}

// Close closes the files.
func (s *Source) Close() error {
	var all error
	for _, f := range s.close {
		all = errors.Join(all, f.Close())
	}
	return all
}

// checkVocabulary says where the tokenizer is not the model's. Others' models may have room for more tokens than there are.
func (s *Source) checkVocabulary() error {
	n := s.Tokenizer.Vocab()
	if n > s.Config.Vocab || n < s.Config.Vocab && !s.Tokenizer.Pretrained() {
		return fmt.Errorf("%s has a vocabulary of %d tokens, %s of %d", configName, s.Config.Vocab, tokenizerName, n)
	}
	return nil
}
