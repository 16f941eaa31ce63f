package locate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord is the longest word that counts, in bytes: what is longer is data.
const maxWord = 80

// eachWord hands on the words of a text, in lower case: every identifier whole, and, of one that is made of several words
// (snake_case, camelCase), each of those, stemmed. at is where the identifier begins.
func eachWord(text string, word func(w string, at int)) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !inName(r) {
			i += size
			continue
		}
		start := i
		for i < len(text) {
			if r, size = utf8.DecodeRuneInString(text[i:]); !inName(r) {
				break
			}
			i += size
		}
		if name := text[start:i]; len(name) <= maxWord {
			nameWords(name, func(w string) { word(w, start) })
		}
	}
}

func inName(r rune) bool {
	return r == '_' || r < utf8.RuneSelf && (r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9') ||
		r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// nameWords hands on a name whole and then its words, where it has several.
func nameWords(name string, word func(string)) {
	parts := cut(name)
	if len(parts) == 0 {
		return
	}
	if len(parts) == 1 && len(parts[0]) == len(name) {
		word(stem(parts[0]))
		return
	}
	word(strings.ToLower(name))
	for _, p := range parts {
		if len(p) > 1 {
			word(stem(p))
		}
	}
}

// cut cuts a name into its words, in lower case: fooBar, foo_bar and FOOBar have two.
func cut(name string) []string {
	var parts []string
	from := 0
	add := func(to int) {
		if from < to {
			parts = append(parts, strings.ToLower(name[from:to]))
		}
		from = to
	}
	kind := func(i int) byte {
		if i >= len(name) {
			return ' '
		}
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			return 'A'
		case c >= '0' && c <= '9':
			return '0'
		case c == '_':
			return '_'
		default:
			return 'a'
		}
	}
	for i := 1; i <= len(name); i++ {
		before, now := kind(i-1), kind(i)
		switch {
		case before == '_':
			from = i
		case now == '_' || now == ' ':
			add(i)
		case now == 'A' && before == 'a', now == '0' && before != '0', before == '0' && now != '0':
			add(i)
		case now == 'A' && before == 'A' && kind(i+1) == 'a' && i+1 < len(name): // HTTPServer
			add(i)
		}
	}
	return parts
}

// stem takes the commonest English endings off a lower-case word, so that "printing", "prints" and "printed" are "print".
func stem(w string) string {
	n := len(w)
	switch {
	case n > 5 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 5 && strings.HasSuffix(w, "ing") && strings.ContainsAny(w[:n-3], "aeiouy"):
		return undouble(w[:n-3])
	case n > 4 && strings.HasSuffix(w, "ed") && w[n-3] != 'e':
		return undouble(w[:n-2])
	case n > 4 && strings.HasSuffix(w, "es") && strings.ContainsRune("sxzh", rune(w[n-3])):
		return w[:n-2]
	case n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		return unsilent(w[:n-1])
	}
	return unsilent(w)
}

// undouble takes the second of two equal consonants off: "stopp" is "stop".
func undouble(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// unsilent takes a final e off, so that "parse" is what "parsing" is.
func unsilent(w string) string {
	if n := len(w); n > 4 && w[n-1] == 'e' && w[n-2] != 'e' {
		return w[:n-1]
	}
	return w
}

// common are words that say nothing of where something is.
var common = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an and any are as at be been being but by can cannot could do does did done for from had has have he
		her 		here his how i if in into is it its just like me may might more most much my no nor not now of off on one only or other our out
		over own same she should so some such than that the their them then there these they this those through to too under until up
		use used using very was we were what when where which while who why will with would you your also get got because however
		i'm don t s m ll ve re e g ie etc eg vs via seem seems issue bug problem expected actual behavior behaviour result results
		output version versions example following code see please thanks think way make want need try tried work works working
		instead still even though since after before between both each about above again below down during few further once
		python self return true false none import def class print in out let me new first two error errors run running line lines
		file files recent call last most traceback usr lib site packages local home py https http www com github org html`) {
		m[w], m[stem(w)] = true, true
	}
	return m
}()
