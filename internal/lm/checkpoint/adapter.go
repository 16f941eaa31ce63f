package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
)

// The files of an adapter directory.
const (
	adapterConfigName  = "adapter_config.json"
	adapterWeightsName = "adapter_model.safetensors"
)

// lora is PEFT's adapter_config.json.
type lora struct {
	Type      string          `json:"peft_type"`
	Task      string          `json:"task_type"`
	Base      string          `json:"base_model_name_or_path"`
	Rank      int             `json:"r"`
	Alpha     float64         `json:"lora_alpha"`
	Dropout   float64         `json:"lora_dropout"`
	Targets   json.RawMessage `json:"target_modules"` // a list, or in foreign files a pattern
	Bias      string          `json:"bias"`
	Inference bool            `json:"inference_mode"`
}

// indifferent are the keys of that file whose values, beside those that are checked, do not change what an adapter
// computes. Every other one asks for a variant of LoRA and must be absent, null, false or empty.
var indifferent = []string{
	"peft_type", "task_type", "base_model_name_or_path", "r", "lora_alpha", "lora_dropout", "target_modules", "bias", "inference_mode",
	"auto_mapping", "ensure_weight_tying", "megatron_core", "peft_version", "qalora_group_size", "revision",
}

// targets are the linear maps of every layer.
var targets = []string{"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}

// WriteAdapter writes an adapter into a directory, which is made where it is missing, to the bit. Base is the model that it
// was trained on, and path where other tools find that.
func WriteAdapter(dir string, a *transformer.Adapter, base *transformer.Model, path string) error {
	files, err := adapterOutputs(a, base, path)
	if err != nil {
		return err
	}
	return writeAll(dir, files)
}

func adapterOutputs(a *transformer.Adapter, base *transformer.Model, path string) ([]output, error) {
	if a.Config() != base.Config {
		return nil, errors.New("the adapter is of another shape than its base")
	}
	tensors, err := tensorsOf(a.Params(), F32)
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(targets)
	if err != nil {
		return nil, err
	}
	config := lora{Type: "LORA", Task: "CAUSAL_LM", Base: path, Rank: a.Rank, Alpha: a.Alpha, Targets: list, Bias: "none", Inference: true}
	// The fingerprint is beside the weights: PEFT knows all keys of its configuration.
	meta := map[string]string{formatKey: "pt", baseKey: Fingerprint(base)}
	return []output{
		{adapterConfigName, indented(config)},
		{adapterWeightsName, func(w io.Writer) error { return WriteTensors(w, tensors, meta) }},
	}, nil
}

// ReadAdapter reads an adapter directory for the model that it was trained on. An adapter of another model is refused;
// where another tool saved it, which keeps no fingerprint of the base, the shapes must do. Errors have a hint.
func ReadAdapter(fsys fs.FS, base *transformer.Model) (*transformer.Adapter, error) {
	a, err := readAdapter(fsys, base)
	if err != nil {
		return nil, hint.WrapMissing(err, "give an adapter directory that deeprepo wrote, and the model that it was trained on")
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
		return nil, hint.New("the adapter was trained on another model than the one it is given for",
			"name the model directory of the run that trained the adapter")
	}
	a := transformer.NewAdapter(base.Config, config.Rank, config.Alpha, 0)
	if err := fill(a.Params(), tensors); err != nil {
		return nil, fmt.Errorf("%s: %w", adapterWeightsName, err)
	}
	return a, nil
}

func parseAdapter(data []byte) (lora, error) {
	var f lora
	var all map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(data, &f), json.Unmarshal(data, &all)); err != nil {
		return f, err
	}
	var list []string
	_ = json.Unmarshal(f.Targets, &list) // a pattern leaves it empty
	slices.Sort(list)
	switch {
	case f.Type != "LORA":
		return f, fmt.Errorf("the adapter is of type %q, not LORA", f.Type)
	case f.Rank < 1 || f.Rank > transformer.MaxRank:
		return f, fmt.Errorf("rank %d is not within 1 and %d", f.Rank, transformer.MaxRank)
	case f.Alpha <= 0 || f.Alpha > math.MaxFloat32:
		return f, fmt.Errorf("alpha %g is not positive", f.Alpha)
	case !slices.Equal(list, slices.Sorted(slices.Values(targets))):
		return f, errors.New("it does not adapt exactly the seven linear maps of every layer")
	case f.Bias != "none":
		return f, errors.New("it trains biases, which the model has none of")
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		value := string(all[key])
		if key == "init_lora_weights" && (value == "true" || value == `"gaussian"`) {
			continue // others change the base
		}
		if !slices.Contains(indifferent, key) && !slices.Contains([]string{"null", "false", "{}", "[]"}, value) {
			return f, fmt.Errorf("%q asks for a variant of LoRA that is not supported", key)
		}
	}
	return f, nil
}
