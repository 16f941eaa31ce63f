package codebase

import (
	"context"
	"os"
	"path/filepath"
)

// maxCheckout bounds the files of a checkout, in bytes, all together.
const maxCheckout = 2 << 30

// Checkout writes the files of a commit of the repository at path into a directory, which must exist, byte for byte: a
// program that is run there wants its pictures and its odd encodings, too, which [Load] leaves out or reads as text.
// Symbolic links, submodules, paths that lead out of the directory and files whose content a partial clone lacks are left
// out; no filter and no hook that the repository names is run. The error is an [*Error] where the user can do something about it.
func Checkout(ctx context.Context, path, commit, into string) error {
	_, at, git, err := open(path, Options{Commit: commit}.withDefaults(), findGit)
	if err != nil {
		return err
	}
	at.Close()
	sha, err := git.commit(ctx, path, commit)
	if err != nil {
		return err
	}
	listed, err := git.commitFiles(ctx, sha)
	if err != nil {
		return gitFailed(ctx, path, err)
	}
	var blobs []blob
	var total int64
	for _, b := range listed {
		regular := b.mode == "100644" || b.mode == "100755"
		if regular && filepath.IsLocal(filepath.FromSlash(b.path)) && !inVCS(b.path) {
			blobs = append(blobs, b)
			total += b.size
		}
	}
	if total > maxCheckout {
		return &Error{Path: path, Err: ErrUnreadable, more: "commit " + commit + " holds more than " + size(maxCheckout),
			hint: "it is not checked out"}
	}
	root, err := os.OpenRoot(into)
	if err != nil {
		return err
	}
	defer root.Close()
	var failed error
	err = git.readBlobs(ctx, blobs, func(i int, content []byte) {
		if failed == nil && content != nil {
			failed = writeBlob(root, blobs[i], content)
		}
	})
	if err != nil {
		return gitFailed(ctx, path, err)
	}
	return failed
}

// writeBlob writes one file of a commit.
func writeBlob(root *os.Root, b blob, content []byte) error {
	name, mode := filepath.FromSlash(b.path), os.FileMode(0o644)
	if b.mode == "100755" {
		mode = 0o755
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return root.WriteFile(name, content, mode)
}
