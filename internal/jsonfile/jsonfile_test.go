package jsonfile

import (
	"bytes"
	"testing"
)

func TestForms(t *testing.T) {
	v := map[string]any{"a": "<b>"}
	var escaped, plain bytes.Buffer
	if err := Write(&escaped, v); err != nil || escaped.String() != "{\n  \"a\": \"\\u003cb\\u003e\"\n}\n" {
		t.Errorf("Write: %q, %v", escaped.String(), err)
	}
	if data, err := Bytes(v); err != nil || !bytes.Equal(data, escaped.Bytes()) {
		t.Errorf("Bytes: %q, %v", data, err)
	}
	if err := WritePlain(&plain, v); err != nil || plain.String() != "{\n  \"a\": \"<b>\"\n}\n" {
		t.Errorf("WritePlain: %q, %v", plain.String(), err)
	}
	if data, err := Line(v); err != nil || string(data) != `{"a":"<b>"}` {
		t.Errorf("Line: %q, %v", data, err)
	}
	for _, write := range []func() error{
		func() error { _, err := Bytes(func() {}); return err },
		func() error { _, err := Line(func() {}); return err },
		func() error { return WritePlain(&plain, func() {}) },
	} {
		if write() == nil {
			t.Error("a function was written as JSON")
		}
	}
}
