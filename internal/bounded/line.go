package bounded

import (
	"bufio"
	"errors"
	"fmt"
)

// LongError is a line of more bytes than were allowed.
type LongError struct{ Most int }

func (e *LongError) Error() string { return fmt.Sprintf("longer than %d bytes", e.Most) }

// Line appends the next line of r to text, line break included. A last line without a line break comes with io.EOF. A
// line of more than most bytes is a *LongError, and comes only in part.
func Line(r *bufio.Reader, text []byte, most int) ([]byte, error) {
	before := len(text)
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		if len(text)-before > most {
			return text, &LongError{most}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}
