package native_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
)

// science is a Python with numpy, pandas and pytest: $DEEPREPO_SCIENCE, or the environment that deeprepo sandbox env create
// makes.
func science(t *testing.T) string {
	t.Helper()
	python := os.Getenv("DEEPREPO_SCIENCE")
	if cache, err := os.UserCacheDir(); python == "" && err == nil {
		python = filepath.Join(cache, "deeprepo", "pythons", "science", "bin", "python")
	}
	if err := exec.Command(python, "-c", "import numpy, pandas, scipy, sympy, pytest").Run(); err != nil {
		t.Skip("no Python with packages here (deeprepo sandbox env create makes one): tasks with numpy and pandas are not judged")
	}
	return python
}

// TestPackages judges tasks in the shapes of EvalPlus, DS-1000 and BigCodeBench: the right program passes, the wrong does not.
func TestPackages(t *testing.T) {
	box(t)
	python := science(t)
	b, err := native.Open(t.Context(), native.Config{Python: python, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	a, err := native.NewAuto(t.Context(), engine, b)
	if err != nil {
		t.Fatal(err)
	}
	// EvalPlus: a function, whose plain answers a judge compares within a tolerance.
	evalPlus := func(body string) sandbox.Program {
		return sandbox.Program{Code: "import numpy as np\n\ndef moving(xs, k):\n    " + body, Entry: "moving",
			Judge: "def near(a, b):\n    return len(a) == len(b) and all(abs(x - y) <= 1e-6 for x, y in zip(a, b))\n",
			Tests: []sandbox.Test{{Name: "1", Code: "assert near(moving([1, 2, 3, 4], 2), [1.5, 2.5, 3.5])"},
				{Name: "2", Code: "assert near(moving([5.0], 1), [5.0])"}}}
	}
	// DS-1000: the answer is put into a context whose result is compared in the same process.
	ds1000 := func(answer string) sandbox.Program {
		return sandbox.Program{Code: "import pandas as pd\nimport numpy as np\ncontext = '''\nimport pandas as pd\nimport numpy as np\n" +
			"df = test_input\n[insert]\n'''\ndef test_execution(solution):\n" +
			"    df = pd.DataFrame({'k': list('abab'), 'v': [1, 2, 3, 4]})\n    env = {'test_input': df.copy()}\n" +
			"    exec(context.replace('[insert]', solution), env)\n" +
			"    pd.testing.assert_frame_equal(env['result'], pd.DataFrame({'k': ['a', 'b'], 'v': [4, 6]}), check_dtype=False)\n" +
			"test_execution(" + quotedPython(answer) + ")\n"}
	}
	// BigCodeBench: a function of several libraries, with a unittest behind it.
	bigCode := func(body string) sandbox.Program {
		return sandbox.Program{Code: "import pandas as pd\nfrom scipy import stats\nimport sympy\n\ndef task_func(rows):\n    " + body +
			"\n\nimport unittest\n\nclass TestCases(unittest.TestCase):\n    def test_mean(self):\n" +
			"        mean, root = task_func([[1, 2], [3, 4]])\n        self.assertAlmostEqual(mean['a'], 2.0)\n" +
			"        self.assertEqual(root, sympy.sqrt(2))\n\n" +
			"suite = unittest.defaultTestLoader.loadTestsFromTestCase(TestCases)\nassert unittest.TextTestRunner().run(suite).wasSuccessful()\n"}
	}
	// pytest itself, on a file that the program writes.
	pytest := func(assertion string) sandbox.Program {
		return sandbox.Program{Code: "import pytest\nopen('test_it.py', 'w').write('import numpy as np\\ndef test_it():\\n" +
			"    assert " + assertion + "\\n')\nassert pytest.main(['-q', '-p', 'no:cacheprovider', 'test_it.py']) == 0\n"}
	}
	for name, c := range map[string]struct {
		program sandbox.Program
		want    sandbox.Verdict
	}{
		"EvalPlus, right":     {evalPlus("return np.convolve(xs, np.ones(k) / k, 'valid').tolist()"), sandbox.Passed},
		"EvalPlus, wrong":     {evalPlus("return np.convolve(xs, np.ones(k), 'valid').tolist()"), sandbox.Failed},
		"EvalPlus, endless":   {evalPlus("while True: np.ones(10)"), sandbox.Timeout},
		"DS-1000, right":      {ds1000("result = df.groupby('k', as_index=False)['v'].sum()"), sandbox.Passed},
		"DS-1000, wrong":      {ds1000("result = df.groupby('k', as_index=False)['v'].mean()"), sandbox.Failed},
		"BigCodeBench, right": {bigCode("return pd.DataFrame(rows, columns=['a', 'b']).mean(), sympy.sqrt(2)"), sandbox.Passed},
		"BigCodeBench, wrong": {bigCode("return pd.DataFrame(rows, columns=['a', 'b']).median() + 1, sympy.sqrt(2)"), sandbox.Failed},
		"pytest, right":       {pytest("np.arange(3).sum() == 3"), sandbox.Passed},
		"pytest, wrong":       {pytest("np.arange(3).sum() == 4"), sandbox.Failed},
		"the environment":     {sandbox.Program{Code: "import numpy, os\nopen(os.path.dirname(numpy.__file__) + '/x', 'w')"}, sandbox.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			c.program.Limits = sandbox.Limits{Wall: time.Minute, MemoryBytes: 1 << 30}
			if c.want == sandbox.Timeout {
				c.program.Limits.Wall = 3 * time.Second
			}
			j := judged(t, a, c.program)
			if j.Verdict != c.want || j.Backend != sandbox.Native {
				t.Errorf("%s by %q: %+v\n%s%s", j.Verdict, j.Backend, j.Error, cut(j.Stdout), cut(j.Stderr))
			}
			if name == "the environment" && !strings.Contains(j.Error.Message, "Read-only file system") {
				t.Errorf("%+v", j.Error)
			}
		})
	}
}

func quotedPython(s string) string { return `"""` + s + `"""` }
