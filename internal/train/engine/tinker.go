package engine

// tinkerOptions are what `python -m deeprepo_train tinker` builds tinker_cookbook's own configuration of: Tinker has no file
// of its own.
type tinkerOptions struct {
	Method       string  `json:"method"`
	Model        string  `json:"model"`
	Renderer     string  `json:"renderer,omitempty"`
	Out          string  `json:"out"`
	Steps        int     `json:"steps"`
	LearningRate float64 `json:"learning_rate"`
	Rank         int     `json:"rank"`
	SaveEvery    int     `json:"save_every"`
	Beta         float64 `json:"beta"`
	Context      int     `json:"context"`

	URL          string  `json:"url,omitempty"`
	Split        string  `json:"split,omitempty"`
	Difficulty   string  `json:"difficulty,omitempty"`
	TaskSeed     int64   `json:"task_seed"`
	Tasks        int     `json:"tasks,omitempty"`
	TasksPerStep int     `json:"tasks_per_step,omitempty"`
	Group        int     `json:"group,omitempty"`
	MaxTokens    int     `json:"max_tokens,omitempty"`
	Temperature  float64 `json:"temperature,omitempty"`

	Pairs string `json:"pairs,omitempty"`
	Batch int    `json:"batch,omitempty"`
}

// tinkerFiles are for deeprepo_train's Tinker side: the training runs on Tinker's machines, the environment here.
func tinkerFiles(o Options, p Place) ([]File, error) {
	c := tinkerOptions{Method: o.Method, Model: o.Model, Renderer: o.Renderer, Out: p.Out, Steps: o.Steps, LearningRate: o.LR, Rank: o.Rank,
		SaveEvery: o.SaveEvery, Beta: o.Beta, Context: o.Context}
	if o.Method == DPO {
		c.Pairs, c.Batch = o.Pairs, o.Batch
	} else {
		c.URL, c.Split, c.Difficulty, c.TaskSeed = p.URL, o.Split, o.Difficulty, o.Seed
		c.Tasks, c.TasksPerStep, c.Group, c.MaxTokens, c.Temperature = o.Tasks, o.TasksPerStep, o.Group, o.MaxTokens, o.Temperature
	}
	f, err := jsonFile(tinkerName, c)
	return []File{f}, err
}
