package e2e

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/cli"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

var screenshots = flag.String("screenshots", "", "directory that gets pictures of the pages")

// asProgram has the test binary be deeprepo.
const asProgram = "DEEPREPO_E2E_AS_PROGRAM"

// world is where all tests' runs lie; made once, since making some takes seconds.
var world string

func TestMain(m *testing.M) {
	runtest.Worker() // of the program, which hands on no environment
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
	}
	flag.Parse()
	os.Exit(inWorld(m))
}

func inWorld(m *testing.M) int {
	var err error
	if world, err = os.MkdirTemp("", "deeprepo-e2e-"); err == nil {
		world, err = filepath.EvalSymlinks(world)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(world)
	defer closeBrowser()
	return m.Run()
}

// deeprepo is a command of the program, in a directory, with more environment. It knows none of the user's keys.
func deeprepo(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	own, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cmd := exec.CommandContext(ctx, own, args...)
	cmd.Dir = dir
	cmd.Env = append([]string{
		asProgram + "=1", "HOME=" + world, "PATH=" + os.Getenv("PATH"), "DEEPREPO_CACHE=" + filepath.Join(cache, "deeprepo"), "NO_COLOR=1", "TZ=UTC",
		"SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "GOGC=" + os.Getenv("GOGC"), // as .ci/run wants it
	}, env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// must runs a command to its end. Exit code 1 is an answer, not a failure.
func must(t testing.TB, dir string, env []string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := deeprepo(ctx, dir, env, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("deeprepo %v: %v\n%s", args, err, said.String())
	}
	return out.String()
}
