package codebase

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxDeciders bounds, in bytes, what git says of its files.
const maxDeciders = 256 << 10

// Deciders are the files, beside those of a directory's own tree, that say which files [Load] finds there: git's index and
// configuration, and what its lists leave out. A file that is not there decides, too, once it comes. The paths are absolute;
// the repository is hostile and may name any.
func Deciders(ctx context.Context, path string) ([]string, error) {
	dir, root, g, err := open(path, Options{}.withDefaults(), findGit)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	if strings.ContainsRune(dir, '\n') {
		return nil, errors.New("git's answer cannot be told apart") // its paths stand on lines
	}
	all := []string{filepath.Join(dir, ".git", "info", "exclude")} // for the own walk
	top := ""
	if g.binary != "" {
		all = append(all, usersDeciders()...)
		about, err := g.output(ctx, maxDeciders, "rev-parse", "--show-toplevel", "--git-path", "index", "--git-path", "HEAD",
			"--git-path", "info/exclude", "--git-path", "config", "--git-path", "config.worktree")
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if lines := strings.Split(strings.TrimSpace(about), "\n"); err == nil && len(lines) == 6 {
			top = filepath.FromSlash(lines[0])
			all = append(all, from(dir, lines[1:])...)
			all = append(all, g.configured(ctx, top)...)
		}
	}
	for at := dir; ; at = filepath.Dir(at) {
		// A directory of git's changes with all that is done there; a file leads to one, and what is not there may come.
		if info, err := os.Lstat(filepath.Join(at, ".git")); err != nil || !info.IsDir() {
			all = append(all, filepath.Join(at, ".git"))
		}
		if top != "" {
			all = append(all, filepath.Join(at, ".gitignore"))
		}
		if at == top || at == filepath.Dir(at) {
			break
		}
	}
	for _, name := range all {
		if real, err := filepath.EvalSymlinks(name); err == nil {
			all = append(all, real) // a link stays the same when what it leads to changes
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// usersDeciders are the user's own files of git, by their usual names.
func usersDeciders() []string {
	var all []string
	home, err := os.UserHomeDir()
	if err == nil {
		all = append(all, filepath.Join(home, ".gitconfig"))
	}
	config := os.Getenv("XDG_CONFIG_HOME")
	if config == "" && err == nil {
		config = filepath.Join(home, ".config")
	}
	if filepath.IsAbs(config) {
		all = append(all, filepath.Join(config, "git", "config"), filepath.Join(config, "git", "ignore"))
	}
	return all
}

// configured are the files of git's configuration that are there, and the list of excludes that it names.
func (g gitRepo) configured(ctx context.Context, top string) []string {
	var names []string
	_ = g.records(ctx, func(record []byte) error { // origins and keys by turns
		if name, ok := strings.CutPrefix(string(record), "file:"); ok && len(names) < maxIgnored {
			names = append(names, name)
		}
		return nil
	}, "config", "--list", "--show-origin", "--name-only", "-z")
	slices.Sort(names)
	names = slices.Compact(names)
	if excludes, err := g.output(ctx, maxDeciders, "config", "--type=path", "-z", "--get", "core.excludesFile"); err == nil {
		names = append(names, strings.TrimSuffix(excludes, "\x00"))
	}
	return from(top, names)
}

// from makes git's paths absolute, which are of a directory.
func from(dir string, names []string) []string {
	var all []string
	for _, name := range names {
		if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		all = append(all, name)
	}
	return all
}
