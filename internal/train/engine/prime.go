package engine

// primeFiles are for prime-rl's `rl`: one TOML file for trainer, orchestrator and inference. The environment is verifiers'
// own openenv taskset, which needs nothing of ours in their Python.
func primeFiles(o Options, p Place) ([]File, error) {
	resets := make([]map[string]any, o.Tasks)
	for i := range resets {
		resets[i] = map[string]any{"seed": o.Seed, "index": i, "split": o.Split}
		if o.Difficulty != "" {
			resets[i]["difficulty"] = o.Difficulty
		}
	}
	type table = map[string]any
	source := table{
		"name": o.Environment,
		"env": table{
			"taskset": table{"id": "openenv", "base_url": p.URL, "resets": resets},
			"player":  table{"harness": table{"id": "null"}, "runtime": table{"type": "subprocess"}},
		},
	}
	infer := o.GPUs / 2
	f, err := tomlFile(primeName, table{
		"output_dir": p.Out,
		"max_steps":  o.Steps,
		"seq_len":    o.Context,
		"model":      table{"name": o.Model},
		"deployment": table{"num_train_gpus": max(1, o.GPUs-infer), "num_infer_gpus": max(1, infer)},
		"ckpt":       table{"interval": o.SaveEvery},
		"trainer": table{
			"optim": table{"lr": o.LR},
			"model": table{"lora": table{"rank": o.Rank, "alpha": o.Alpha}},
		},
		"orchestrator": table{
			"batch_size": o.batch(),
			"group_size": o.Group,
			"monitors":   table{"file": table{"path": metricsFile(o, p)}},
			"model":      table{"lora": table{"name": o.Name}},
			"train": table{
				"sampling": table{"max_completion_tokens": o.MaxTokens, "temperature": o.Temperature},
				"source":   []table{source},
			},
		},
		"inference": table{"vllm": table{"enable_lora": true}},
	})
	return []File{f}, err
}
