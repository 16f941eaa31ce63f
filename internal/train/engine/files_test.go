package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

var fixed = Place{Dir: "/run/engine", Out: "/run/engine/out", URL: "http://127.0.0.1:8000/t/SECRET"}

func cases() map[string]Options {
	out := map[string]Options{}
	for _, e := range Names() {
		out[e+"-grpo"] = Options{Engine: e, Model: "Qwen/Qwen3-4B-Instruct-2507", Tasks: 3, TasksPerStep: 2, Group: 4, Steps: 7, Seed: 5,
			Difficulty: "easy", Beta: .01, Name: "mine"}
	}
	for _, e := range []string{TRL, Tinker} {
		out[e+"-dpo"] = Options{Engine: e, Method: DPO, Model: "Qwen/Qwen3-4B-Instruct-2507", Pairs: "/pairs", Context: 1024, Name: "mine"}
	}
	return out
}

func TestFilesAreGolden(t *testing.T) {
	for name, o := range cases() {
		t.Run(name, func(t *testing.T) {
			files, err := Files(o, fixed)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				runtest.Golden(t, name+"/"+f.Name, f.Data)
				if f.Name == readmeName && strings.Contains(string(f.Data), "SECRET") {
					t.Errorf("%s: %s holds the token that lets clients in", name, f.Name)
				}
			}
		})
	}
}

func TestOptionsThatCannotBeTrainedWith(t *testing.T) {
	good := Options{Engine: TRL, Model: "m"}
	for name, c := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"engine":     {func(o *Options) { o.Engine = "axolotl" }, `there is no engine "axolotl"`},
		"method":     {func(o *Options) { o.Method = "sft" }, `there is no method "sft"`},
		"no model":   {func(o *Options) { o.Model = "" }, "needs a model"},
		"no pairs":   {func(o *Options) { o.Method = DPO }, "no pairs"},
		"verl dpo":   {func(o *Options) { o.Engine, o.Method, o.Pairs = Verl, DPO, "p" }, "verl has no preference training"},
		"prime dpo":  {func(o *Options) { o.Engine, o.Method, o.Pairs = PrimeRL, DPO, "p" }, "prime-rl has no preference training"},
		"line":       {func(o *Options) { o.Model = "m\n- evil" }, "control character"},
		"name":       {func(o *Options) { o.Name = "a:b" }, "no name of an adapter"},
		"flag":       {func(o *Options) { o.Name = "--lora" }, "no name of an adapter"},
		"group":      {func(o *Options) { o.Group = 1 }, "no advantages"},
		"micro":      {func(o *Options) { o.Micro = 3 }, "does not divide"},
		"micro dpo":  {func(o *Options) { o.Method, o.Pairs, o.Micro = DPO, "p", 3 }, "does not divide"},
		"context":    {func(o *Options) { o.Context = 2048 }, "leaves no room"},
		"less steps": {func(o *Options) { o.Steps = -1 }, "steps is -1"},
	} {
		t.Run(name, func(t *testing.T) {
			o := good
			c.change(&o)
			_, err := Files(o, Place{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
	if _, err := Files(good, Place{}); err != nil {
		t.Errorf("the zero values do not work: %v", err)
	}
}

func TestWriteGivesFilesThatLieThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "engine")
	for range 2 { // again over what is there
		paths, err := Write(dir, Options{Engine: Verl, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		if len(paths) != 4 {
			t.Errorf("%d files, want 4: %q", len(paths), paths)
		}
		for _, p := range paths {
			if info, err := os.Stat(p); err != nil || info.Size() == 0 {
				t.Errorf("%s: %v", p, err)
			}
		}
	}
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, verlName)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, verlName)); err != nil {
		t.Skip("no symbolic links here")
	}
	if _, err := Write(dir, Options{Engine: Verl, Model: "m"}); err == nil {
		t.Error("a link was written through")
	}
	if data, _ := os.ReadFile(outside); string(data) != "mine" {
		t.Errorf("what a link points to is now %q", data)
	}
}

func TestWriteSparesWhatIsNotItsOwn(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, readmeName)
	if err := os.WriteFile(mine, []byte("# mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir, Options{Engine: TRL, Model: "m"}); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("into a user's directory: %v", err)
	}
	if text, _ := os.ReadFile(mine); string(text) != "# mine\n" {
		t.Errorf("the user's file is now %q", text)
	}
}

func TestYAMLSaysWhatItWasGiven(t *testing.T) {
	f, err := yamlFile("x", map[string]any{"a": []any{}, "b": map[string]any{}, "no": "no", "k: v": "x: y\n# z",
		"l": []any{1, map[string]any{"c": nil, "d": []string{"e"}}}})
	if err != nil {
		t.Fatal(err)
	}
	want := `a: []
b: {}
"k: v": "x: y\n# z"
l:
  - 1
  - c: null
    d:
      - "e"
"no": "no"
`
	if d := cmp.Diff(want, string(f.Data)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestCommandsAreQuoted(t *testing.T) {
	if got, want := line([]string{"a b", "c'd", "e", "", "$(f)"}), `'a b' 'c'\''d' e '' '$(f)'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
