package bench

import "io"

// WriteHTML writes bench.html.
func WriteHTML(w io.Writer, r Result) error { return WriteMarkdown(w, r) }
