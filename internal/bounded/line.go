package bounded

import (
	"bufio"
	"errors"
	"fmt"
)

// LongError is a line of more bytes than were allowed.
type LongError struct{ Most int }

func (e *LongError) Error() string { return fmt.Sprintf("longer than %d bytes", e.Most) }

// Line appends the next line of r to text, with its end. What is left without one comes with io.EOF. A *LongError ends
// the reading of a line that is longer than so many bytes.
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
