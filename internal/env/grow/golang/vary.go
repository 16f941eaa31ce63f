package golang

import (
	"slices"
	"strings"
)

// synonyms are the names that locals and parameters of the templates may have instead. None of the words is a field, a
// method or a package-level name in the files that are varied.
var synonyms = []struct {
	name   string
	others []string
}{
	{"list", []string{"all", "entries", "items"}},
	{"found", []string{"hit", "match", "stored"}},
	{"account", []string{"who", "caller", "user"}},
	{"id", []string{"number", "key", "num"}},
	{"answer", []string{"reply", "resp", "res"}},
	{"address", []string{"target", "endpoint", "link"}},
	{"got", []string{"remote", "fetched", "decoded"}},
	{"done", []string{"result", "outcome", "res"}},
	{"path", []string{"full", "where", "location"}},
	{"file", []string{"f", "handle", "dst"}},
	{"out", []string{"sink", "dst", "writer"}},
	{"picked", []string{"taken", "chosen", "claims"}},
	{"total", []string{"amount", "acc", "subtotal"}},
	{"cells", []string{"parts", "columns", "pieces"}},
	{"payload", []string{"encoded", "content", "raw"}},
	{"kept", []string{"matching", "hits", "selected"}},
	{"sorted", []string{"ordered", "arranged", "ranked"}},
	{"known", []string{"exists", "present", "there"}},
	{"row", []string{"rec", "one", "entry"}},
	{"series", []string{"curve", "history", "timeline"}},
}

// vary gives the files that many entities have different names and orders, so that none is another one with its nouns
// exchanged. What the file says in its comments keeps its name.
func (w *writer) vary(text string) string {
	comments := commentsOf(text)
	renamed, taken := map[string]string{}, map[string]bool{}
	for _, s := range synonyms {
		other := s.others[w.r.IntN(len(s.others))]
		free := !hasWord(text, other) && !taken[other] && w.imports[other] == ""
		if w.r.IntN(3) > 0 && free && !hasWord(comments, s.name) && w.imports[s.name] == "" {
			renamed[s.name], taken[other] = other, true
		}
	}
	return w.reorder(rename(text, renamed))
}

// reorder shuffles the functions of a file, half of the time; constructors stay where they are.
func (w *writer) reorder(text string) string {
	if w.r.IntN(2) == 0 {
		return text
	}
	chunks := strings.Split(strings.TrimRight(text, "\n"), "\n\n")
	var places []int
	for i, chunk := range chunks {
		code := chunk
		for strings.HasPrefix(code, "//") {
			_, code, _ = strings.Cut(code, "\n")
		}
		ends := strings.HasSuffix(code, "\n}") && (i+1 == len(chunks) || !strings.HasPrefix(chunks[i+1], "\t"))
		if ends && strings.HasPrefix(code, "func ") && !strings.HasPrefix(code, "func New") {
			places = append(places, i)
		}
	}
	order := slices.Clone(places)
	w.r.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	shuffled := slices.Clone(chunks)
	for i, place := range places {
		shuffled[place] = chunks[order[i]]
	}
	return strings.Join(shuffled, "\n\n") + "\n"
}

// rename exchanges identifiers outside of strings and comments, and not behind a dot.
func rename(text string, names map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n, kind := token(text[i:])
		word := text[i : i+n]
		if other := names[word]; kind == 'a' && other != "" && (i == 0 || text[i-1] != '.') {
			word = other
		}
		b.WriteString(word)
		i += n
	}
	return b.String()
}

// token is the length of what a Go text begins with and its kind: 'a' a name, 's' a string or rune, '/' a comment, ' '
// anything else.
func token(text string) (n int, kind byte) {
	switch c := text[0]; {
	case c == '"' || c == '\'':
		i := 1
		for ; i < len(text) && text[i] != c; i++ {
			if text[i] == '\\' {
				i++
			}
		}
		return min(i+1, len(text)), 's'
	case c == '`':
		if end := strings.IndexByte(text[1:], '`'); end >= 0 {
			return end + 2, 's'
		}
	case strings.HasPrefix(text, "//"):
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			return end, '/'
		}
		return len(text), '/'
	case letter(c):
		i := 1
		for i < len(text) && (letter(text[i]) || '0' <= text[i] && text[i] <= '9') {
			i++
		}
		return i, 'a'
	}
	return 1, ' '
}

func commentsOf(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n, kind := token(text[i:])
		if kind == '/' {
			b.WriteString(text[i:i+n] + "\n")
		}
		i += n
	}
	return b.String()
}

func hasWord(text, word string) bool {
	for i := 0; i < len(text); {
		if !letter(text[i]) {
			i++
			continue
		}
		from := i
		for i < len(text) && (letter(text[i]) || '0' <= text[i] && text[i] <= '9') {
			i++
		}
		if text[from:i] == word {
			return true
		}
	}
	return false
}
