package pattern

import (
	"strings"
	"testing"
)

func TestPattern(t *testing.T) {
	p := New(`(\w+)=(\d+)`)
	if got := p.FindStringSubmatch("a, port=80"); len(got) != 3 || got[1] != "port" || got[2] != "80" {
		t.Errorf("found %q", got)
	}
	if first := p.Regexp(); first != p.Regexp() {
		t.Error("it is compiled twice")
	}
}

func TestCheckNamesWhatDoesNotCompile(t *testing.T) {
	kept := all
	defer func() { all = kept }()
	New(`(`)
	if err := Check(); err == nil || !strings.Contains(err.Error(), "missing closing )") {
		t.Errorf("error %v", err)
	}
}
