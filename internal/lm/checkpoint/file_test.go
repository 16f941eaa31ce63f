package checkpoint

import (
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
)

// TestReplaceIsAtomic: while a file is written the old one stands, and it stands when writing fails.
func TestReplaceIsAtomic(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	path := filepath.Join(dir, "x")
	content := func() string {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	put := func(text string, failure error) error {
		return replace(root, "x", func(w io.Writer) error {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
			if text != "old" && content() != "old" {
				t.Errorf("half written: %q", content())
			}
			return failure
		})
	}
	if err := put("old", nil); err != nil {
		t.Fatal(err)
	}
	failure := errors.New("no room")
	if err := put("never", failure); !errors.Is(err, failure) || content() != "old" {
		t.Errorf("error %v, the file holds %q", err, content())
	}
	if err := os.WriteFile(filepath.Join(dir, ".x-killed"), []byte("half"), 0o600); err != nil { // as kill -9 leaves it
		t.Fatal(err)
	}
	if err := put("new", nil); err != nil || content() != "new" {
		t.Errorf("error %v, the file holds %q", err, content())
	}
	if left := files(t, dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// TestModelIsReplacedInAnOrderThatIsSeen: a write that stops between the tokenizer and the weights is detected when it
// is read.
func TestModelIsReplacedInAnOrderThatIsSeen(t *testing.T) {
	f := modelFiles(t)
	m, _ := tiny(t)
	tok, err := bpe.Train([]string{strings.Repeat("while x[y]:\n\tx = x[y + 1]\n\tz(x, y)\n", 5)}, 268,
		[]string{viewToken, cellToken, endToken})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	weights := filepath.Join(dir, weightsName)
	if err := os.Mkdir(weights, 0o755); err != nil { // what cannot be replaced
		t.Fatal(err)
	}
	if err := WriteModel(dir, m, tok, nil); err == nil || !strings.Contains(err.Error(), "write model.safetensors") {
		t.Fatalf("error %v", err)
	}
	if err := os.Remove(weights); err != nil {
		t.Fatal(err)
	}
	maps.Copy(f, files(t, dir)) // the old weights beside the new tokenizer
	_, _, _, err = ReadModel(f)
	bad{want: "tokenizer.json is not the one"}.check(t, err)
}
