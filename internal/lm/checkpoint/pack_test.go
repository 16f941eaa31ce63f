package checkpoint

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/google/go-cmp/cmp"
)

// packed is a model and an adapter of it, each in one piece.
func packed(t testing.TB) (model, adapter []byte) {
	t.Helper()
	m, tok := tiny(t)
	model, err := PackModel(m, tok)
	if err != nil {
		t.Fatal(err)
	}
	if adapter, err = PackAdapter(tinyAdapter(m), m); err != nil {
		t.Fatal(err)
	}
	return model, adapter
}

func TestPacks(t *testing.T) {
	m, tok := tiny(t)
	model, adapter := packed(t)
	if again, other := packed(t); !bytes.Equal(again, model) || !bytes.Equal(other, adapter) {
		t.Error("the same weights have other bytes")
	}
	got, gotTok, err := UnpackModel(model)
	if err != nil {
		t.Fatal(err)
	}
	if got.Config != m.Config || Fingerprint(got) != Fingerprint(m) || !slices.Equal(gotTok.Encode("for p"), tok.Encode("for p")) {
		t.Errorf("another model: %+v", got.Config)
	}
	a, err := UnpackAdapter(adapter, got)
	if err != nil {
		t.Fatal(err)
	}
	want := tinyAdapter(m)
	if diff := cmp.Diff(want.Params(), a.Params()); diff != "" || a.Alpha != want.Alpha || a.Rank != want.Rank {
		t.Error(diff)
	}
	if Fingerprint(got.Merge(a)) != Fingerprint(m.Merge(want)) {
		t.Error("merged they differ")
	}
	if _, err := UnpackAdapter(adapter, transformer.New(m.Config, 9)); err == nil || !strings.Contains(err.Error(), "another model") {
		t.Errorf("an adapter of another model: %v", err)
	}
	if _, err := PackAdapter(want, transformer.New(transformer.Config{}, 1)); err == nil {
		t.Error("an adapter of another shape was packed")
	}
}

func TestPacksRefused(t *testing.T) {
	model, adapter := packed(t)
	var compressed bytes.Buffer
	z := zip.NewWriter(&compressed)
	for _, name := range []string{configName, tokenizerName, weightsName} {
		w, err := z.Create(name) // deflated
		if err == nil {
			_, err = w.Write([]byte("{}"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":    {nil, "no packed model"},
		"cut":        {model[:len(model)-100], "no packed model"},
		"an adapter": {adapter, configName},
		"compressed": {compressed.Bytes(), "compressed"},
		"a bit":      {bytes.Replace(model, []byte(`"hidden_size": 16`), []byte(`"hidden_size": 32`), 1), "checksum"},
	} {
		if _, _, err := UnpackModel(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	model, adapter := packed(f)
	f.Add(model)
	f.Add(adapter)
	base, _ := tiny(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, tok, err := UnpackModel(data); err == nil {
			if _, err := PackModel(m, tok); err != nil {
				t.Errorf("what was read cannot be written: %v", err)
			}
		}
		if a, err := UnpackAdapter(data, base); err == nil {
			if _, err := PackAdapter(a, base); err != nil {
				t.Errorf("what was read cannot be written: %v", err)
			}
		}
	})
}
