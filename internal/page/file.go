package page

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"regexp"
	"strings"
)

// WriteFile writes the page with its documents as one HTML file that is opened from a disk, with no server and no network.
// Its content security policy allows the bundle by its hash, and no request at all.
func WriteFile(w io.Writer, title string, a Archive) error {
	script, style, err := inlined(Assets())
	if err != nil {
		return err
	}
	plain, packed, err := a.split()
	if err != nil {
		return err
	}
	if _, ok := plain[""]; !ok {
		return errors.New(`page: the archive has no document "", the run itself`)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	fmt.Fprintf(out, "%s<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", head, filePolicy(script, style))
	fmt.Fprintf(out, "%s\n<title>%s</title>\n<style>%s</style>\n</head>\n", icon, html.EscapeString(printable(title)), style)
	fmt.Fprintf(out, "<body>\n<div id=\"app\"></div>\n%s", noScript)
	fmt.Fprintln(out, " The same as plain text lies beside a review's page: report.md.</noscript>")
	fmt.Fprintf(out, "<script type=\"application/json\" id=\"%s\">", plainID)
	if err := writePlain(out, plain); err != nil {
		return err
	}
	fmt.Fprintln(out, "</script>")
	if len(packed) > 0 {
		fmt.Fprintf(out, "<script type=\"text/plain\" id=\"%s\">", packedID)
		if err := writePacked(out, packed); err != nil {
			return err
		}
		fmt.Fprintln(out, "</script>")
	}
	fmt.Fprintf(out, "<script>%s</script>\n</body>\n</html>\n", script)
	return out.Flush()
}

// filePolicy allows what is in the file, byte for byte, and nothing from outside. Frames cannot be forbidden from within a
// file; what it could be framed for, acting in the user's name, it does not do.
func filePolicy(script, style []byte) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src " + hashOf(script), "style-src " + hashOf(style), "img-src data: blob:",
		"base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
	}, "; ")
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// What would end an element before its text does; or, for scripts, have a browser read on past its end: that takes
// "<!--" and "<script" after it, and the first alone, which regular expressions for Markdown hold, does nothing.
var (
	endsScript = regexp.MustCompile(`(?i)</?script`)
	endsStyle  = regexp.MustCompile(`(?i)</style`)
)

// inlined reads the bundle, which must not end the elements that it stands in.
func inlined(assets fs.FS) (script, style []byte, err error) {
	if script, err = fs.ReadFile(assets, ScriptName); err != nil {
		return nil, nil, err
	}
	if style, err = fs.ReadFile(assets, StyleName); err != nil {
		return nil, nil, err
	}
	if at := endsScript.FindIndex(script); at != nil {
		return nil, nil, fmt.Errorf("page: %s holds %q, which HTML would read as its end", ScriptName, script[at[0]:at[1]])
	}
	if at := endsStyle.FindIndex(style); at != nil {
		return nil, nil, fmt.Errorf("page: %s holds %q, which HTML would read as its end", StyleName, style[at[0]:at[1]])
	}
	// A browser hashes what it has parsed: with line ends of one kind, and without what is no character.
	if bytes.ContainsAny(script, "\r\x00") || bytes.ContainsAny(style, "\r\x00") {
		return nil, nil, errors.New("page: the bundle holds line ends or characters that HTML changes")
	}
	return script, style, nil
}

// printable takes what could forge a tab's title out of it: control characters and changes of direction.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, s)
}
