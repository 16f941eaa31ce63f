package simulation_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
)

// ordinary is a scenario in which nothing goes wrong: a few files, a root that has all of them read and answers.
func ordinary() scenario {
	s := scenario{
		seed: 1, files: map[string]string{}, schema: true, sticky: true, plain: true, cells: readAndAnswer(), faults: []fault{none},
		price: &llm.Price{Input: money.Dollar, Output: 4 * money.Dollar},
		options: review.Options{Root: "paid/root", Worker: "paid/worker", Strategy: review.StrategyRLM, NoCache: true, MaxTurns: 4,
			Concurrency: 2},
	}
	for i := range 5 {
		s.files[fmt.Sprintf("pkg/mod%d.py", i)] = fmt.Sprintf("first_%d = 1\nsecond_%d = 2  # BUG\nthird_%d = 3\n", i, i, i)
	}
	return s
}

// TestSimulationFound plays each kind of defect that was found once, by hand or by the seeds. All promises hold in each.
func TestSimulationFound(t *testing.T) {
	kills := func(n int) (breaks []breakage) {
		for i := range n {
			breaks = append(breaks, breakage{cut: 0.4 + 0.1*float64(i), torn: i%2 == 0})
		}
		return breaks
	}
	const fine = "one_line = 1  # BUG\ntwo_lines = 2\nthree_lines = 3\n"
	for name, change := range map[string]func(*scenario){
		"NothingGoesWrong": func(s *scenario) { s.breaks = kills(4) },
		"MoneyAcrossFourInterruptions": func(s *scenario) {
			s.faults, s.sticky, s.breaks = []fault{none, lostConnection, slow}, false, kills(4)
			s.options.Budget = new(money.Dollar / 8)
		},
		"MoneyAcrossInterruptionsByTheUser": func(s *scenario) {
			s.faults, s.sticky = []fault{none, emptyError, slow}, false
			s.options.Budget = new(money.Dollar / 8)
			s.breaks = []breakage{{cut: 0.3, cancel: 2}, {cut: 1, cancel: 1}, {cut: 1, cancel: 3}, {cut: 1}}
		},
		"VerificationIsPaidFromTheSameBudget": func(s *scenario) {
			s.options.Verify, s.options.Budget, s.breaks = true, new(money.Dollar/9), kills(2)
			s.breaks[1].more = true
		},
		"KilledTwiceWhileVerifyingAfterOneCall": func(s *scenario) {
			s.options.Strategy, s.options.Verify, s.options.Concurrency, s.faults = review.StrategySingle, true, 1, []fault{none}
			s.breaks = []breakage{{cut: 0.6}, {cut: 1}}
		},
		"ChildrenArePaidFromTheSameBudget": func(s *scenario) {
			s.options.MaxDepth, s.options.Budget, s.plain, s.breaks = 1, new(money.Dollar/6), false, kills(2)
			s.cells = []string{"```python\nprint(rlm_batch(['TASK 1', 'TASK 2', 'TASK 3']))\n```", readAndAnswer()[0], readAndAnswer()[1]}
		},
		"CallsThatCostWhatIsReserved": func(s *scenario) {
			s.long, s.options.Budget, s.breaks = true, new(money.Dollar/9), kills(2)
		},
		"AnOverchargeEndsTheSpending": func(s *scenario) {
			s.faults, s.options.Budget, s.options.Concurrency = []fault{overcharge}, new(money.Dollar/8), 1
			s.breaks = kills(1)
		},
		"TokensBeyondCounting": func(s *scenario) { s.faults, s.breaks = []fault{absurdUsage}, kills(2) },
		"TokensBeyondCountingWithinABudget": func(s *scenario) {
			s.faults, s.options.Budget, s.breaks = []fault{none, absurdUsage}, new(money.Dollar), kills(2)
		},
		"TokensBelowZero": func(s *scenario) {
			s.faults, s.options.Budget, s.breaks = []fault{negativeUsage}, new(money.Dollar), kills(2)
		},
		"NoTokensAtAll": func(s *scenario) {
			s.faults, s.options.Budget, s.breaks = []fault{noUsage}, new(money.Dollar), kills(2)
		},
		"StoppedBeforeItCameToWhatItHadPaidFor": func(s *scenario) {
			batch, _ := strings.CutSuffix(s.cells[0], "\n```")
			s.cells = []string{strings.Replace(batch, "r = llm", "for _ in range(3): r = llm", 1) + "\nset_answer('# Report')\n```"}
			s.faults, s.options.Concurrency, s.breaks = []fault{emptyReply}, 1, []breakage{{cut: 0.85, cancel: 1}}
		},
		"StoppedBeforeItCameToRepliesThatItHad": func(s *scenario) {
			s.cells = []string{"```python\nfor p in codebase: llm_query('=== FILE: ' + p + ' ===\\n' + codebase[p])\nset_answer('# Report')\n```"}
			s.seed, s.faults, s.sticky, s.options.Concurrency = 1, []fault{none, badRequest}, false, 1
			s.breaks = []breakage{{cut: 0.85, cancel: 1}}
		},
		"OfTheWrongShape":       func(s *scenario) { s.faults, s.breaks = []fault{none, wrongJSON}, kills(1) },
		"NullAndNestsOfBracket": func(s *scenario) { s.faults, s.schema = []fault{wrongJSON}, false },
		"AClientThatPanics":     func(s *scenario) { s.faults, s.breaks = []fault{none, panics}, kills(2) },
		"AClientThatPanicsWithinABudget": func(s *scenario) {
			s.faults, s.long, s.options.Budget, s.sticky = []fault{none, panics}, true, new(money.Dollar/15), false
			s.breaks = kills(4)
		},
		"ARootsClientThatPanics": func(s *scenario) {
			s.faults, s.rootBad, s.breaks = []fault{panics}, 100, kills(1)
		},
		"RetryAfterBeyondPatience": func(s *scenario) { s.faults, s.breaks = []fault{none, rateLimitedLong}, kills(1) },
		"TheRootIsUnauthorized":    func(s *scenario) { s.faults, s.rootBad = []fault{unauthorized}, 100 },
		"TheRootsModelIsUnknown":   func(s *scenario) { s.faults, s.rootBad = []fault{notFound}, 100 },
		"NoMoneyForOneCall":        func(s *scenario) { s.options.Budget = new(money.USD(1)) },
		"ControlCharactersInNames": func(s *scenario) {
			s.hostile = true
			s.files = map[string]string{"e\x1b[31m\x07.py": fine, "new\nline.py": fine + "x = 1\n", "\u202eyp.py": fine + "y = 1\n",
				"\xff\xfe.py": fine + "z = 1\n"}
			s.options.Verify = true
		},
		"MarkupInNamesAndLines": func(s *scenario) {
			s.hostile = true
			s.files = map[string]string{markup + ".py": fine + markup + " # BUG\n", "`x` [a](b)|c.py": "```\n" + fine + markup + " BUG\n"}
			s.options.Verify = true
			s.cells = []string{readAndAnswer()[0], "```python\nset_answer('''# A\n\n" + markup + "\n\n[x](javascript:alert(1))\n\n" +
				"<a href=\"javascript:alert(1)\">x</a>\n''')\n```"}
		},
		"IgnoreFilesWithoutSense": func(s *scenario) {
			s.hostile = true
			s.files[".gitignore"], s.files[".deeprepoignore"] = strings.Repeat("*?", 400)+"a\n[\n", strings.Repeat("**/", 500)+"x\n"
			s.files[strings.Repeat("a", 200)+".py"] = fine
		},
		"EverythingIsIgnored":   func(s *scenario) { s.hostile, s.files[".gitignore"] = true, "*\n" },
		"MarkedAsGenerated":     func(s *scenario) { s.hostile, s.files[".gitattributes"] = true, "* linguist-generated=true\n" },
		"APipeAmongTheFiles":    func(s *scenario) { s.hostile, s.fifo = true, true },
		"NoFiles":               func(s *scenario) { s.hostile, s.files = true, map[string]string{"empty.py": ""} },
		"GitAsksForACommand":    func(s *scenario) { hostileGit(s) },
		"SuppressionsOfNothing": func(s *scenario) { s.hostile, s.files[".deeprepo-suppress"] = true, "\x00\x1b[31m"+markup+"\n" },
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := ordinary(), t.TempDir()
			change(&s)
			for _, w := range play(t.Context(), s, dir, t.Logf) {
				t.Error(w)
			}
			if _, err := os.Stat(filepath.Join(dir, "repo", "owned")); err == nil {
				t.Error("a command out of the repository was run")
			}
		})
	}
}

// hostileGit makes the repository one whose git configuration names commands.
func hostileGit(s *scenario) {
	s.hostile = true
	s.files[".git/HEAD"], s.files[".git/objects/info/x"] = "ref: refs/heads/main\n", ""
	s.files[".git/refs/heads/main"] = strings.Repeat("0", 40) + "\n"
	s.files[".git/config"] = "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = touch owned; false\n\tsshCommand = touch owned\n" +
		"\thooksPath = .\n[filter \"x\"]\n\tclean = touch owned\n\tsmudge = touch owned\n"
	s.files[".gitattributes"] = "* filter=x\n"
}
