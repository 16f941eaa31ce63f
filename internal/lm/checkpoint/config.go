package checkpoint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// llama is transformers' config.json of our architecture, as it has it for Llama and for Qwen2. Fields that have one possible value
// are written because their defaults there are others.
type llama struct {
	Architectures    []string        `json:"architectures"`
	ModelType        string          `json:"model_type"`
	Vocab            int             `json:"vocab_size"`
	Dim              int             `json:"hidden_size"`
	Hidden           int             `json:"intermediate_size"`
	Layers           int             `json:"num_hidden_layers"`
	Heads            int             `json:"num_attention_heads"`
	KeyValueHeads    int             `json:"num_key_value_heads"`
	HeadDim          int             `json:"head_dim"`
	Context          int             `json:"max_position_embeddings"`
	NormEps          float64         `json:"rms_norm_eps"`
	RopeTheta        float64         `json:"rope_theta"`
	RopeScaling      *rope           `json:"rope_scaling"`
	RopeParameters   *rope           `json:"rope_parameters,omitempty"` // where transformers 5 puts both of these
	Activation       string          `json:"hidden_act"`
	Tied             bool            `json:"tie_word_embeddings"`
	AttentionBias    bool            `json:"attention_bias"`
	FeedForwardBias  bool            `json:"mlp_bias"`
	AttentionDropout float64         `json:"attention_dropout"`
	Sliding          bool            `json:"use_sliding_window"`
	LayerTypes       []string        `json:"layer_types,omitempty"`
	Quantization     json.RawMessage `json:"quantization_config,omitempty"`
	Type             string          `json:"torch_dtype,omitempty"`
	Begin            *int32          `json:"bos_token_id"`
	End              *int32          `json:"eos_token_id"`
	Pad              *int32          `json:"pad_token_id"`
}

// rope says how positions turn.
type rope struct {
	Type  string  `json:"rope_type"`
	Theta float64 `json:"rope_theta"`
}

func configOf(c transformer.Config, as DType) llama {
	kind, class := "llama", "LlamaForCausalLM"
	if c.Bias { // on queries, keys and values, as no Llama has it
		kind, class = "qwen2", "Qwen2ForCausalLM"
	}
	return llama{
		Architectures: []string{class},
		ModelType:     kind,
		Vocab:         c.Vocab,
		Dim:           c.Dim,
		Hidden:        c.Hidden,
		Layers:        c.Layers,
		Heads:         c.Heads,
		KeyValueHeads: c.KVHeads,
		HeadDim:       c.HeadDim(),
		Context:       c.Context,
		NormEps:       c.NormEps,
		RopeTheta:     c.RopeBase,
		Activation:    "silu",
		Tied:          !c.Untied,
		Type:          map[DType]string{F32: "float32", F16: "float16", BF16: "bfloat16"}[as],
	}
}

// parseConfig reads a config.json and refuses what transformer cannot compute exactly.
func parseConfig(data []byte) (transformer.Config, error) {
	var f llama
	if err := json.Unmarshal(data, &f); err != nil {
		return transformer.Config{}, err
	}
	if f.ModelType != "llama" && f.ModelType != "qwen2" {
		return transformer.Config{}, fmt.Errorf("the model is of type %q, not llama or qwen2", f.ModelType)
	}
	if f.RopeParameters != nil {
		f.RopeScaling, f.RopeTheta = f.RopeParameters, cmp.Or(f.RopeParameters.Theta, f.RopeTheta)
	}
	for _, part := range []struct {
		ok   bool
		what string
	}{
		{f.RopeScaling == nil || f.RopeScaling.Type == "default", "scaled rotary positions"},
		{f.Activation == "silu", "another activation than silu"},
		{!f.AttentionBias && !f.FeedForwardBias, "biases on every map"},
		{!f.Sliding && !slices.ContainsFunc(f.LayerTypes, func(t string) bool { return t != "full_attention" }), "attention in sliding windows"},
		{f.Quantization == nil || string(f.Quantization) == "null", "quantized weights"},
	} {
		if !part.ok {
			return transformer.Config{}, errors.New("the model has " + part.what + ", which is not supported")
		}
	}
	c := transformer.Config{
		Vocab: f.Vocab, Dim: f.Dim, Layers: f.Layers, Heads: f.Heads, KVHeads: cmp.Or(f.KeyValueHeads, f.Heads), Hidden: f.Hidden,
		Context: f.Context, RopeBase: cmp.Or(f.RopeTheta, 1e4), NormEps: f.NormEps, Bias: f.ModelType == "qwen2", Untied: !f.Tied,
	}
	if err := complete(c); err != nil {
		return transformer.Config{}, err
	}
	if f.HeadDim != 0 && f.HeadDim != c.HeadDim() {
		return transformer.Config{}, fmt.Errorf("heads are %d wide, not the %d that hidden_size and their number give", f.HeadDim, c.HeadDim())
	}
	return c, nil
}

// complete says what a configuration lacks, where zero would stand for a default, or what of it cannot be built.
func complete(c transformer.Config) error {
	for _, f := range []struct {
		name string
		v    int
	}{
		{"vocab_size", c.Vocab}, {"hidden_size", c.Dim}, {"num_hidden_layers", c.Layers}, {"num_attention_heads", c.Heads},
		{"intermediate_size", c.Hidden}, {"max_position_embeddings", c.Context},
	} {
		if f.v <= 0 {
			return fmt.Errorf("%s is missing or not positive", f.name)
		}
	}
	if c.NormEps <= 0 {
		return errors.New("rms_norm_eps is missing or not positive")
	}
	return c.Validate()
}
