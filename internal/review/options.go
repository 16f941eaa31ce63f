package review

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

// Strategies of Options.Strategy.
const (
	StrategyAuto   = "auto"   // one call when the codebase fits one comfortably, else the recursion
	StrategyRLM    = "rlm"    // the recursion
	StrategySingle = "single" // one call
)

// Defaults of Options.
const (
	DefaultTurns       = 20
	DefaultConcurrency = 8
)

// Options say what is to be reviewed and how. They are saved in run.json: a resumed run uses them again.
type Options struct {
	Path   string `json:"path"`             // directory or repository; made absolute
	Commit string `json:"commit,omitempty"` // Defaults to the work tree
	// Base narrows the review to what has changed since it branched off this commit, or to what differs from the directory of
	// this absolute path. Since is what the user called it.
	Base         string   `json:"base,omitempty"`
	Since        string   `json:"since,omitempty"`
	Change       string   `json:"change,omitempty"` // what its readers are told of the change
	Include      []string `json:"include,omitempty"`
	Exclude      []string `json:"exclude,omitempty"`
	MaxFileBytes int64    `json:"max_file_bytes,omitempty"` // Defaults to codebase's own
	Out          string   `json:"-"`                        // the run's directory

	Root     string     `json:"root"`
	Worker   string     `json:"worker"`
	Strategy string     `json:"strategy"` // Defaults to auto
	Preset   rlm.Preset `json:"preset"`

	MaxTurns    int           `json:"max_turns,omitempty"`   // Defaults to DefaultTurns
	MaxDepth    int           `json:"max_depth,omitempty"`   // Defaults to 0, no children
	Concurrency int           `json:"concurrency,omitempty"` // Defaults to DefaultConcurrency
	CellWall    time.Duration `json:"cell_wall_ns,omitempty"`
	Budget      *money.USD    `json:"budget_pico_usd,omitempty"` // Defaults to no cap
	Coverage    float64       `json:"coverage,omitempty"`        // wanted share; 0 asks nothing
	GateMode    rlm.GateMode  `json:"gate,omitempty"`            // what happens below it
	NoRedact    bool          `json:"no_redact,omitempty"`
	NoCache     bool          `json:"no_cache,omitempty"`

	// Verify has a second worker try to refute each finding.
	Verify bool `json:"verify,omitempty"`
	// Verifier is that worker. Defaults to the worker, or the root where only that is a language model.
	Verifier string `json:"verifier,omitempty"`

	SuppressFile string `json:"suppress_file,omitempty"` // Defaults to .deeprepo-suppress in the codebase
	// SkipRules switches static rules off, as [report.ParseSkippedRules] reads it.
	SkipRules      []string `json:"skip_rules,omitempty"`
	BaselineReport string   `json:"baseline_report,omitempty"` // an older report.json; only what is new is reported
}

func (o Options) withDefaults() (Options, error) {
	if o.Path == "" {
		return o, hint.Wrap(fmt.Errorf("no PATH given"), "deeprepo analyze .")
	}
	if !strings.Contains(o.Path, "://") {
		abs, err := filepath.Abs(o.Path)
		if err != nil {
			return o, fmt.Errorf("path %q: %w", o.Path, err)
		}
		o.Path = abs
	}
	switch o.Strategy {
	case "":
		o.Strategy = StrategyAuto
	case StrategyAuto, StrategyRLM, StrategySingle:
	default:
		return o, hint.Wrap(fmt.Errorf("no strategy %q", o.Strategy), "use auto, rlm or single")
	}
	if o.Preset.Root == "" {
		preset, err := rlm.BuiltinPreset("code")
		if err != nil {
			return o, err
		}
		o.Preset = preset
	}
	if _, err := report.ParseSkippedRules(o.SkipRules); err != nil {
		return o, fmt.Errorf("--skip-rules %w", err)
	}
	o.Concurrency = cmp.Or(o.Concurrency, DefaultConcurrency)
	o.MaxTurns = cmp.Or(o.MaxTurns, DefaultTurns)
	return o, nil
}
