package bounded

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckCountsValuesAndNoText(t *testing.T) {
	for _, tt := range []struct {
		text    string
		most    int
		crowded bool
	}{
		{`[1,2,3]`, 3, false},
		{`[1,2,3,4]`, 3, true},
		{`{"a":{},"b":{},"c":{},"d":{}}`, 3, true},
		{`["a, b, c, d, e"]`, 3, false},
		{`["\", , , ,", 1]`, 3, false},
		{`["\\", 1, 2, 3]`, 3, true}, // the string ends behind two backslashes
		{``, 1, false},
		{`"`, 1, false},
		{`"\`, 1, false},
	} {
		err := Check([]byte(tt.text), tt.most)
		var crowded *CrowdedError
		if errors.As(err, &crowded) != tt.crowded {
			t.Errorf("%s with %d values at most: %v", tt.text, tt.most, err)
		}
	}
}

func TestUnmarshalRefusesBeforeItDecodes(t *testing.T) {
	var got []any
	err := Unmarshal([]byte("["+strings.Repeat("0,", Values)+"0]"), &got)
	var crowded *CrowdedError
	if !errors.As(err, &crowded) || crowded.Most != Values || got != nil {
		t.Errorf("error %v, %d values decoded", err, len(got))
	}
	if err := Unmarshal([]byte("[1,2]"), &got); err != nil || len(got) != 2 {
		t.Errorf("error %v, %v", err, got)
	}
}
