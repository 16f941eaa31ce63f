package venv_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox/venv"
)

// wheel makes one of a package tiny in a folder and gives a lock file that finds it there.
func wheel(t *testing.T) (lock string) {
	t.Helper()
	if err := exec.Command("python3", "-c", "import venv, ensurepip, sys; assert sys.version_info >= (3, 10)").Run(); err != nil {
		t.Skip("no Python 3.10 with venv and ensurepip here: no environment is made")
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, file := range [][2]string{
		{"tiny.py", "answer = 42\n"},
		{"tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n"},
		{"tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{"tiny-1.0.dist-info/RECORD", "tiny.py,,\ntiny-1.0.dist-info/METADATA,,\ntiny-1.0.dist-info/WHEEL,,\ntiny-1.0.dist-info/RECORD,,\n"},
	} {
		f, err := w.Create(file[0])
		if err == nil {
			_, err = f.Write([]byte(file[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tiny-1.0-py3-none-any.whl"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b.Bytes())
	return fmt.Sprintf("--no-index\n--find-links %s\ntiny==1.0 --hash=sha256:%s\n", dir, hex.EncodeToString(sum[:]))
}

// TestCreate makes an environment, finds it again, and takes it away.
func TestCreate(t *testing.T) {
	lock, s := wheel(t), venv.Store{Dir: filepath.Join(t.TempDir(), "envs")}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	order := venv.Order{Name: "small", Lock: lock, Now: func() time.Time { return at }}
	e, fresh, err := s.Create(t.Context(), order)
	if err != nil || !fresh || e.Made != at || !strings.Contains(strings.Join(e.Packages, " "), "tiny==1.0") ||
		!strings.HasPrefix(e.Python, "3.") {
		t.Fatalf("%v %v %+v", err, fresh, e)
	}
	if s.Python("small") != e.Path || s.Python("other") != "" || s.Python("../envs/small") != "" {
		t.Errorf("%q, not %q", s.Python("small"), e.Path)
	}
	if out, err := exec.Command(e.Path, "-c", "import tiny; print(tiny.answer)").CombinedOutput(); err != nil || string(out) != "42\n" {
		t.Errorf("%v: %s", err, out)
	}
	if again, fresh, err := s.Create(t.Context(), order); err != nil || fresh || again.Path != e.Path {
		t.Errorf("%v %v", err, fresh)
	}
	order.Lock += "# another\n"
	if _, _, err := s.Create(t.Context(), order); err == nil || !strings.Contains(err.Error(), "there is an environment small already") {
		t.Errorf("%v", err)
	}
	if all, err := s.List(); err != nil || len(all) != 1 || all[0].Name != "small" || all[0].Lock != e.Lock {
		t.Errorf("%v %+v", err, all)
	}
	if err := s.Remove("small"); err != nil || s.Python("small") != "" {
		t.Error(err)
	}
	if err := s.Remove("small"); err == nil {
		t.Error("removed twice")
	}
	if left, err := os.ReadDir(s.Dir); err != nil || len(left) > 0 {
		t.Errorf("%v %v", err, left)
	}
}

// TestCreateFails leaves nothing behind, and says why.
func TestCreateFails(t *testing.T) {
	lock := wheel(t)
	for name, c := range map[string]struct {
		order venv.Order
		words string
	}{
		"a package that was changed": {venv.Order{Name: "a", Lock: strings.Replace(lock, "sha256:", "sha256:0000", 1)[:len(lock)] + "\n"}, "HASHES"},
		"no such package":            {venv.Order{Name: "a", Lock: strings.Replace(lock, "tiny==1.0", "tiny==2.0", 1)}, "tiny==2.0"},
		"no hashes":                  {venv.Order{Name: "a", Lock: "tiny==1.0\n"}, "no hashes"},
		"a bad name":                 {venv.Order{Name: "../a", Lock: lock}, "cannot be called"},
		"a Python's name":            {venv.Order{Name: "python3", Lock: lock}, "cannot be called"},
		"no Python":                  {venv.Order{Name: "a", Lock: lock, Python: "no-such-python"}, "no-such-python"},
	} {
		s := venv.Store{Dir: filepath.Join(t.TempDir(), "envs")}
		_, fresh, err := s.Create(t.Context(), c.order)
		var hinted interface{ Hint() string }
		if err == nil || fresh || !strings.Contains(err.Error(), c.words) || !errors.As(err, &hinted) || hinted.Hint() == "" {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(s.Dir); err == nil && len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := venv.Store{Dir: t.TempDir()}
	if _, _, err := s.Create(ctx, venv.Order{Name: "a", Lock: lock, Say: func(string) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, err := os.ReadDir(s.Dir); err != nil || len(left) > 0 {
		t.Errorf("%v %v", err, left)
	}
}

// TestDefault has a hash for every pinned package of the default lock file, and no address.
func TestDefault(t *testing.T) {
	for _, name := range []string{"numpy==", "pandas==", "scipy==", "sympy==", "pytest=="} {
		if !strings.Contains(venv.Default, "\n"+name) {
			t.Errorf("no %s", name)
		}
	}
	joined := strings.ReplaceAll(venv.Default, "\\\n", "")
	for line := range strings.Lines(joined) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "#") && (!strings.Contains(line, "==") || !strings.Contains(line, "--hash=sha256:")) {
			t.Errorf("%q", line)
		}
	}
	if strings.Contains(venv.Default, "://") {
		t.Error("an address stands in it")
	}
}
