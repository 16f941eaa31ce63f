package runfile

// EvalMetadata is metadata.json as verifiers saves it. time is 0.3's, time_ms 0.1's. Means leave rollouts out that ended in
// an error, which verifiers counts with reward 0; avg_error says how many there were.
type EvalMetadata struct {
	EnvID         string           `json:"env_id"`
	EnvArgs       EvalArgs         `json:"env_args"`
	Model         string           `json:"model"`
	BaseURL       string           `json:"base_url"`
	Examples      int              `json:"num_examples"`
	Rollouts      int              `json:"rollouts_per_example"`
	Shuffle       bool             `json:"shuffle"`
	ShuffleSeed   *int64           `json:"shuffle_seed"`
	Sampling      EvalSampling     `json:"sampling_args"`
	Time          Float            `json:"time"`
	TimeMS        Float            `json:"time_ms"`
	AvgReward     Float            `json:"avg_reward"`
	AvgMetrics    map[string]Float `json:"avg_metrics"`
	AvgError      Float            `json:"avg_error"`
	PassAtK       map[string]Float `json:"pass_at_k"`
	PassAllK      map[string]Float `json:"pass_all_k"`
	PassThreshold Float            `json:"pass_threshold"`
	Usage         *EvalTokens      `json:"usage"`
	Cost          *EvalCost        `json:"cost,omitempty"`
	VersionInfo   EvalVersion      `json:"version_info"`
	StateColumns  []string         `json:"state_columns"`
	Tools         *struct{}        `json:"tools"`
}

// EvalArgs are what selects the tasks, and what else decides the rows.
type EvalArgs struct {
	Split      string `json:"split,omitempty"`
	Seed       int64  `json:"seed"`
	Language   string `json:"language,omitempty"`
	Difficulty string `json:"difficulty,omitempty"`
	Files      int    `json:"files,omitempty"`
	Worker     string `json:"worker,omitempty"`
	Strategy   string `json:"strategy,omitempty"`
	MaxTurns   int    `json:"max_turns,omitempty"`
	// Rules is the version of the environment's rules, where it has had several.
	Rules int `json:"rules_version,omitempty"`
}

type EvalSampling struct {
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
}

type EvalCost struct {
	Total Float `json:"total_usd"`
}

type EvalVersion struct {
	Verifiers  string  `json:"vf_version"` // whose form the files have
	VfCommit   *string `json:"vf_commit"`
	EnvVersion string  `json:"env_version"`
	EnvCommit  *string `json:"env_commit"`
}
