package nano

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Lengths of a view's parts, in bytes. With the position behind it a view has at most viewMax.
const (
	outputMax = 120
	errorMax  = 160
	viewMax   = 200
)

// Render turns a conversation of the loop, or of the reference environment, into what the policy knows of it. The
// messages between two replies make one view. Where the last message is not a reply, the last exchange has no cell: it
// is to be written. System messages are left out: they say what training has to teach.
//
// The first view counts what the opening lists: files, characters, and files by extension, as far as the tree shows
// them. The later ones hold what the last cells printed, or the error that ended them. Every view ends with the turn and
// the coverage, where the messages tell them: "9 files 23k py8 md1 t1/20", then "4 2 t2/20 c100".
func Render(messages []llm.Message) []Exchange {
	var out []Exchange
	var told []string
	last := 0 // of the rollout's turns, where it is known
	flush := func(cell string) {
		v := view{told: strings.Join(told, "\n"), turn: len(out) + 1, of: last}
		out = append(out, Exchange{View: v.text(), Cell: cell})
		last, told = v.of, nil
	}
	written := true
	for _, m := range messages {
		switch m.Role {
		case llm.RoleSystem:
		case llm.RoleAssistant:
			flush(cellOf(m))
			written = true
		default:
			told = append(told, m.Content)
			written = false
		}
	}
	if !written {
		flush("")
	}
	return out
}

// view is one digest in the making.
type view struct {
	told     string
	turn, of int
}

// status closes the loop's messages.
var status = regexp.MustCompile(`(?m)^\[Turn (\d{1,4})/(\d{1,4}), [^\n]*?coverage (\d{1,3})%\]`)

// left is how the reference environment speaks of the end.
var left = regexp.MustCompile(`\[(?:Warning: )?(\d{1,4}) turns?(?:\(s\))? left`)

func (v *view) text() string {
	covered := ""
	if all := status.FindAllStringSubmatchIndex(v.told, -1); len(all) > 0 {
		m := all[len(all)-1] // what a cell printed stands before it
		v.turn, v.of = number(v.told[m[2]:m[3]]), number(v.told[m[4]:m[5]])
		covered = " c" + strconv.Itoa(number(v.told[m[6]:m[7]]))
		v.told = v.told[:m[0]]
	} else if all := left.FindAllStringSubmatchIndex(v.told, -1); len(all) > 0 {
		m := all[len(all)-1]
		v.of = v.turn - 1 + number(v.told[m[2]:m[3]])
		v.told = v.told[:m[0]]
	}
	digest, opening := openingOf(v.told)
	if opening {
		covered = "" // nothing can be covered yet
	} else {
		digest = outputOf(v.told)
	}
	where := "t" + strconv.Itoa(v.turn)
	if v.of > 0 {
		where += "/" + strconv.Itoa(v.of)
	}
	return strings.TrimPrefix(termtext.Cut(digest, viewMax-24)+" "+where+covered, " ")
}

func number(digits string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(digits, ",", ""))
	if err != nil {
		return 0
	}
	return n
}

// The openings of the loop and of the reference environment.
var (
	size   = regexp.MustCompile(`(?m)^The codebase has (\d{1,12}) files, \d+ lines, (\d{1,15}) characters\.$`)
	sizeV1 = regexp.MustCompile(`(?m)^Files: (\d{1,12})\nCharacters: ([\d,]{1,20})$`)
	// treeFile is a file's line in a tree; that of a directory that is not opened counts files too.
	treeFile = regexp.MustCompile(`^ *(.+) \(\d+ lines?\)$`)
	// typesV1 is a line of the reference's list of files by type.
	typesV1 = regexp.MustCompile(`(?m)^  \.([A-Za-z0-9]{1,6}): (\d{1,9})$`)
)

// maxKinds is how many extensions a view counts.
const maxKinds = 4

// openingOf sums up a first message, if it is one.
func openingOf(told string) (string, bool) {
	kinds := map[string]int{}
	m := size.FindStringSubmatch(told)
	if m != nil {
		_, tree, _ := strings.Cut(told, "<file_tree>\n")
		tree, _, _ = strings.Cut(tree, "</file_tree>")
		for line := range strings.Lines(tree) {
			if f := treeFile.FindStringSubmatch(strings.TrimRight(line, "\n")); f != nil {
				kinds[extension(f[1])]++
			}
		}
	} else if m = sizeV1.FindStringSubmatch(told); m != nil {
		for _, f := range typesV1.FindAllStringSubmatch(told, -1) {
			kinds[strings.ToLower(f[1])] += number(f[2])
		}
	} else {
		return "", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d files %s", number(m[1]), thousands(number(m[2])))
	delete(kinds, "")
	type count struct {
		kind string
		n    int
	}
	var counts []count
	for kind, n := range kinds {
		counts = append(counts, count{kind, n})
	}
	slices.SortFunc(counts, func(a, b count) int { return cmp.Or(b.n-a.n, cmp.Compare(a.kind, b.kind)) })
	for _, c := range counts[:min(len(counts), maxKinds)] {
		fmt.Fprintf(&b, " %s%d", c.kind, c.n)
	}
	return b.String(), true
}

// extension is a file's kind, or "".
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || len(name)-i > 7 {
		return ""
	}
	ext := strings.ToLower(name[i+1:])
	if strings.ContainsFunc(ext, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		return ""
	}
	return ext
}

func thousands(n int) string {
	if n >= 1_000_000 {
		return strconv.Itoa((n+500_000)/1_000_000) + "M"
	}
	return strconv.Itoa((n+500)/1000) + "k"
}

var (
	// raised is the last line of a traceback.
	raised = regexp.MustCompile(`(?m)^(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Group)(?:: [^\n]*)?$`)
	// framed says that a traceback stands here.
	framed = regexp.MustCompile(`(?m)^(?:  File "|\[EXECUTION ERROR\]$)`)
	// stopped is the loop's word for a cell that a limit ended.
	stopped = regexp.MustCompile(`(?m)^The cell was stopped[^.\n]*`)
	// around is what the messages put around an output.
	around = regexp.MustCompile("(?m)^\\[Output of cell \\d+\\]$|^Output of the REPL:\n```$|^\\[output cut: [^\\]\n]*\\]$|\n```\\s*\\z")
)

// outputOf sums up what the cells printed: the beginning, or the error where one ended them.
func outputOf(told string) string {
	if all := stopped.FindAllString(told, -1); len(all) > 0 {
		return termtext.Cut(flat(all[len(all)-1]), errorMax)
	}
	if at := framed.FindAllStringIndex(told, -1); len(at) > 0 {
		if e := raised.FindString(told[at[len(at)-1][0]:]); e != "" {
			return termtext.Cut(flat(e), errorMax)
		}
	}
	return termtext.Cut(flat(around.ReplaceAllString(told, "")), outputMax)
}

// flat makes one line of a text, without what a terminal would act on.
func flat(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return termtext.OneLine(s)
}
