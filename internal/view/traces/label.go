package traces

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/view/cursor"
)

// maxLabel bounds a label, in characters.
const maxLabel = 80

// label says in a few words what an event is about: the first words of a cell or a reply, the first file of a dispatch.
func (e *scanned) label(buf []byte) []byte {
	switch e.kind {
	case 's':
		if e.resumed {
			return append(buf, "resumed"...)
		}
		return buf
	case 'g':
		return fmt.Appendf(buf, "coverage %.0f%% of %.0f%%", 100*e.share[0], 100*e.share[1])
	case 'm':
		return fmt.Appendf(buf, "turns %d to %d folded", e.number[0], e.number[1])
	case 'e':
		buf = appendWords(buf, e.status)
		if len(e.stopReason) > 0 {
			buf = appendWords(append(buf, ": "...), e.stopReason)
		}
		return buf
	case 'v':
		return append(buf, "money reserved"...)
	case 'd':
		if e.files > 0 {
			return append(appendWords(buf, e.words), more(e.files)...)
		}
		if file := inPrompt(e.prompt); file != nil {
			return appendWords(buf, file)
		}
		return appendWords(buf, e.prompt)
	}
	if e.err != nil && len(e.words) == 0 {
		return appendWords(buf, e.err)
	}
	return appendWords(buf, e.words)
}

func more(files int) string {
	if files < 2 {
		return ""
	}
	return fmt.Sprintf(" +%d", files-1)
}

// appendWords appends the beginning of a text, on one line, until there are 80 characters; an ellipsis says that there is more. raw is
// as JSON has it.
func appendWords(buf, raw []byte) []byte {
	var room [6 * maxLabel]byte
	text := cursor.Unescape(room[:0], raw[:min(len(raw), 3*6*maxLabel)], len(room)-utf8.UTFMax)
	if bytes.HasPrefix(text, []byte("```")) { // the fence around a cell says nothing
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	count := utf8.RuneCount(buf)
	pause := false
	for len(text) > 0 && count < maxLabel {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		switch {
		case unicode.IsSpace(r):
			pause = count > 0
			continue
		case count == 0 && r == '#': // of a comment
			continue
		}
		if pause && count+1 < maxLabel {
			buf = append(buf, ' ')
			count++
		}
		pause = false
		buf = utf8.AppendRune(buf, r)
		count++
	}
	if len(bytes.TrimSpace(text)) > 0 {
		_, n := utf8.DecodeLastRune(buf)
		buf = append(buf[:len(buf)-n], "…"...)
	}
	return buf
}
