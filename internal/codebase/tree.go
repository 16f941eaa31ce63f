package codebase

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Tree gives the file tree as the root model sees it: one entry a line, two
// spaces a level, with line counts. Directories that do not fit into maxChars
// are collapsed to one line with their number of files and lines, the shallow
// and small ones being opened first. Control characters in names are quoted.
// With maxChars of 0 or less nothing is collapsed.
func (c *Codebase) Tree(maxChars int) string {
	return c.buildTree("").print(maxChars, math.MaxInt)
}

// Below is the part of the tree below a directory, "" for all of it, with its directories opened down to depth levels; 0 is
// all of them. It is cut as [Codebase.Tree] is, and "" where there is no such directory.
func (c *Codebase) Below(dir string, depth, maxChars int) string {
	dir = strings.Trim(strings.TrimPrefix(dir, "./"), "/")
	if dir == "." {
		dir = ""
	}
	root := c.buildTree(dir)
	if depth <= 0 {
		depth = math.MaxInt
	} else if dir == "" {
		depth-- // the root is open, and the directory that was named is not
	}
	return root.print(maxChars, depth)
}

// print opens directories above a depth as far as they fit, and writes what is there.
func (d *treeDir) print(maxChars, depth int) string {
	if maxChars <= 0 {
		maxChars = int(^uint(0) >> 1)
	}
	// A directory whose summary is longer than what is in it makes room when it is opened, so that the whole can fit
	// where a part of it did not.
	if depth == math.MaxInt && d.fullCost() <= maxChars {
		maxChars = int(^uint(0) >> 1)
	}
	used := d.openCost()
	d.open = true
	queue := &dirQueue{}
	for _, sub := range d.dirs {
		heap.Push(queue, sub)
	}
	for queue.Len() > 0 {
		next := heap.Pop(queue).(*treeDir)
		if cost := next.openCost(); next.depth < depth && used+cost <= maxChars {
			used += cost
			next.open = true
			for _, sub := range next.dirs {
				heap.Push(queue, sub)
			}
		}
	}
	var sb strings.Builder
	d.write(&sb)
	return cutLines(sb.String(), maxChars)
}

// treeDir is a directory; chains of directories with a single child are one.
type treeDir struct {
	name         string
	depth        int
	dirs         []*treeDir
	files        []string // printed entries, without indent
	nFiles, size int      // of the whole subtree; size in lines
	open         bool
}

func (c *Codebase) buildTree(dir string) *treeDir {
	root := &treeDir{depth: -1}
	var stack []*treeDir // open directories from the root to the current one
	stack = append(stack, root)
	var names []string
	for i := range c.files {
		f := &c.files[i]
		if dir != "" && !strings.HasPrefix(f.Path, dir+"/") {
			continue
		}
		parts := strings.Split(f.Path, "/")
		dirs, base := parts[:len(parts)-1], parts[len(parts)-1]
		same := 0
		for same < len(dirs) && same < len(names) && dirs[same] == names[same] {
			same++
		}
		names, stack = names[:same], stack[:same+1]
		for _, name := range dirs[same:] {
			d := &treeDir{name: displayName(name) + "/"}
			parent := stack[len(stack)-1]
			parent.dirs = append(parent.dirs, d)
			stack, names = append(stack, d), append(names, name)
		}
		for _, d := range stack {
			d.nFiles++
			d.size += f.Lines
		}
		dir := stack[len(stack)-1]
		dir.files = append(dir.files, fmt.Sprintf("%s (%s)", displayName(base), plural(f.Lines, "line")))
	}
	root.settle(-1)
	return root
}

// settle joins chains, sets depths and sorts.
func (d *treeDir) settle(depth int) {
	d.depth = depth
	for i, sub := range d.dirs {
		for len(sub.files) == 0 && len(sub.dirs) == 1 {
			only := sub.dirs[0]
			only.name = sub.name + only.name
			sub = only
		}
		d.dirs[i] = sub
		sub.settle(depth + 1)
	}
	slices.SortFunc(d.dirs, func(a, b *treeDir) int { return strings.Compare(a.name, b.name) })
}

func (d *treeDir) indent() int { return 2 * max(d.depth, 0) }

func (d *treeDir) summary() string {
	return fmt.Sprintf("%s (%s, %s)", d.name, plural(d.nFiles, "file"), plural(d.size, "line"))
}

// openCost is how many bytes the tree grows by when d is opened.
func (d *treeDir) openCost() int {
	n := 0
	if d.depth >= 0 {
		n = len(d.name) - len(d.summary())
	}
	in := 2 * (d.depth + 1)
	for _, sub := range d.dirs {
		n += in + len(sub.summary()) + 1
	}
	for _, f := range d.files {
		n += in + len(f) + 1
	}
	return n
}

// fullCost is how many bytes the tree grows by when d and all below it are opened.
func (d *treeDir) fullCost() int {
	n := d.openCost()
	for _, sub := range d.dirs {
		n += sub.fullCost()
	}
	return n
}

func (d *treeDir) write(sb *strings.Builder) {
	if d.depth >= 0 {
		sb.WriteString(strings.Repeat(" ", d.indent()))
		if !d.open {
			sb.WriteString(d.summary() + "\n")
			return
		}
		sb.WriteString(d.name + "\n")
	}
	for _, sub := range d.dirs {
		sub.write(sb)
	}
	in := strings.Repeat(" ", 2*(d.depth+1))
	for _, f := range d.files {
		sb.WriteString(in + f + "\n")
	}
}

// cutLines keeps whole lines and says how many it dropped.
func cutLines(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	total := strings.Count(s, "\n")
	room := limit - len(fmt.Sprintf("... %d more entries\n", total))
	if room < 0 {
		return ""
	}
	end := strings.LastIndexByte(s[:room], '\n') + 1
	return s[:end] + fmt.Sprintf("... %d more entries\n", strings.Count(s[end:], "\n"))
}

// displayName quotes a name that could break a line or steer a terminal.
func displayName(name string) string {
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return strconv.Quote(name)
		}
	}
	return name
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// dirQueue orders directories: shallow first, then few files first, then name.
type dirQueue []*treeDir

func (q dirQueue) Len() int { return len(q) }
func (q dirQueue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.depth != b.depth {
		return a.depth < b.depth
	}
	if a.nFiles != b.nFiles {
		return a.nFiles < b.nFiles
	}
	return a.name < b.name
}
func (q dirQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *dirQueue) Push(x any)   { *q = append(*q, x.(*treeDir)) }
func (q *dirQueue) Pop() any {
	old := *q
	d := old[len(old)-1]
	*q = old[:len(old)-1]
	return d
}
