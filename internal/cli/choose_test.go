package cli

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/rules"
)

func TestChooseModels(t *testing.T) {
	tests := []struct {
		name, key, root, worker string
		offline                 bool
		wantRoot, wantWorker    string
	}{
		{name: "nothing set", wantRoot: offline.Name, wantWorker: rules.Name},
		{name: "a key", key: "OPENAI_API_KEY", wantRoot: "openai/gpt-5", wantWorker: "openai/gpt-5-mini"},
		{name: "a key and --offline", key: "OPENAI_API_KEY", offline: true, wantRoot: offline.Name, wantWorker: rules.Name},
		{name: "a local root stays local although a key is set", key: "ANTHROPIC_API_KEY", root: "local/x", wantRoot: "local/x", wantWorker: "local/x"},
		{name: "a root's own provider gives the worker", key: "ANTHROPIC_API_KEY", root: "openai/o3", wantRoot: "openai/o3", wantWorker: "openai/gpt-5-mini"},
		{name: "the offline root reads offline although a key is set", key: "ANTHROPIC_API_KEY", root: offline.Name, wantRoot: offline.Name, wantWorker: rules.Name},
		{name: "a worker alone", worker: "local/x", wantRoot: offline.Name, wantWorker: "local/x"},
		{name: "both", root: "a/b", worker: "c/d", wantRoot: "a/b", wantWorker: "c/d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := &app{getenv: func(name string) string {
				if name == tt.key {
					return "set"
				}
				return ""
			}}
			root, worker, err := a.chooseModels(tt.root, tt.worker, tt.offline)
			if err != nil || root != tt.wantRoot || worker != tt.wantWorker {
				t.Errorf("%s with %s, %v", root, worker, err)
			}
		})
	}
	a := &app{getenv: func(string) string { return "" }}
	if _, _, err := a.chooseModels("openai/x", "", true); err == nil {
		t.Error("--offline with a named root was taken")
	}
}
