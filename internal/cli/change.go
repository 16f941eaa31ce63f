package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/spf13/cobra"
)

// changeFlags narrow a review to a change.
type changeFlags struct{ base, head string }

func (c *changeFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.base, "base", "", "review what changed since the work tree, or --head, branched off this commit; or, if it\n"+
		"begins with . or /, what differs from this directory")
	cmd.Flags().StringVar(&c.head, "head", "", "with --base: the commit with the change (default: the work tree; HEAD of a bare repository)")
}

func failOnNewFlag(cmd *cobra.Command, severity *string) {
	cmd.Flags().StringVar(severity, "fail-on-new", "", "with --base: exit code 1 when the change brings in a finding at least this severe")
	complete(cmd, "fail-on-new", taxonomy.Severities()...)
}

// apply sets a review's options.
func (c changeFlags) apply(o review.Options, exit exitFlags) (review.Options, error) {
	switch {
	case c.base == "" && c.head != "":
		return o, usageError{errors.New("--head needs --base"), "--commit " + c.head + " reviews that commit whole"}
	case c.head != "" && o.Commit != "":
		return o, usageError{errors.New("--head and --commit contradict each other"), "--head is enough"}
	case c.base == "" && exit.failOnNew != "":
		return o, usageError{errors.New("--fail-on-new needs --base"), "--base main says what it is new against; --fail-on counts all findings"}
	case strings.HasPrefix(c.base, "-") || strings.HasPrefix(c.head, "-"):
		return o, usageError{errors.New("a commit does not begin with a dash"), "deeprepo analyze . --base main"}
	}
	if o.Base = c.base; strings.HasPrefix(c.base, ".") || filepath.IsAbs(c.base) { // no commit is called so
		dir, err := filepath.Abs(c.base)
		if err == nil {
			_, err = os.Stat(dir)
		}
		if err != nil {
			return o, usageError{fmt.Errorf("--base: %w", err), "name a commit, or the directory of the code before: --base ../before"}
		}
		o.Base = dir
	}
	if c.head != "" {
		o.Commit = c.head
	}
	return o, nil
}

// sayAside says what counts although it is not listed.
func (a *app) sayAside(r runfile.Report) {
	if aside := report.AsideSentence(r); aside != "" {
		fmt.Fprintf(a.stderr, "deeprepo: %s, and count: comments and decisions hold once the base has them, --suppress FILE at once where "+
			"FILE is none of the repository's\n", aside)
	}
}
