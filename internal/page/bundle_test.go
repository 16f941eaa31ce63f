package page

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"testing"
)

// The page opens at once also over a slow tunnel: script and style together stay below this, in gzip.
const bundleBudget = 150 << 10

func TestBundleIsSmall(t *testing.T) {
	total := 0
	script, err := fs.ReadFile(Assets(), ScriptName)
	if err != nil || !bytes.Contains(script, []byte("Permission is hereby granted")) {
		t.Errorf("the script does not hold the licences of what it is made of: %v", err)
	}
	for _, name := range []string{ScriptName, StyleName} {
		data, err := fs.ReadFile(Assets(), name)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d in gzip", name, len(data), packed.Len())
		total += packed.Len()
	}
	if total > bundleBudget {
		t.Errorf("the bundle is %d bytes in gzip, more than %d", total, bundleBudget)
	}
}

// Nothing in the bundle may ask the browser to make code or markup of a text.
func TestBundleMakesNoMarkup(t *testing.T) {
	script, err := fs.ReadFile(Assets(), ScriptName)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{
		"document.write", "insertAdjacentHTML", "outerHTML", "createContextualFragment", "setHTMLUnsafe", "new Function", "eval(",
	} {
		if bytes.Contains(script, []byte(word)) {
			t.Errorf("the bundle says %s", word)
		}
	}
}
