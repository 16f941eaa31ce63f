package codebase

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Commit is one commit of a codebase's history, without merges.
type Commit struct {
	Hash    string
	At      time.Time // when it was committed
	Message string    // the first 4 KiB of it; hostile
	Files   []string  // that it changed, by path in the codebase; they need not be there any more
}

// Bounds of what History keeps of a commit.
const (
	maxMessage      = 4 << 10 // bytes
	maxCommitFiles  = 200
	historyPatience = 2 * time.Minute // a large repository's log starts slowly
)

// History gives the newest commits that led to the one that was loaded, itself included, the newest first, at most so many.
// Of a commit that changed more than 200 files no file is named. A codebase without a history has none; a failure of git is
// an error, beside what was read before it: a partial clone lacks what older commits changed.
func (c *Codebase) History(ctx context.Context, most int) ([]Commit, error) {
	git, ok := c.git()
	if !ok || most < 1 {
		return nil, nil
	}
	git.patience = historyPatience
	var commits []Commit
	err := git.records(ctx, func(rec []byte) error {
		if commit, ok := readCommit(rec); ok {
			commits = append(commits, commit)
		} else if name := string(bytes.TrimPrefix(rec, []byte("\n"))); name != "" && len(commits) > 0 {
			if last := &commits[len(commits)-1]; len(last.Files) <= maxCommitFiles {
				last.Files = append(last.Files, name)
			}
		}
		return nil
	}, "log", "-z", "--no-merges", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--name-only", "--relative",
		"--max-count="+strconv.Itoa(most), "--format=%x01%H %ct %B", "--end-of-options", c.commit, "--")
	for i := range commits {
		if len(commits[i].Files) > maxCommitFiles {
			commits[i].Files = nil
		}
	}
	if err != nil {
		return commits, fmt.Errorf("%w: %w", ErrGit, err)
	}
	return commits, nil
}

// readCommit reads the first record of a commit in git's log: a byte of 1, hash, seconds and message.
func readCommit(rec []byte) (Commit, bool) {
	rec, ok := bytes.CutPrefix(rec, []byte{1})
	f := strings.SplitN(string(rec[:min(len(rec), maxMessage)]), " ", 3)
	if !ok || len(f) != 3 || !isHash(f[0]) {
		return Commit{}, false
	}
	seconds, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil || seconds < 0 || seconds > 1<<36 {
		return Commit{}, false
	}
	return Commit{Hash: f[0], At: time.Unix(seconds, 0).UTC(), Message: strings.ToValidUTF8(strings.TrimSpace(f[2]), "\uFFFD")}, true
}

// git is git at the codebase's history, where there is one.
func (c *Codebase) git() (gitRepo, bool) {
	binary, ok := findGit()
	if !ok || c.root == "" || c.commit == "" {
		return gitRepo{}, false
	}
	git := gitRepo{binary: binary, dir: c.root, patience: gitPatience}
	if isBare(c.root) {
		git.gitDir = c.root
	}
	return git, true
}
