package orchestrationv1

import (
	"regexp"
	"strings"
)

var thinking = regexp.MustCompile(`(?s)<think>.*?</think>`)

// cells finds the fenced blocks of a reply, after its closed <think> parts were taken out. A fence begins at the start
// of a line, is tagged python, py or nothing, and reaches to the next bare fence or to the end of the reply. An empty
// one is not a cell; one of blank lines is.
func cells(reply string) []string {
	var found []string
	lines := strings.Split(thinking.ReplaceAllString(reply, ""), "\n")
	for i := 0; i < len(lines); i++ {
		if tag, ok := fence(lines[i]); !ok || tag != "" && tag != "python" && tag != "py" {
			continue
		}
		first := i + 1
		for i = first; i < len(lines); i++ {
			if tag, ok := fence(lines[i]); ok && tag == "" {
				break
			}
		}
		if i > first {
			found = append(found, strings.Join(lines[first:i], "\n"))
		}
	}
	return found
}

// fence recognises a line of three backticks at column 0, and what follows them up to white space.
func fence(line string) (tag string, ok bool) {
	rest, ok := strings.CutPrefix(line, "```")
	return strings.TrimRightFunc(rest, isSpace), ok
}
