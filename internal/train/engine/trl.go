package engine

// trlOptions are those of `python -m deeprepo_train grpo` and dpo, which refuses a name that it does not know. Only what
// differs from what the options of both methods share is left out where it is empty.
type trlOptions struct {
	Model        string  `json:"model"`
	Out          string  `json:"out"`
	Steps        int     `json:"steps"`
	Seed         int64   `json:"seed"`
	LearningRate float64 `json:"learning_rate"`
	Rank         int     `json:"rank"`
	Alpha        float64 `json:"alpha"`
	Micro        int     `json:"micro"`
	SaveEvery    int     `json:"save_every"`
	Beta         float64 `json:"beta"`

	URL          string  `json:"url,omitempty"`
	Split        string  `json:"split,omitempty"`
	Difficulty   string  `json:"difficulty,omitempty"`
	TaskSeed     *int64  `json:"task_seed,omitempty"`
	Tasks        int     `json:"tasks,omitempty"`
	TasksPerStep int     `json:"tasks_per_step,omitempty"`
	Group        int     `json:"group,omitempty"`
	MaxTokens    int     `json:"max_tokens,omitempty"`
	Context      int     `json:"context,omitempty"`
	Temperature  float64 `json:"temperature,omitempty"`

	Pairs     string `json:"pairs,omitempty"`
	Batch     int    `json:"batch,omitempty"`
	MaxLength int    `json:"max_length,omitempty"`
}

// trlFiles are for deeprepo_train, which drives TRL with PEFT.
func trlFiles(o Options, p Place) ([]File, error) {
	c := trlOptions{Model: o.Model, Out: p.Out, Steps: o.Steps, Seed: o.Seed, LearningRate: o.LR, Rank: o.Rank, Alpha: o.Alpha, Micro: o.Micro,
		SaveEvery: o.SaveEvery, Beta: o.Beta}
	if o.Method == DPO {
		c.Pairs, c.Batch, c.MaxLength = o.Pairs, o.Batch, o.Context
	} else {
		c.URL, c.Split, c.Difficulty, c.TaskSeed = p.URL, o.Split, o.Difficulty, &o.Seed
		c.Tasks, c.TasksPerStep, c.Group = o.Tasks, o.TasksPerStep, o.Group
		c.MaxTokens, c.Context, c.Temperature = o.MaxTokens, o.Context, o.Temperature
	}
	f, err := jsonFile(trlName, c)
	return []File{f}, err
}
