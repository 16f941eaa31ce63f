package codebase

import (
	"context"
	"os"
	"slices"
)

// maxPathspecs is up to how many names git is asked for one by one; for more, it lists the whole commit.
const maxPathspecs = 200

// Read takes a snapshot of the named files of the repository at path and looks at no other: a page needs this to show a
// few files of a codebase that was loaded once. The paths are relative and slash-separated, as [Codebase.Paths] gives
// them.
//
// Of o, the limits and Commit count. Without Commit the files are those of the directory, whether git tracks them or not;
// of a bare repository, those of HEAD. A file that is not there is missing from the snapshot, and one that Load would have
// left out by its name, kind, size or content stands in Skipped; neither is an error, not even where nothing is left.
func Read(ctx context.Context, path string, files []string, o Options) (*Codebase, error) {
	o.Include, o.Exclude = nil, nil
	o = o.withDefaults()
	dir, root, git, err := open(path, o, findGit)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files = slices.Compact(slices.Sorted(slices.Values(files)))
	l := newLoader(ctx, o)
	commit := ""
	if o.Commit != "" || git.gitDir != "" {
		commit, err = readBlobsNamed(ctx, l, path, git, files, o)
	} else {
		err = l.readWorkTree(root, dir, files)
	}
	if err != nil {
		return nil, err
	}
	return l.assemble(dir, commit), nil
}

// readBlobsNamed reads the named files of a commit and gives its hash.
func readBlobsNamed(ctx context.Context, l *loader, path string, git gitRepo, files []string, o Options) (string, error) {
	commit, err := git.commit(ctx, path, o.Commit)
	if err != nil {
		return "", err
	}
	var narrow []string
	if len(files) <= maxPathspecs {
		narrow = files
	}
	blobs, err := git.commitFiles(ctx, commit, narrow...)
	if err != nil {
		return "", gitFailed(ctx, path, err)
	}
	blobs = slices.DeleteFunc(blobs, func(b blob) bool {
		_, wanted := slices.BinarySearch(files, b.path)
		return !wanted
	})
	if err := l.readCommit(git, blobs); err != nil {
		return "", gitFailed(ctx, path, err)
	}
	return commit, nil
}

// open finds the directory and says how it is to be read. The caller closes root.
func open(path string, o Options, lookGit func() (string, bool)) (dir string, root *os.Root, git gitRepo, err error) {
	dir, err = locate(path)
	if err != nil {
		return "", nil, gitRepo{}, err
	}
	root, err = os.OpenRoot(dir)
	if err != nil {
		return "", nil, gitRepo{}, &Error{Path: path, Err: ErrUnreadable, more: reason(err), hint: "check the permissions of the directory"}
	}
	git = gitRepo{dir: dir, patience: o.gitPatience}
	binary, have := lookGit()
	git.binary = binary
	if isBare(dir) {
		git.gitDir = dir
	}
	if !have && (o.Commit != "" || git.gitDir != "") {
		root.Close()
		return "", nil, gitRepo{}, &Error{Path: path, Err: ErrGit, more: "git is not installed",
			hint: "reading a commit or a bare repository needs git on PATH; without it give a checked-out directory"}
	}
	return dir, root, git, nil
}
