package engine

import (
	"bytes"
	"encoding/json"
	"path/filepath"
)

// verlRow is a row of verl's data: which task it is. The prompt is a placeholder, since the server begins the conversation.
type verlRow struct {
	DataSource  string           `json:"data_source"`
	Prompt      []map[string]any `json:"prompt"`
	Ability     string           `json:"ability"`
	AgentName   string           `json:"agent_name"`
	RewardModel map[string]any   `json:"reward_model"`
	ExtraInfo   verlTask         `json:"extra_info"`
}

type verlTask struct {
	Index      int    `json:"index"`
	Seed       int64  `json:"seed"`
	Split      string `json:"split"`
	Difficulty string `json:"difficulty"`
}

// verlFiles are for verl's main_ppo: a Hydra configuration on top of its own ppo_trainer, an agent loop that plays our
// episodes (deeprepo_train.verl_loop), and a row for each task.
func verlFiles(o Options, p Place) ([]File, error) {
	type table = map[string]any
	rows := filepath.Join(p.Dir, verlRows)
	steps, sequence := o.Steps, o.Context
	f, err := yamlFile(verlName, table{
		"defaults": []string{"ppo_trainer", "_self_"},
		"hydra":    table{"searchpath": []string{"pkg://verl.trainer.config"}, "run": table{"dir": p.Out}},
		"data": table{
			"train_files": rows, "val_files": rows, "train_batch_size": o.TasksPerStep, "prompt_key": "prompt", "return_raw_chat": true,
			"max_prompt_length": o.Context / 2, "max_response_length": o.Context / 2, "seed": o.Seed,
		},
		"actor_rollout_ref": table{
			"model": table{"path": o.Model, "lora_rank": o.Rank, "lora_alpha": o.Alpha, "target_modules": "all-linear"},
			"actor": table{
				"optim": table{"lr": o.LR}, "ppo_mini_batch_size": o.TasksPerStep, "ppo_micro_batch_size_per_gpu": o.Micro,
				"use_kl_loss": o.Beta > 0, "kl_loss_coef": o.Beta, "kl_loss_type": "low_var_kl", "ppo_max_token_len_per_gpu": sequence,
			},
			"ref": table{"log_prob_micro_batch_size_per_gpu": o.Micro},
			"rollout": table{
				"name": "vllm", "mode": "async", "n": o.Group, "temperature": o.Temperature, "load_format": "safetensors", "max_model_len": sequence,
				"prompt_length": o.Context / 2, "response_length": o.Context / 2, "log_prob_micro_batch_size_per_gpu": o.Micro,
				"multi_turn": table{"enable": true},
				"agent":      table{"default_agent_loop": "deeprepo", "agent_loop_config_path": filepath.Join(p.Dir, verlLoop)},
			},
		},
		"algorithm": table{"adv_estimator": "grpo", "use_kl_in_reward": false},
		"trainer": table{
			"logger": []string{"console", "file"}, "project_name": "deeprepo", "experiment_name": o.Name,
			"default_local_dir": filepath.Join(p.Out, "checkpoint"),
			"n_gpus_per_node":   o.GPUs, "nnodes": 1, "save_freq": o.SaveEvery, "test_freq": -1, "val_before_train": false,
			"total_training_steps": steps, "total_epochs": max(1, (steps*o.TasksPerStep+o.Tasks-1)/max(1, o.Tasks)),
		},
	})
	if err != nil {
		return nil, err
	}
	loop, err := yamlFile(verlLoop, []table{{
		"name": "deeprepo", "_target_": "deeprepo_train.verl_loop.EpisodeLoop", "url": p.URL, "max_tokens": o.MaxTokens, "context": o.Context,
	}})
	if err != nil {
		return nil, err
	}
	data, err := verlTasks(o)
	return []File{f, loop, {verlRows, data}}, err
}

func verlTasks(o Options) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for i := range o.Tasks {
		row := verlRow{DataSource: "deeprepo/" + o.Environment, Ability: "code", AgentName: "deeprepo",
			Prompt:      []map[string]any{{"role": "user", "content": "The environment begins the conversation."}},
			RewardModel: map[string]any{"style": "rule", "ground_truth": ""},
			ExtraInfo:   verlTask{Index: i, Seed: o.Seed, Split: o.Split, Difficulty: o.Difficulty}}
		if err := e.Encode(row); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
