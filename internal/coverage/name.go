package coverage

import (
	"slices"
	"sort"
	"strings"
)

const (
	maxHeader    = 300 // bytes of a line that may name a file
	headerGap    = 3   // lines between a name and the text it announces, both excluded
	maxNameFiles = 64  // paths of one content that are looked for in a prompt
)

// name is a line of a prompt that holds the path of a file.
type name struct {
	content int32
	end     int32 // byte of the prompt behind it
}

// names appends the paths in those units that are in no run. runs are sorted and
// none contains another.
func (x *index) names(names []name, units []unit, runs []run) []name {
	k := 0
	for _, u := range units {
		for k < len(runs) && runs[k].hi <= u.start {
			k++
		}
		if k < len(runs) && runs[k].lo <= u.start || len(u.text) > maxHeader {
			continue
		}
		if id, ok := x.pathIn(u.text); ok {
			names = append(names, name{id, u.end})
		}
	}
	return names
}

const punctuation = "`'\"#*=:,;<>()[]{}|-–—"

// pathIn finds the first path in a line: as a word, or as the line without what
// decorates it, for paths that hold spaces.
func (x *index) pathIn(line string) (int32, bool) {
	for word := range strings.FieldsSeq(line) {
		for _, w := range []string{word, strings.Trim(word, "`'\",:;*"), strings.Trim(word, punctuation)} {
			if id, ok := x.byPath[strings.TrimPrefix(w, "./")]; ok {
				return id, true
			}
		}
	}
	line = strings.Trim(line, punctuation+" ")
	if id, ok := x.byPath[line]; ok {
		return id, true
	}
	_, after, ok := strings.Cut(line, ":")
	if !ok {
		return 0, false
	}
	id, ok := x.byPath[strings.Trim(after, punctuation+" ")]
	return id, ok
}

// namedRuns appends the runs that start a file and follow its name.
func (x *index) namedRuns(runs []run, units []unit, names []name) []run {
	for _, nm := range names {
		c := &x.contents[nm.content]
		if c.n == 0 {
			continue
		}
		at := sort.Search(len(units), func(i int) bool { return units[i].start >= nm.end })
		for i := at; i < min(at+headerGap, len(units)); i++ {
			n := len(runs)
			runs = x.extend(runs, units, i, c.first, min(window, int(c.n)))
			if len(runs) == n {
				continue
			}
			r := &runs[n]
			if k := slices.IndexFunc(runs[:n], func(o run) bool { return o.unit == r.unit && o.lo == r.lo && o.hi == r.hi }); k >= 0 {
				runs = runs[:n]
				r = &runs[k]
			}
			r.named = true
			break
		}
	}
	return runs
}

// inPrompt says whether prompt holds a path of the content.
func (x *index) inPrompt(id int32, prompt string) bool {
	files := x.contents[id].files
	return slices.ContainsFunc(files[:min(len(files), maxNameFiles)], func(f int32) bool { return holdsPath(prompt, x.paths[f]) })
}

// holdsPath looks for path as a whole: not "a.py" in "data.py" or "a.pyc".
func holdsPath(prompt, path string) bool {
	if path == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(prompt[from:], path)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(path)
		if (i == 0 || !isPathByte(prompt[i-1]) || strings.HasSuffix(prompt[:i], "./")) && (end == len(prompt) || !isWordByte(prompt[end])) {
			return true
		}
		from = i + 1
	}
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

func isPathByte(b byte) bool { return isWordByte(b) || b == '/' || b == '.' || b == '-' }
