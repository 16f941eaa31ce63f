package dataset

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The first four were written by CPython's pickle.dumps("héllo", protocol).
func TestPickledString(t *testing.T) {
	for name, data := range map[string]string{
		"protocol 1": "X\x06\x00\x00\x00h\xc3\xa9lloq\x00.",
		"protocol 2": "\x80\x02X\x06\x00\x00\x00h\xc3\xa9lloq\x00.",
		"protocol 4": "\x80\x04\x95\x0a\x00\x00\x00\x00\x00\x00\x00\x8c\x06h\xc3\xa9llo\x94.",
		"protocol 5": "\x80\x05\x95\x0a\x00\x00\x00\x00\x00\x00\x00\x8c\x06h\xc3\xa9llo\x94.",
		"optimized":  "\x80\x04\x8c\x06h\xc3\xa9llo.",
		"long":       "\x80\x04\x8d\x06\x00\x00\x00\x00\x00\x00\x00h\xc3\xa9llor\x00\x00\x00\x00.",
	} {
		if got, err := pickledString([]byte(data)); got != "héllo" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for name, data := range map[string]string{
		"nothing":                     "",
		"only a stop":                 ".",
		"only a protocol":             "\x80\x04.",
		"a call of os.system":         "cos\nsystem\n(S'true'\ntR.",
		"the same with stack globals": "\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x04true\x85R.",
		"a string, then a call":       "\x80\x04\x8c\x06h\xc3\xa9llo\x940cos\nsystem\n(S'true'\ntR.",
		"two strings":                 "\x80\x04\x8c\x01a\x8c\x01b.",
		"a list of a string":          "\x80\x04]\x94\x8c\x01a\x94a.",
		"bytes":                       "\x80\x04C\x01a\x94.",
		"a number":                    "\x80\x04K\x01.",
		"no stop":                     "\x80\x04\x8c\x01a",
		"more after the stop":         "\x80\x04\x8c\x01a.\x80",
		"shorter than it says":        "\x80\x04\x8c\x09a.",
		"longer than memory":          "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffa.",
		"four bytes of length, cut":   "X\xff\xff",
		"a frame, cut":                "\x80\x04\x95\x00",
		"not UTF-8":                   "\x80\x04\x8c\x01\xff.",
		"a persistent id":             "Pa\n.",
		"an extension":                "\x82\x01.",
		"a put, then a get":           "\x8c\x01aq\x00h\x00.",
	} {
		if got, err := pickledString([]byte(data)); err == nil {
			t.Errorf("%s: taken as %q", name, got)
		}
	}
	if _, err := pickledString(nil); !strings.Contains(err.Error(), "is not loaded") {
		t.Errorf("error %q", err)
	}
}

func TestPickleRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := strings.Repeat(rapid.String().Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "times"))
		if got, err := unpack(packed(pickled(want))); got != want || err != nil {
			t.Fatalf("%q, %v; want %q", got, err, want)
		}
	})
}

// FuzzPickle: nothing but a string ever comes of a pickle, and the string is one that stands in it.
func FuzzPickle(f *testing.F) {
	f.Add(pickled("hello"))
	f.Add(pickled(strings.Repeat("x", 300)))
	f.Add([]byte("cos\nsystem\n(S'true'\ntR."))
	f.Add([]byte("\x80\x04\x8d\x05\x00\x00\x00\x00\x00\x00\x00hellor\x00\x00\x00\x00."))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := pickledString(data)
		if err == nil && !strings.Contains(string(data), s) {
			t.Errorf("%q came of %q", s, data)
		}
	})
}

// FuzzUnpack: neither base64 nor zlib upset it.
func FuzzUnpack(f *testing.F) {
	f.Add(packed(pickled("hello")))
	f.Add("eJw=")
	f.Fuzz(func(t *testing.T, field string) { _, _ = unpack(field) })
}
