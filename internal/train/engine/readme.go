package engine

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Command is what starts the engine, with the interpreter or program that it is named by: never through a shell.
func Command(o Options, p Place, python string) []string {
	o = o.WithDefaults()
	switch o.Engine {
	case PrimeRL:
		return []string{"uv", "run", "rl", "@", filepath.Join(p.Dir, primeName)}
	case Verl:
		return []string{python, "-m", "verl.trainer.main_ppo", "--config-path", p.Dir, "--config-name", strings.TrimSuffix(verlName, ".yaml")}
	case Tinker:
		return []string{python, "-m", "deeprepo_train", "tinker", "--file", filepath.Join(p.Dir, tinkerName)}
	}
	return []string{python, "-m", "deeprepo_train", o.Method, "--config", filepath.Join(p.Dir, trlName)}
}

// serve is the command that plays an engine's episodes, without the program's own name.
func (o Options) serve() []string {
	args := []string{"env", "serve", o.Environment, "--split", o.Split, "--worker", o.Worker}
	if o.Difficulty != "" {
		args = append(args, "--difficulty", o.Difficulty)
	}
	if o.MaxTurns > 0 {
		args = append(args, "--max-turns", fmt.Sprint(o.MaxTurns))
	}
	return args
}

// needs says where an engine comes from.
var needs = map[string]string{
	TRL:     "pip install ./python/deeprepo_train",
	PrimeRL: "a checkout of prime-rl (PrimeIntellect-ai/prime-rl) with `uv sync`; start the command in it",
	Verl:    "pip install verl==0.9.1 vllm, and ./python/deeprepo_train without its dependencies (--no-deps), and openenv==0.10.0",
	Tinker:  "pip install tinker-cookbook==0.6.1 openenv==0.10.0, ./python/deeprepo_train with --no-deps, and TINKER_API_KEY",
}

// title is how the readme begins; it tells a directory of ours from others.
func title(o Options) string {
	return fmt.Sprintf("# %s with %s\n\nInstalled with: ", strings.ToUpper(o.Method), o.Engine)
}

// readme says how to continue by hand.
func readme(o Options, p Place) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s.\n", title(o), needs[o.Engine])
	if o.Method == GRPO {
		fmt.Fprintf(&b, "\nThe environment, which must answer at %s before anything else is started:\n\n    %s\n", public(p.URL),
			line(append([]string{"deeprepo"}, append(o.serve(), "--no-token")...)))
	}
	fmt.Fprintf(&b, "\nThe training:\n\n    %s\n", line(Command(o, p, "python")))
	adapter := filepath.Join(p.Out, AdapterDir(o))
	fmt.Fprintf(&b, `
The adapter, once it is there, as model:adapter:

    vllm serve %[1]s --enable-lora --max-lora-rank %[2]d --lora-modules %[3]s
    python -m deeprepo_train serve --model %[1]s --adapter %[4]s --name %[5]s --adapter-name %[6]s        # without a GPU
    python -m deeprepo_train gguf --adapter %[4]s --model %[1]s --out %[6]s.gguf                          # for llama-server:
    llama-server -m BASE.gguf --lora %[6]s.gguf --alias %[7]s

    DEEPREPO_LOCAL_URL=http://127.0.0.1:8000/v1 deeprepo code eval humaneval -m local/%[7]s
`, word(o.Model), o.Rank, word(o.served()+"="+adapter), word(adapter), word(base(o.Model)), word(o.Name), word(base(o.Model)+":"+o.Name))
	return []byte(b.String())
}

// AdapterDir is where in its own directory an engine leaves the adapter that it ended with; empty where that is not on this
// machine, or goes by the number of the step.
func AdapterDir(o Options) string {
	if o.Engine == TRL {
		return "adapter"
	}
	return ""
}

// served is the adapter's name at an endpoint: model:adapter.
func (o Options) served() string { return base(o.Model) + ":" + o.Name }

// base is the short name of a model.
func base(model string) string { return filepath.Base(filepath.Clean(model)) }

// public is a URL without the token that lets clients in.
func public(url string) string {
	before, _, _ := strings.Cut(url, "/t/")
	return before
}

// line is a command as a shell would take it.
func line(command []string) string {
	words := make([]string, len(command))
	for i, w := range command {
		words[i] = word(w)
	}
	return strings.Join(words, " ")
}

// word is an argument as a shell would take it.
func word(w string) string {
	if w != "" && !strings.ContainsFunc(w, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-./:=@+,", r)
	}) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
