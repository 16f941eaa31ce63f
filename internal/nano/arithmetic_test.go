package nano_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/tensor"
	"github.com/deeprepo/deeprepo/internal/nano"
)

// TestArithmetic asks processes that compute with other kernels.
func TestArithmetic(t *testing.T) {
	const child = "DEEPREPO_TEST_ARITHMETIC"
	if os.Getenv(child) != "" {
		t.Log("arithmetic:", nano.Arithmetic())
		return
	}
	with := func(kernel string) string {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestArithmetic$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1", tensor.KernelVar+"="+kernel)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		_, rest, _ := strings.Cut(string(out), "arithmetic: ")
		line, _, _ := strings.Cut(rest, "\n")
		return line
	}
	usual, plain := with(""), with("portable")
	if here := nano.Arithmetic(); here != usual && here != plain || len(here) != 16 {
		t.Errorf("this process has %s, others on this machine %s and %s", here, usual, plain)
	}
	for _, fused := range []string{"avx512", "avx2", "neon"} { // one that the processor lacks is the usual one
		if got := with(fused); got != usual {
			t.Errorf("%s has %s, not %s", fused, got, usual)
		}
	}
	if (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") && plain == usual {
		t.Error("plain Go cannot be told from fused multiply-add")
	}
}
