package checkpoint

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/google/go-cmp/cmp"
)

// chatty is the tokenizer of a model of others, of the kind that GGUF files call pre.
func chatty(t testing.TB, pre string) *bpe.Tokenizer {
	t.Helper()
	tok, err := bpe.NewTokenizer(chattyVocabulary(pre))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func chattyVocabulary(pre string) bpe.Vocabulary {
	v := bpe.Vocabulary{Pre: pre, Tokens: []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"}, Special: []bool{true, true, true}}
	for r := '!'; r <= '~'; r++ {
		v.Tokens = append(v.Tokens, string(r))
	}
	v.Tokens = append(v.Tokens, "Ġ", "Ċ", "Ġt", "he", "Ġthe")
	v.Special = append(v.Special, make([]bool, len(v.Tokens)-3)...)
	v.Merges = []string{"Ġ t", "h e", "Ġt he"}
	return v
}

// shapes that the models of others have and ours do not.
func othersConfig(tok *bpe.Tokenizer) transformer.Config {
	return transformer.Config{Vocab: tok.Vocab() + 5, Dim: 24, Layers: 2, Heads: 6, KVHeads: 2, Hidden: 20, Context: 32, RopeBase: 1e5,
		NormEps: 1e-6, Bias: true, Untied: true}
}

// stirred is a model with no weight that another one has.
func stirred(c transformer.Config) *transformer.Model {
	m := transformer.New(c, 5)
	n := 0
	for _, p := range m.Params() {
		for i := range p.Data {
			n++
			p.Data[i] = float32(n) / 1024
		}
	}
	return m
}

func TestModelsOfOtherShapes(t *testing.T) {
	tok := chatty(t, "qwen2")
	for name, edit := range map[string]func(*transformer.Config){
		"all":            func(*transformer.Config) {},
		"llama":          func(c *transformer.Config) { c.Bias = false },
		"tied":           func(c *transformer.Config) { c.Untied = false },
		"no shared keys": func(c *transformer.Config) { c.KVHeads = c.Heads },
	} {
		c := othersConfig(tok)
		edit(&c)
		m := stirred(c)
		dir := t.TempDir()
		if err := WriteModel(dir, m, tok, nil); err != nil {
			t.Fatal(err)
		}
		s, err := Open(os.DirFS(dir))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := s.Model()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(m.Params(), got.Params()) + cmp.Diff(m.Config, got.Config); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(tok.Encode("the end"), s.Tokenizer.Encode("the end")); diff != "" || !s.Tokenizer.Pretrained() {
			t.Errorf("%s: %s", name, diff)
		}
		if !strings.Contains(s.Template, "<|im_start|>") {
			t.Errorf("%s: template %q", name, s.Template)
		}
		var config struct {
			End  int32  `json:"eos_token_id"`
			Kind string `json:"model_type"`
		}
		want := "llama"
		if c.Bias {
			want = "qwen2"
		}
		if err := json.Unmarshal(files(t, dir)[configName].Data, &config); err != nil || config.End != 2 || config.Kind != want {
			t.Errorf("%s: %+v, %v", name, config, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// sharded puts the weights of a directory into two files.
func sharded(t *testing.T, f fstest.MapFS) {
	t.Helper()
	all, meta, err := readFile(f, weightsName, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	delete(meta, tokenizerKey)
	where := map[string]string{}
	for i, part := range [][]Tensor{all[:7], all[7:]} {
		name := []string{"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}[i]
		f[name] = &fstest.MapFile{Data: written(t, part, meta)}
		for _, x := range part {
			where[x.Name] = name
		}
	}
	data, err := json.Marshal(map[string]any{"metadata": map[string]any{"total_size": 1}, "weight_map": where})
	if err != nil {
		t.Fatal(err)
	}
	f[indexName] = &fstest.MapFile{Data: data}
	delete(f, weightsName)
}

func TestWeightsInSeveralFiles(t *testing.T) {
	m, _ := tiny(t)
	f := modelFiles(t)
	sharded(t, f)
	got, _, _, err := ReadModel(f)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Params(), got.Params()); diff != "" {
		t.Error(diff)
	}
	move := func(to string) func(*testing.T, fstest.MapFS) {
		return edit(indexName, func(all map[string]any) { all["weight_map"].(map[string]any)["model.norm.weight"] = to })
	}
	for _, c := range []bad{
		{"no index of weights", set(indexName, "weight_map", map[string]string{}), "model.safetensors.index.json names 0 files"},
		{"no JSON", func(_ *testing.T, f fstest.MapFS) { f[indexName].Data = []byte("[") }, "model.safetensors.index.json: unexpected end"},
		{"a file that is not there", move("model-3.safetensors"), "model-3.safetensors: file does not exist"},
		{"a file outside", move("../model-3.safetensors"), "names \"../model-3.safetensors\", which is no file beside it"},
		{"a tensor in another file", move("model-00001-of-00002.safetensors"), `tensor "model.norm.weight" is not in model-00001`},
		{"a tensor in two files", func(_ *testing.T, f fstest.MapFS) {
			f["model-00001-of-00002.safetensors"] = f["model-00002-of-00002.safetensors"]
		}, "is in model-00001-of-00002.safetensors and in model-00002-of-00002.safetensors"},
		{"a file cut short", func(_ *testing.T, f fstest.MapFS) {
			x := f["model-00002-of-00002.safetensors"]
			x.Data = x.Data[:len(x.Data)-1]
		}, "model-00002-of-00002.safetensors: cut short"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := modelFiles(t)
			sharded(t, f)
			c.do(t, f)
			_, _, _, err := ReadModel(f)
			c.check(t, err)
		})
	}
}

func TestSpareTensors(t *testing.T) {
	f := modelFiles(t)
	tensors(weightsName, func(x []Tensor, _ map[string]string) []Tensor {
		return append(x, Tensor{Name: "lm_head.weight", Shape: []int{1}, Data: []float32{1}},
			Tensor{Name: "model.layers.0.self_attn.rotary_emb.inv_freq", Shape: []int{1}, Data: []float32{1}})
	})(t, f)
	if _, _, _, err := ReadModel(f); err != nil {
		t.Error(err)
	}
}

func TestTemplates(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a file":      {map[string]string{templateName: "{{a}}", tokenizerConfigName: `{"chat_template":"b"}`}, "{{a}}"},
		"a text":      {map[string]string{tokenizerConfigName: `{"chat_template":"b"}`}, "b"},
		"several":     {map[string]string{tokenizerConfigName: `{"chat_template":[{"name":"x","template":"1"},{"name":"default","template":"2"}]}`}, "2"},
		"none":        {map[string]string{tokenizerConfigName: `{}`}, ""},
		"no file":     {nil, ""},
		"a strange 1": {map[string]string{tokenizerConfigName: `{"chat_template":1}`}, ""},
	} {
		f := modelFiles(t)
		delete(f, tokenizerConfigName)
		for name, text := range c.files {
			f[name] = &fstest.MapFile{Data: []byte(text)}
		}
		s, err := Open(f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Template != c.want {
			t.Errorf("%s: %q, not %q", name, s.Template, c.want)
		}
	}
}

func TestOpenRefusesWhatIsNotThere(t *testing.T) {
	_, err := OpenGGUF(fstest.MapFS{}, "none.gguf")
	bad{want: "none.gguf"}.check(t, err)
	_, err = OpenGGUF(fstest.MapFS{"a.txt": {Data: []byte("text")}}, "a.txt")
	bad{want: "a.txt: this is no GGUF file"}.check(t, err)
	_, err = Open(fstest.MapFS{})
	bad{want: "config.json"}.check(t, err)
}
