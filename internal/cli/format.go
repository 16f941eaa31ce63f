package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/spf13/cobra"
)

// outputFlags choose the forms that a review is printed and written in, and how much is said on the way.
func (a *app) outputFlags(cmd *cobra.Command, formats *[]string) {
	fl := cmd.Flags()
	fl.StringArrayVar(formats, "format", nil, "print this form of the report, not the summary, or write it with FORMAT=FILE; repeatable: "+
		strings.Join(report.Formats(), ", "))
	fl.BoolVarP(&a.quiet, "quiet", "q", false, "print only findings and errors")
	fl.BoolVarP(&a.verbose, "verbose", "v", false, "say of each reply of a model, or of the rules, what was asked and what it cost")
	complete(cmd, "format", report.Formats()...)
	cmd.MarkFlagsMutuallyExclusive("quiet", "verbose")
}

// output is a form of the report, and the file that it is written to; "" for stdout.
type output struct{ format, file string }

// outputs reads --format. It refuses what cannot be written.
func outputs(formats []string) ([]output, error) {
	var all []output
	for _, text := range formats {
		name, file, toFile := strings.Cut(text, "=")
		o := output{name, file}
		advice := "FORMAT or FORMAT=FILE, where FORMAT is " + strings.Join(report.Formats(), ", ")
		switch {
		case !slices.Contains(report.Formats(), name):
			return nil, usageError{fmt.Errorf("--format %q is unknown", name), advice}
		case toFile && file == "":
			return nil, usageError{fmt.Errorf("--format %s names no file", text), advice}
		case slices.ContainsFunc(all, func(other output) bool { return other.file == file }):
			if !toFile {
				return nil, usageError{errors.New("stdout takes one --format"), "write the others to files: --format " + name + "=FILE"}
			}
			return nil, usageError{fmt.Errorf("two forms would be written to %s", file), advice}
		}
		if info, err := os.Stat(filepath.Dir(file)); toFile && (err != nil || !info.IsDir()) {
			return nil, usageError{fmt.Errorf("--format %s: there is no directory %s", name, filepath.Dir(file)), "make it first"}
		}
		all = append(all, o)
	}
	return all, nil
}

// checkOutputs refuses forms that cannot be written, or contradict --json.
func (a *app) checkOutputs(formats []string, dryRun bool) error {
	if dryRun {
		return noFormats(formats, "--dry-run")
	}
	all, err := outputs(formats)
	for _, o := range all {
		if a.json && o.file == "" && o.format != "json" {
			return usageError{fmt.Errorf("--json and --format %s contradict each other", o.format),
				"leave out one of them, or write --format " + o.format + "=FILE"}
		}
	}
	return err
}

// deliver writes a review's report in the forms that were asked for, and prints the summary where none of them went to stdout.
func (a *app) deliver(r runfile.Report, dir string, e exitFlags) error {
	all, err := outputs(e.formats)
	if err != nil {
		return err
	}
	printed := "text"
	for _, o := range all {
		if o.file == "" {
			printed = o.format
		} else if err := replaceFile(o.file, func(w io.Writer) error { return report.Write(w, o.format, r, version()) }); err != nil {
			return fmt.Errorf("--format %s: %w", o.format, err)
		}
	}
	if e.leaveNothing {
		dir = ""
	}
	if printed == "text" {
		return a.summary(r, dir, e.all)
	}
	a.printed = true
	return report.Write(a.stdout, printed, r, version())
}

// noFormats refuses --format with a flag under which there is no one report.
func noFormats(formats []string, flag string) error {
	if len(formats) == 0 {
		return nil
	}
	return usageError{errors.New("--format and " + flag + " contradict each other"), "--format writes the report of one review"}
}

// baselineReport is the older report that a review is compared with: none, before there is one.
func (a *app) baselineReport(name string) string {
	if _, err := os.Stat(name); name == "" || !errors.Is(err, fs.ErrNotExist) {
		return name
	}
	if !a.quiet {
		a.say("no baseline yet: there is no " + name + ", so every finding is new")
	}
	return ""
}
