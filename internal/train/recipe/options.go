package recipe

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/train/dpo"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
	"github.com/deeprepo/deeprepo/internal/train/sft"
)

// Recipes by their names.
const (
	Smoke = "smoke" // minutes: shows that everything works
	Full  = "full"  // an hour: a result worth keeping
)

// Recipes lists them.
func Recipes() []string { return []string{Smoke, Full} }

// Weights of the model that a training begins with, as they are computed with.
const (
	F32  = "f32"
	Int8 = "int8" // 32 share a scale; only adapters are trained
)

// Weights lists them.
func Weights() []string { return []string{F32, Int8} }

// Embedded is the engine in this program.
const Embedded = "embedded"

// Options are what a command asks for. They are saved in plan.json.
type Options struct {
	Schema int `json:"schema"`
	// Method is sft, grpo or dpo.
	Method string `json:"method"`
	// Environment is where the training plays, Data a file that its tasks come from. Defaults to orchestration.
	Environment string `json:"environment"`
	Data        string `json:"data,omitempty"`
	// Fleet is the address of the fleet that plays the rollouts of reinforcement. Defaults to none: this machine does.
	Fleet string `json:"fleet,omitempty"`
	// From is the directory of a model or of a training to begin with. Defaults to a new model, which has its first lessons.
	From string `json:"from,omitempty"`
	// Weights is int8 where From is computed with in eight bits and only an adapter is trained. Defaults to 32 bits.
	Weights string `json:"weights,omitempty"`
	// SFT are the first lessons, those of the base or the whole training.
	SFT sft.Options `json:"sft"`
	// GRPO is the training, where that is the method.
	GRPO *grpo.Options `json:"grpo,omitempty"`
	// DPO is the training, where that is the method.
	DPO *DPO `json:"dpo,omitempty"`
	// Measure says how the policy is measured before and after.
	Measure Measure `json:"measure"`
}

// Measure says how a policy is measured.
type Measure struct {
	// Environment is where. Defaults to orchestration, whose rewards are audited.
	Environment string `json:"environment"`
	// Language, Difficulty and Files select the tasks, Seed too: it is not that of the training.
	Language   string `json:"language,omitempty"`
	Difficulty string `json:"difficulty,omitempty"`
	Files      int    `json:"files,omitempty"`
	Seed       int64  `json:"seed"`
	// Tasks is how many held-out tasks are played, Rollouts how often each. Default to 64 and 2.
	Tasks    int `json:"tasks"`
	Rollouts int `json:"rollouts"`
	// Temperature is the policy's. Defaults to 0.7.
	Temperature float64 `json:"temperature"`
}

// Default is the recipe of a name for a method.
func Default(method, recipe string) (Options, error) {
	o := Options{Schema: schema, Method: method, Environment: DefaultEnvironment,
		Measure: Measure{Environment: DefaultEnvironment, Tasks: 64, Rollouts: 2, Temperature: nano.DefaultTemperature}}
	learn := grpo.Full()
	switch recipe {
	case Full:
		o.SFT = sft.Full()
		learn.Steps = fullSteps
	case Smoke:
		o.SFT, learn = sft.Smoke(), grpo.Smoke()
		o.Measure.Tasks, o.Measure.Rollouts = 32, 1
	default:
		return o, hint.Wrap(fmt.Errorf("no recipe %q", recipe), "use "+strings.Join(Recipes(), " or "))
	}
	switch method {
	case sft.Method:
	case grpo.Method:
		o.GRPO = &learn
	case dpo.Method:
		o.DPO = &DPO{Sizes: []int{fullPairs}}
		if recipe == Smoke {
			o.DPO.Sizes = []int{smokePairs}
		}
	default:
		return o, fmt.Errorf("no method %q", method)
	}
	return o, nil
}

// fullSteps is how many steps the full recipe has, as the reference's training.
const fullSteps = 100

// Pairs that a training by preferences learns in the recipes.
const (
	smokePairs = 120
	fullPairs  = 1000
)

// DefaultEnvironment is the one whose rewards are audited.
const DefaultEnvironment = "orchestration"

// schema is the number that a plan of today has in its field "schema".
const schema = 1

func (o Options) check() error {
	if !slices.Contains([]string{sft.Method, grpo.Method, dpo.Method}, o.Method) || (o.Method == grpo.Method) != (o.GRPO != nil) ||
		(o.Method == dpo.Method) != (o.DPO != nil) {
		return fmt.Errorf("no plan for the method %q", o.Method)
	}
	switch {
	case o.Weights == "":
	case o.Weights != Int8:
		return hint.Wrap(fmt.Errorf("no weights %q", o.Weights), "use "+strings.Join(Weights(), " or "))
	case o.From == "":
		return hint.New("weights in eight bits are those of a given model", "name one with --from, or train a new one in 32 bits")
	case o.Fleet != "":
		return hint.New("the machines of a fleet compute in 32 bits", "train with --weights f32, or without a fleet")
	}
	m := o.Measure
	if m.Tasks < 1 || m.Rollouts < 1 || m.Tasks > maxMeasured || m.Rollouts > maxMeasured {
		return hint.Wrap(fmt.Errorf("%d held-out tasks, %d times each: both must be from 1 to %d", m.Tasks, m.Rollouts, maxMeasured), "")
	}
	if !(m.Temperature > 0 && m.Temperature <= 2) {
		return errors.New("the temperature of the measurements must be between 0 and 2")
	}
	return nil
}

// maxMeasured bounds the tasks of a measurement, and how often each is played.
const maxMeasured = 10_000

// checkParts refuses what one of the parts would refuse, before the first begins.
func (o Options) checkParts(c Config) error {
	if o.From == "" || o.Method == sft.Method {
		if err := o.SFT.Check(); err != nil {
			return err
		}
	}
	if o.DPO != nil {
		return o.DPO.check()
	}
	if o.GRPO != nil {
		return o.GRPO.Check(c.Environment)
	}
	return nil
}
