package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// The files of an adapter directory.
const (
	adapterConfigName  = "adapter_config.json"
	adapterWeightsName = "adapter_model.safetensors"
)

// lora is PEFT's adapter_config.json.
type lora struct {
	Type         string          `json:"peft_type"`
	Task         string          `json:"task_type"`
	Base         string          `json:"base_model_name_or_path"`
	Rank         int             `json:"r"`
	Alpha        float64         `json:"lora_alpha"`
	Dropout      float64         `json:"lora_dropout"`
	Targets      json.RawMessage `json:"target_modules"` // a list, or in foreign files a pattern
	Bias         string          `json:"bias"`
	FanInFanOut  bool            `json:"fan_in_fan_out"`
	Inference    bool            `json:"inference_mode"`
	RankStable   bool            `json:"use_rslora"`
	Magnitude    bool            `json:"use_dora"`
	RankPattern  map[string]any  `json:"rank_pattern"`
	AlphaPattern map[string]any  `json:"alpha_pattern"`
	Layers       json.RawMessage `json:"layers_to_transform"`
	Whole        json.RawMessage `json:"modules_to_save"`
}

// targets are the linear maps of every layer.
var targets = []string{"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}

// WriteAdapter writes an adapter into a directory, which is made where it is missing, to the bit. Base is the model that it
// was trained on, and path where other tools find that.
func WriteAdapter(dir string, a *transformer.Adapter, base *transformer.Model, path string) error {
	if a.Config() != base.Config {
		return errors.New("the adapter is of another shape than its base")
	}
	tensors, err := tensorsOf(a.Params(), F32)
	if err != nil {
		return err
	}
	list, err := json.Marshal(targets)
	if err != nil {
		return err
	}
	config := lora{
		Type: "LORA", Task: "CAUSAL_LM", Base: path, Rank: a.Rank, Alpha: a.Alpha, Targets: list, Bias: "none", Inference: true,
		RankPattern: map[string]any{}, AlphaPattern: map[string]any{},
	}
	// The fingerprint is beside the weights: PEFT knows all keys of its configuration.
	meta := map[string]string{formatKey: "pt", baseKey: Fingerprint(base)}
	return writeAll(dir, []output{
		{adapterConfigName, indented(config)},
		{adapterWeightsName, func(w io.Writer) error { return WriteTensors(w, tensors, meta) }},
	})
}

// ReadAdapter reads an adapter directory for the model that it was trained on. An adapter of another model is refused;
// where another tool saved it, which keeps no fingerprint of the base, the shapes must do. Errors have a hint.
func ReadAdapter(fsys fs.FS, base *transformer.Model) (*transformer.Adapter, error) {
	a, err := readAdapter(fsys, base)
	if err != nil {
		return nil, withHint(err, "give an adapter directory that deeprepo wrote, and the model that it was trained on")
	}
	return a, nil
}

func readAdapter(fsys fs.FS, base *transformer.Model) (*transformer.Adapter, error) {
	data, err := readText(fsys, adapterConfigName)
	if err != nil {
		return nil, err
	}
	config, err := parseAdapter(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", adapterConfigName, err)
	}
	tensors, meta, err := readFile(fsys, adapterWeightsName, Limits{})
	if err != nil {
		return nil, err
	}
	if of := meta[baseKey]; of != "" && of != Fingerprint(base) {
		return nil, hintedf("name the model directory of the run that trained the adapter", "the adapter was trained on another model than the one it is given for")
	}
	a := transformer.NewAdapter(base.Config, config.Rank, config.Alpha, 0)
	if err := fill(a.Params(), tensors); err != nil {
		return nil, fmt.Errorf("%s: %w", adapterWeightsName, err)
	}
	return a, nil
}

func hintedf(hint, format string, args ...any) error {
	return &hinted{fmt.Errorf(format, args...), hint}
}

func parseAdapter(data []byte) (lora, error) {
	var f lora
	if err := json.Unmarshal(data, &f); err != nil {
		return f, err
	}
	var list []string
	_ = json.Unmarshal(f.Targets, &list) // a pattern leaves it empty
	slices.Sort(list)
	for _, part := range []struct {
		ok   bool
		what string
	}{
		{f.Type == "LORA", fmt.Sprintf("it is of type %q, not LORA", f.Type)},
		{f.Rank >= 1 && f.Rank <= transformer.MaxRank, fmt.Sprintf("rank %d is not within 1 and %d", f.Rank, transformer.MaxRank)},
		{f.Alpha > 0 && f.Alpha <= math.MaxFloat32, fmt.Sprintf("alpha %g is not positive", f.Alpha)},
		{slices.Equal(list, slices.Sorted(slices.Values(targets))), "it does not adapt exactly the seven linear maps of every layer"},
		{f.Bias == "none" && none(f.Whole), "it trains more than low-rank changes"},
		{none(f.Layers), "it adapts some layers only"},
		{!f.FanInFanOut && !f.RankStable && !f.Magnitude && len(f.RankPattern) == 0 && len(f.AlphaPattern) == 0, "it is a variant of LoRA that is not supported"},
	} {
		if !part.ok {
			return f, errors.New(part.what)
		}
	}
	return f, nil
}

// none is a value that is absent, null or an empty list.
func none(v json.RawMessage) bool {
	return len(v) == 0 || string(v) == "null" || string(v) == "[]"
}
