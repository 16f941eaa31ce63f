package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// scope turns the PATHs of a command into the codebase that is read and, where they name files or several directories, the
// globs of what of it is reviewed. One directory is a codebase itself; no PATH is the current directory. Otherwise the codebase
// is the work tree of git's that they stand in, or else the nearest directory above them all.
func scope(args []string) (root string, include []string, err error) {
	if len(args) == 0 {
		return ".", nil, nil
	}
	if len(args) == 1 {
		info, err := os.Stat(args[0])
		if err != nil || !info.Mode().IsRegular() { // a review says itself what is wrong with it
			return args[0], nil, nil
		}
	}
	var names []string
	for _, arg := range args {
		name, err := realName(arg)
		if err != nil {
			return "", nil, err
		}
		names = append(names, name)
	}
	if root, err = above(args, names); err != nil {
		return "", nil, err
	}
	for i, name := range names {
		rel, err := filepath.Rel(root, name)
		if err != nil || !filepath.IsLocal(rel) {
			return "", nil, usageError{fmt.Errorf("%s and %s do not stand in one repository", args[0], args[i]), "--list reviews several"}
		}
		if rel == "." {
			return root, nil, nil
		}
		include = append(include, literal(filepath.ToSlash(rel)))
	}
	return root, include, nil
}

// scope chooses the codebase, and has what was named of it be all that is reviewed.
func (f *reviewFlags) scope(args []string) (string, error) {
	root, include, err := scope(args)
	if err != nil || include == nil {
		return root, err
	}
	if len(f.Include) > 0 {
		return "", usageError{errors.New("files that are named and --include contradict each other"),
			"give PATHs, or one directory and --include"}
	}
	f.Include, f.named = include, true
	return root, nil
}

// realName is the absolute name of what is there, with the links in its directory resolved.
func realName(arg string) (string, error) {
	if strings.Contains(arg, "://") {
		return "", usageError{fmt.Errorf("%s is an address, and several PATHs are files and directories", arg),
			"--list reviews several repositories"}
	}
	if strings.ContainsAny(arg, "\r\n\x00") {
		return "", usageError{errors.New("a PATH holds a line break"), "name the directory that the file stands in"}
	}
	info, err := os.Lstat(arg)
	if errors.Is(err, fs.ErrNotExist) {
		return "", usageError{fmt.Errorf("there is no %s", arg), "give files and directories of one repository"}
	}
	if err != nil {
		return "", fmt.Errorf("path: %w", err)
	}
	abs, err := filepath.Abs(arg)
	if err == nil && info.IsDir() {
		return filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("path: %w", err)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", fmt.Errorf("path: %w", err)
	}
	return filepath.Join(dir, filepath.Base(abs)), nil
}

// above is the work tree that the first of the names stands in, or else the nearest directory above all of them.
func above(args, names []string) (string, error) {
	dir := names[0]
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	for i, name := range names {
		for !under(dir, name) {
			dir = filepath.Dir(dir)
		}
		if dir == filepath.Dir(dir) {
			return "", usageError{fmt.Errorf("%s and %s have no directory in common", args[0], args[i]), "--list reviews several repositories"}
		}
	}
	return dir, nil
}

func under(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err != nil || filepath.IsLocal(rel) // names of other volumes end the search at the root
}

// literal is the glob, in .gitignore form, of one path and what stands below it.
func literal(path string) string {
	return "/" + strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, " ", `\ `).Replace(path)
}
