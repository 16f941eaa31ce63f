package cli

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// start holds what init writes. DEEPREPO_REF in it stands for this program's release.
//
//go:embed start
var start embed.FS

// starting are the files that init writes, what each is written from, and what it is for.
var starting = []struct{ name, from, what string }{
	{configName, "deeprepo.toml", "settings"},
	{".github/workflows/deeprepo.yml", "github.yml", "a GitHub workflow"},
	{".pre-commit-config.yaml", "pre-commit.yaml", "a hook for pre-commit"},
	{".gitlab-ci.yml", "gitlab.yml", "a GitLab pipeline"},
}

// initialised is what became of one file.
type initialised struct {
	File  string `json:"file"`
	State string `json:"state"` // written, exists or left out
}

func (a *app) initCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write settings, and files for GitHub, GitLab and pre-commit",
		Long: `Write deeprepo.toml, a GitHub workflow, a pre-commit hook and a GitLab pipeline into DIR, a repository's top directory; without
DIR into the current one. No file that exists is changed. On a terminal each file is asked about.`,
		Example: `  deeprepo init
  deeprepo init ~/src/app --yes`,
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: completeDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted := func(string) bool { return true }
			if f, ok := cmd.InOrStdin().(*os.File); ok && !yes && !a.json && term.IsTerminal(int(f.Fd())) {
				wanted = asking(f, a.stderr)
			}
			return a.init(strings.Join(args, ""), wanted)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "write all of them and ask nothing")
	return cmd
}

// asking asks about each file; an empty answer is yes, the end of the input no.
func asking(in io.Reader, out io.Writer) func(string) bool {
	lines := bufio.NewScanner(in)
	return func(what string) bool {
		fmt.Fprintf(out, "write %s? [Y/n] ", what)
		if !lines.Scan() {
			return false
		}
		answer := strings.ToLower(strings.TrimSpace(lines.Text()))
		return answer == "" || answer == "y" || answer == "yes"
	}
}

// init writes what is wanted of the files into dir.
func (a *app) init(dir string, wanted func(string) bool) error {
	if dir == "" {
		dir = "."
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return usageError{fmt.Errorf("init: %w", err), "give the top directory of a repository"}
	}
	defer root.Close()
	done := []initialised{}
	for _, s := range starting {
		state := "written"
		_, err := root.Lstat(s.name)
		switch {
		case err == nil:
			state = "exists"
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("init: %w", err)
		case !wanted(s.name + ", " + s.what):
			state = "left out"
		default:
			if err := writeStart(root, s.name, s.from); err != nil {
				return fmt.Errorf("init: %w", err)
			}
		}
		done = append(done, initialised{s.name, state})
	}
	return a.print(map[string]any{"files": done}, func(w io.Writer) error {
		left := false
		for _, d := range done {
			fmt.Fprintf(w, "%-9s %s\n", d.State, d.File)
			left = left || d.State == "exists"
		}
		if left {
			fmt.Fprintln(w, "\nWhat exists was not changed: docs/ci.md says what to add to it.")
		}
		fmt.Fprintln(w, "\nnext: deeprepo analyze")
		return nil
	})
}

// released is the form of a release's version.
var released = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// startText is the text of a file, for this program's release, or the main branch where it is none.
func startText(from, version string) (string, error) {
	text, err := start.ReadFile(path.Join("start", from))
	if !released.MatchString(version) {
		version = "main"
	}
	return strings.ReplaceAll(string(text), "DEEPREPO_REF", version), err
}

func writeStart(root *os.Root, name, from string) error {
	text, err := startText(from, version())
	if err != nil {
		return err
	}
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
