package codebase

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

// maxIgnoreFile is the largest ignore file that is read.
const maxIgnoreFile = 1 << 20

// walkFiles lists the files below root as `git ls-files -co --exclude-standard`
// would in a repository whose index is empty: for machines without git and
// directories outside any repository. Unlike git it goes into nested
// repositories, because a directory of several clones is a codebase too.
//
// Vendored directories are reported and not entered, ignored files and directories handed to ignored, which is told
// whether they lie in a repository. Symlinks are listed, never followed.
func walkFiles(ctx context.Context, root *os.Root, work *effort, skip func(path, why, by string),
	ignored func(p string, repo bool)) ([]string, error) {
	var paths []string
	var stack ignoreStack
	if rules := readIgnore(root, ".git/info/exclude"); len(rules) > 0 {
		stack = append(stack, &ignoreList{rules: rules, effort: work})
	}
	var visit func(dir string, repo bool, stack ignoreStack) error
	visit = func(dir string, repo bool, stack ignoreStack) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := readDir(root, dir)
		if err != nil {
			if dir == "" {
				return err
			}
			skip(dir, whyUnreadable+": "+reason(err), ByCodebase)
			return nil
		}
		has := func(name string) bool {
			return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
		}
		repo = repo || has(".git")
		if has(".gitignore") {
			if rules := readIgnore(root, dir+".gitignore"); len(rules) > 0 {
				stack = append(slices.Clip(stack), &ignoreList{base: dir, rules: rules, effort: work})
			}
		}
		for _, e := range entries {
			name, p := e.Name(), dir+e.Name()
			if vcsDirs[name] {
				continue
			}
			if stack.ignores(p, e.IsDir()) {
				if e.IsDir() {
					p += "/"
				}
				ignored(p, repo)
				continue
			}
			if !e.IsDir() {
				paths = append(paths, p)
				continue
			}
			if vendoredDir(p+"/") != "" {
				skip(p+"/", whyVendored, ByProgram)
				continue
			}
			if err := visit(p+"/", repo, stack); err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit("", false, stack); err != nil {
		return nil, err
	}
	slices.Sort(paths)
	return paths, nil
}

// readDir lists a directory, "" being the root; others end in a slash.
func readDir(root *os.Root, dir string) ([]fs.DirEntry, error) {
	name := strings.TrimSuffix(dir, "/")
	if name == "" {
		name = "."
	}
	d, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// readIgnore reads an ignore file. Like git it does not follow a symlink there.
func readIgnore(root *os.Root, name string) []ignoreRule {
	st, err := root.Lstat(name)
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	b, err := bounded.ReadFileIn(root, name, maxIgnoreFile)
	if err != nil {
		return nil
	}
	return parseIgnore(string(b))
}
