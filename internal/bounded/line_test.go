package bounded_test

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

func TestLine(t *testing.T) {
	r := bufio.NewReaderSize(strings.NewReader("first\n"+strings.Repeat("x", 40)+"\nlast"), 16)
	for i, want := range []string{"first\n", strings.Repeat("x", 40) + "\n"} {
		if text, err := bounded.Line(r, nil, 100); string(text) != want || err != nil {
			t.Errorf("line %d: %q, %v", i+1, text, err)
		}
	}
	if text, err := bounded.Line(r, []byte("the "), 100); string(text) != "the last" || !errors.Is(err, io.EOF) {
		t.Errorf("the torn line: %q, %v", text, err)
	}
	r = bufio.NewReaderSize(strings.NewReader(strings.Repeat("x", 1000)+"\n"), 16)
	var long *bounded.LongError
	if text, err := bounded.Line(r, nil, 100); !errors.As(err, &long) || long.Most != 100 || len(text) > 200 {
		t.Errorf("a long line: %d bytes, %v", len(text), err)
	}
}
