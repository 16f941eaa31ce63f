package review

import (
	"context"

	"github.com/deeprepo/deeprepo/internal/rlm"
)

// BaselineChars is how much source one call is given at most, as in the reference (180,000 characters).
const BaselineChars = rlm.SingleChars

// Baseline asks one model once: as many files as fit one prompt, no REPL. The recursion is compared with it.
func Baseline(ctx context.Context, o Options, env Env) (Outcome, error) {
	env = env.withDefaults()
	o.Strategy = StrategySingle
	o, err := o.withDefaults()
	if err != nil {
		return Outcome{}, err
	}
	o.Worker = o.Root
	code, err := load(ctx, o, env)
	if err != nil {
		return Outcome{}, err
	}
	root, _, err := env.check(o)
	if err != nil {
		return Outcome{}, err
	}
	return begin(ctx, "baseline", o, subject{code: code}, prices(root), env)
}
