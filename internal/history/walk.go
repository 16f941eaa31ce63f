package history

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// How far a look goes.
const (
	maxDepth   = 5      // directories in directories
	maxVisited = 50_000 // directories without a report
)

// walk looks for reviews: directories with a report.json, which is a file and no link. What lies in such a directory is part of it,
// and so is what lies in that of a review that has no report yet: the one of a change has its base's there.
type walk struct {
	ctx     context.Context
	stamps  map[string]string // of what was found, by directory
	visited int
	cut     bool // there may be more
}

// walkAll looks below directories.
func walkAll(ctx context.Context, dirs []string) *walk {
	w := &walk{ctx: ctx, stamps: map[string]string{}}
	for _, dir := range dirs {
		w.enter(dir, 0)
	}
	return w
}

// enter looks at a directory.
func (w *walk) enter(dir string, depth int) {
	if w.ctx.Err() != nil || w.review(dir) && depth > 0 {
		return
	}
	if w.visited++; w.visited > maxVisited {
		w.cut = true
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil || depth == maxDepth {
		return // another user's, or gone
	}
	if depth > 0 && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == runfile.TraceName }) {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() && !strings.HasPrefix(name, ".") && name != "checkouts" && name != "node_modules" {
			w.enter(dir+string(filepath.Separator)+name, depth+1)
		}
	}
}

// review notes the review in a directory; false where there is none.
func (w *walk) review(dir string) bool {
	info, err := os.Lstat(dir + string(filepath.Separator) + runfile.ReportName)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	w.stamps[dir] = strconv.FormatInt(info.Size(), 10) + " " + strconv.FormatInt(info.ModTime().UnixNano(), 10)
	return true
}
