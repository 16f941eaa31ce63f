package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// build is what the program knows of how it was built. Commit and Time are "" where the build recorded none.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Time     string `json:"time"`     // of the commit, RFC 3339
	Modified bool   `json:"modified"` // built from a work tree that differs from the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func readBuild(info *debug.BuildInfo) build {
	b := build{Version: "0.1.0-dev", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func thisBuild() build {
	info, _ := debug.ReadBuildInfo()
	return readBuild(info)
}

func version() string { return thisBuild().Version }

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Version, commit, Go and platform of this program",
		Long: `Print what this program was built from: its version, the commit, the Go release and the platform. Include it when you
report a problem. A build outside version control has no commit and prints unknown.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			commit := cmp.Or(b.Commit, "unknown")
			if b.Time != "" {
				commit += " of " + b.Time
			}
			if b.Modified {
				commit += ", with changes"
			}
			return a.print(b, func(w io.Writer) error {
				t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
				fmt.Fprintf(t, "deeprepo\t%s\ncommit\t%s\ngo\t%s\nplatform\t%s\n", b.Version, commit, b.Go, b.Platform)
				return t.Flush()
			})
		},
	}
}
