package checkpoint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"

	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/chat"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// The files of a model directory.
const (
	configName          = "config.json"
	generationName      = "generation_config.json"
	tokenizerName       = "tokenizer.json"
	tokenizerConfigName = "tokenizer_config.json"
	weightsName         = "model.safetensors"
)

// Special tokens that the files give a meaning to, where the tokenizer has them: a conversation is view, cell, view, ...
const (
	viewToken = "<|view|>"
	cellToken = "<|cell|>"
	endToken  = "<|end|>"
)

// Keys of the weights' metadata that are ours; transformers demands the first.
const (
	formatKey    = "format"
	tokenizerKey = "deeprepo.tokenizer" // SHA-256 of tokenizer.json
	baseKey      = "deeprepo.base"      // fingerprint of an adapter's base
)

// WriteModel writes a model and its tokenizer into a directory, which is made where it is missing, with every weight to the
// bit. The weights carry the texts of meta. Files are replaced one by one, the weights last.
func WriteModel(dir string, m *transformer.Model, t *bpe.Tokenizer, meta map[string]string) error {
	return WriteModelAs(dir, m, t, meta, F32)
}

// WriteModelAs is [WriteModel] with the weights rounded to a smaller type.
func WriteModelAs(dir string, m *transformer.Model, t *bpe.Tokenizer, meta map[string]string, as DType) error {
	files, err := modelOutputs(m, t, meta, as)
	if err != nil {
		return err
	}
	return writeAll(dir, files)
}

// WriteTemplate writes a model's chat template beside it, in the place of the plain one that [WriteModel] gives; "" writes none.
func WriteTemplate(dir, template string) error {
	if template == "" {
		return nil
	}
	return writeAll(dir, []output{{templateName, func(w io.Writer) error { _, err := io.WriteString(w, template); return err }}})
}

func modelOutputs(m *transformer.Model, t *bpe.Tokenizer, meta map[string]string, as DType) ([]output, error) {
	if n := t.Vocab(); n > m.Config.Vocab || n < m.Config.Vocab && !t.Pretrained() {
		return nil, fmt.Errorf("the model has a vocabulary of %d tokens, its tokenizer of %d", m.Config.Vocab, t.Vocab())
	}
	tokens, err := t.JSON()
	if err != nil {
		return nil, err
	}
	config := configOf(m.Config, as)
	config.Begin, config.End = special(t, viewToken), special(t, endToken)
	if config.End == nil {
		config.Begin, config.End = special(t, chat.Start), special(t, chat.End)
	}
	config.Pad = config.End
	tensors, err := tensorsOf(m.Params(), as)
	if err != nil {
		return nil, err
	}
	all := map[string]string{formatKey: "pt", tokenizerKey: digest(tokens)}
	for k, v := range meta {
		if _, taken := all[k]; taken {
			return nil, fmt.Errorf("metadata %q has a meaning of its own", k)
		}
		all[k] = v
	}
	return []output{
		{configName, indented(config)},
		{generationName, indented(map[string]any{
			"bos_token_id": config.Begin, "eos_token_id": config.End, "pad_token_id": config.Pad, "do_sample": true, "temperature": 1.0,
		})},
		{tokenizerConfigName, indented(tokenizerConfig(t, m.Config.Context))},
		{tokenizerName, func(w io.Writer) error { _, err := w.Write(tokens); return err }},
		{weightsName, func(w io.Writer) error { return WriteTensors(w, tensors, all) }},
	}, nil
}

// output is a file to write.
type output struct {
	name string
	fill func(io.Writer) error
}

func writeAll(dir string, files []output) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		if err := replace(root, f.name, f.fill); err != nil {
			return err
		}
	}
	return nil
}

func indented(v any) func(io.Writer) error {
	return func(w io.Writer) error { return jsonfile.WritePlain(w, v) }
}

func special(t *bpe.Tokenizer, name string) *int32 {
	if id, ok := t.Special(name); ok {
		return &id
	}
	return nil
}

// tokenizerConfig is what transformers wants beside tokenizer.json. The template gives a conversation the form that a
// policy was trained on: its input is the user's messages, its output the assistant's.
func tokenizerConfig(t *bpe.Tokenizer, context int) map[string]any {
	c := map[string]any{
		"tokenizer_class":              "PreTrainedTokenizerFast",
		"model_max_length":             context,
		"clean_up_tokenization_spaces": false,
	}
	if _, ok := t.Special(endToken); ok {
		c["eos_token"], c["pad_token"] = endToken, endToken
	}
	if has := t.Specials(); slices.Contains(has, viewToken) && slices.Contains(has, cellToken) && slices.Contains(has, endToken) {
		c["bos_token"] = viewToken
		c["chat_template"] = "{% for m in messages %}{% if m['role'] == 'assistant' %}" + cellToken + "{{ m['content'] }}" + endToken +
			"{% else %}" + viewToken + "{{ m['content'] }}{% endif %}{% endfor %}{% if add_generation_prompt %}" + cellToken + "{% endif %}"
	} else if slices.Contains(has, chat.Start) && slices.Contains(has, chat.End) {
		c["bos_token"], c["eos_token"], c["pad_token"] = chat.Start, chat.End, chat.End
		c["chat_template"] = "{% for m in messages %}" + chat.Start + "{{ m['role'] + '\n' + m['content'] }}" + chat.End +
			"{{ '\n' }}{% endfor %}{% if add_generation_prompt %}" + chat.Start + "{{ 'assistant\n' }}{% endif %}"
	}
	return c
}

// tensorsOf are a model's or an adapter's weights. One that is not a number is refused: a run that diverged is not
// saved over a good one.
func tensorsOf(params []transformer.Param, as DType) ([]Tensor, error) {
	tensors := make([]Tensor, len(params))
	for i, p := range params {
		tensors[i] = Tensor{Name: p.Name, Type: as, Shape: p.Shape, Data: p.Data}
		if err := finite(tensors[i]); err != nil {
			return nil, err
		}
	}
	return tensors, nil
}

func finite(t Tensor) error {
	for _, f := range t.Data {
		if f-f != 0 { // infinite or NaN
			return fmt.Errorf("tensor %q holds %g", t.Name, f)
		}
	}
	return nil
}

// ReadModel reads the model of a directory (see [Open]), its tokenizer, and the texts that [WriteModel] was given. Errors have a
// hint.
func ReadModel(fsys fs.FS) (*transformer.Model, *bpe.Tokenizer, map[string]string, error) {
	m, t, meta, err := readModel(fsys)
	return m, t, meta, withHint(err)
}

func readModel(fsys fs.FS) (m *transformer.Model, t *bpe.Tokenizer, meta map[string]string, err error) {
	s, err := openDir(fsys)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if m, err = s.Model(); err != nil {
		return nil, nil, nil, err
	}
	return m, s.Tokenizer, s.Meta, nil
}

// fill puts tensors into weights: each of them, of its shape, and no other.
func fill(params []transformer.Param, tensors []Tensor) error {
	byName := make(map[string]Tensor, len(tensors))
	for _, t := range tensors {
		byName[t.Name] = t
	}
	for _, p := range params {
		t, ok := byName[p.Name]
		switch {
		case !ok:
			return fmt.Errorf("tensor %q of shape %v is missing", p.Name, p.Shape)
		case !slices.Equal(t.Shape, p.Shape):
			return fmt.Errorf("tensor %q has shape %v, the model wants %v", p.Name, t.Shape, p.Shape)
		}
		if err := finite(t); err != nil {
			return err
		}
		copy(p.Data, t.Data)
		delete(byName, p.Name)
	}
	if len(byName) > 0 {
		return fmt.Errorf("tensor %q belongs to no such model", slices.Sorted(maps.Keys(byName))[0])
	}
	return nil
}

// Fingerprint tells models apart: the SHA-256 of the weights with their names and shapes.
func Fingerprint(m *transformer.Model) string {
	h := sha256.New()
	var buf []byte
	for _, p := range m.Params() {
		fmt.Fprintf(h, "%s %v\n", p.Name, p.Shape)
		for part := range slices.Chunk(p.Data, 1<<12) {
			buf = buf[:0]
			for _, f := range part {
				buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(f))
			}
			h.Write(buf)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
