package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	runtest.Worker()
	if os.Getenv("DEEPREPO_TEST_AS_PROGRAM") != "" { // program_test.go starts this binary, and kills it
		os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
	}
	if filepath.Base(os.Args[0]) != "deeprepo" { // as which scripts start this binary
		os.Setenv("XDG_CONFIG_HOME", filepath.Join(os.TempDir(), "deeprepo-nobody")) // not the configuration of who runs the tests
	}
	testscript.Main(m, map[string]func(){
		"deeprepo": func() { os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// cacheDir is shared by all tests, so that the interpreter is compiled once.
func cacheDir(t testing.TB) string {
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(base, "deeprepo")
}

func TestScripts(t *testing.T) {
	cache := cacheDir(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("DEEPREPO_CACHE", cache)
			e.Setenv("NO_COLOR", "1")
			e.Setenv("GOGC", os.Getenv("GOGC")) // as .ci/run wants it
			srv := llmtest.NewServer(nil, llmtest.Options{Reply: codeModel(0)})
			e.Defer(srv.Close)
			e.Setenv("FAKE_MODELS", srv.URL+"/v1") // for provider local
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exitcode": wantExit, "fill": fill, "samerewards": sameRewards,
			"newpolicy": newPolicy},
	})
}

// wantExit runs "exitcode N command args...": the command must end with exit code N.
func wantExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode N command args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = err.Error()[len("exit status "):]
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}
