package nano_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/nano"
)

// TestProviderInEightBits: a name's end has the weights rounded, and the adapter, which is not, computed beside them.
func TestProviderInEightBits(t *testing.T) {
	dir := t.TempDir()
	store(t, dir, true)
	provider := nano.NewProvider(nano.ProviderConfig{Sampler: nano.SamplerConfig{Cores: 2}})
	defer provider.Close()
	m, tok, _, err := checkpoint.ReadModel(os.DirFS(filepath.Join(dir, "base")))
	if err != nil {
		t.Fatal(err)
	}
	a, err := checkpoint.ReadAdapter(os.DirFS(filepath.Join(dir, "adapter")), m)
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]nano.Policy{
		dir + "@int8":                        {Model: m.InEightBits(), Tokenizer: tok, Adapter: a},
		filepath.Join(dir, "base") + "@int8": {Model: m.InEightBits(), Tokenizer: tok},
		filepath.Join(dir, "base") + ":" + filepath.Join(dir, "adapter") + "@int8": {Model: m, Compute: m.InEightBits(), Tokenizer: tok, Adapter: a},
	} {
		s := nano.NewSampler(p, nano.SamplerConfig{Cores: 1})
		seed := int64(3)
		want := says(t, s.Open(nano.Conversation{Temperature: nano.DefaultTemperature}), &seed)
		s.Close()
		h, err := provider.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := says(t, h, &seed); got != want {
			t.Errorf("%s says %s, not %s", name, got, want)
		}
	}
	if _, err := provider.Policy(dir + "@int8"); err == nil || !strings.Contains(hint.Of(err), "--weights int8") {
		t.Errorf("it is given for further training: %v", err)
	}
}

// TestAWrittenPolicyKeepsItsTemplate: what was trained is asked as its base was.
func TestAWrittenPolicyKeepsItsTemplate(t *testing.T) {
	provider := nano.NewProvider(nano.ProviderConfig{})
	p, err := provider.Policy(chattingFile(t, template, nil))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := p.Write(dir, nil); err != nil {
		t.Fatal(err)
	}
	got, err := provider.Policy(dir)
	if err != nil || got.Template != template {
		t.Errorf("template %q, %v", got.Template, err)
	}
}
