package opinion

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Programs judges programs. *sandbox.Engine satisfies it.
type Programs interface {
	Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error)
}

// checkRequest asks a verifier for a check, where the finding's function can run on its own.
const checkRequest = `
The function %s can be run on its own. You may give, in ` + "`test`" + `, a short Python program that calls %s with plain data and runs
to its end if and only if the defect is there: assert what the defect makes of it. Else leave ` + "`test`" + ` empty.
`

// standIns are functions that do nothing: a check that passes with one of them shows nothing about the function that it
// is meant for.
var standIns = []string{
	"def %s(*args, **kwargs):\n    return None\n",
	"def %s(*args, **kwargs):\n    raise RuntimeError('stand-in')\n",
}

// demonstrate runs a verifier's check against the function that the finding is about, as it is in the codebase. It
// gives nil unless the check passes with that function and fails with every stand-in. Neither program is trusted: both
// run in the sandbox, the function apart from the check, which sees plain data only.
func (o *Opinions) demonstrate(ctx context.Context, f finding.Finding, check string) *runfile.Execution {
	if o.programs == nil || strings.TrimSpace(check) == "" {
		return nil
	}
	d, source, ok := o.base.Contained(ctx, f.File, f.Line)
	if !ok || !regexp.MustCompile(`\b`+regexp.QuoteMeta(d.Name)+`\s*\(`).MatchString(check) {
		return nil
	}
	passes := func(code string) bool {
		j, err := o.programs.Exec(ctx, sandbox.Program{Code: code, Entry: d.Name, Tests: []sandbox.Test{{Name: "check", Code: check}}})
		return err == nil && j.Verdict == sandbox.Passed
	}
	if !passes(source) {
		return nil
	}
	for _, stub := range standIns {
		j, err := o.programs.Exec(ctx, sandbox.Program{Code: fmt.Sprintf(stub, d.Name), Entry: d.Name,
			Tests: []sandbox.Test{{Name: "check", Code: check}}})
		if err != nil || j.Verdict != sandbox.Failed {
			return nil // also where nothing was found out
		}
	}
	return &runfile.Execution{Function: d.Name, File: f.File, Line: d.Line, Check: check}
}
