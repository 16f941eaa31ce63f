package report

import (
	"bytes"
	"os"
	"testing"
)

func TestDemo(t *testing.T) {
	out := os.Getenv("REPORT_DEMO")
	if out == "" {
		t.Skip("no REPORT_DEMO")
	}
	var b bytes.Buffer
	if err := WriteHTML(&b, large(300, 200)); err != nil {
		t.Fatal(err)
	}
	t.Log(b.Len())
	if err := os.WriteFile(out, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
