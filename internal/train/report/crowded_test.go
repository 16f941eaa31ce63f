package report

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/train"
)

// A summary is read for other people's trainings, too: its bytes alone do not say how much memory it takes.
func TestASummaryOfTooManyValuesIsRefused(t *testing.T) {
	dir := t.TempDir()
	text := `{"schema":1,"method":"grpo","progression":[` + strings.Repeat("{},", bounded.Values+1) + `{}]}`
	if err := os.WriteFile(filepath.Join(dir, train.SummaryName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Read(dir)
	var crowded *bounded.CrowdedError
	if !errors.As(err, &crowded) {
		t.Errorf("error %v", err)
	}
}
