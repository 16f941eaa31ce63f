package hint

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestOf(t *testing.T) {
	lacks := errors.New("no file")
	for _, tt := range []struct {
		name  string
		err   error
		hint  string
		knows bool
	}{
		{"nil", nil, "", false},
		{"without", lacks, "", false},
		{"with", New("no file", "name one"), "name one", true},
		{"with none to give", Wrap(lacks, ""), "", true},
		{"wrapped", fmt.Errorf("open: %w", Wrap(lacks, "name one")), "name one", true},
		{"joined", errors.Join(lacks, Wrap(io.EOF, "name one")), "name one", true},
		{"the outer one", Wrap(Wrap(lacks, "inner"), "outer"), "outer", true},
		{"kept", WrapMissing(Wrap(lacks, "own"), "other"), "own", true},
		{"given", WrapMissing(Wrap(lacks, " "), "other"), "other", true},
	} {
		if got := Of(tt.err); got != tt.hint || Advises(tt.err) != tt.knows {
			t.Errorf("%s: hint %q, advises %v; want %q, %v", tt.name, got, Advises(tt.err), tt.hint, tt.knows)
		}
	}
	if err := Wrap(fmt.Errorf("read: %w", io.EOF), "x"); !errors.Is(err, io.EOF) || err.Error() != "read: EOF" {
		t.Errorf("the error under the hint is lost: %v", err)
	}
	if got := Then(New("a", "first"), "second"); got != "first; then second" {
		t.Errorf("Then gives %q", got)
	}
	if got := Then(lacks, "second"); got != "second" {
		t.Errorf("Then gives %q", got)
	}
}
