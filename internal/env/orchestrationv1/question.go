package orchestrationv1

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

//go:embed system.md
var systemPrompt string

// described is the part of metadata that the first message shows.
type described struct {
	TotalFiles   *json.Number         `json:"total_files"`
	TotalChars   *json.Number         `json:"total_chars"`
	TotalLines   *json.Number         `json:"total_lines"`
	FileTypes    counts               `json:"file_types"`
	LargestFiles [][2]json.RawMessage `json:"largest_files"`
	EntryPoints  []string             `json:"entry_points"`
}

// describe checks the metadata and writes the first message: what the model knows before it looks.
func (p *problem) describe() error {
	if len(p.metadata) == 0 {
		return errors.New("metadata is missing")
	}
	var m described
	if err := json.Unmarshal(p.metadata, &m); err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	if m.TotalFiles == nil {
		return errors.New("metadata: total_files is missing")
	}
	var err error
	if p.totalFiles, err = m.TotalFiles.Float64(); err != nil {
		return fmt.Errorf("metadata: total_files: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Review this codebase and hand in a full development report.\n\n## The repository\nName: %s\nFiles: %s\n", p.name,
		*m.TotalFiles)
	line := func(name string, n *json.Number, unit string) {
		var text string
		if text, err = commas(*n); err == nil {
			fmt.Fprintf(&b, "%s: %s%s\n", name, text, unit)
		}
	}
	if m.TotalChars == nil {
		m.TotalChars = new(json.Number("0"))
	}
	line("Characters", m.TotalChars, "")
	if m.TotalLines != nil && err == nil {
		line("Lines", m.TotalLines, "")
	}
	if err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	b.WriteString("\nFiles by type:\n")
	for _, c := range m.FileTypes {
		fmt.Fprintf(&b, "  %s: %s\n", c.name, c.count)
	}
	if len(m.LargestFiles) > 0 {
		b.WriteString("\nThe largest files:\n")
	}
	for _, f := range m.LargestFiles[:min(10, len(m.LargestFiles))] {
		var path string
		var chars json.Number
		if json.Unmarshal(f[0], &path) != nil || json.Unmarshal(f[1], &chars) != nil {
			return errors.New("metadata: largest_files does not hold pairs of path and size")
		}
		if line("  "+path, &chars, " characters"); err != nil {
			return fmt.Errorf("metadata: %w", err)
		}
	}
	if len(m.EntryPoints) > 0 {
		b.WriteString("\nEntry points:\n")
	}
	for _, e := range m.EntryPoints {
		fmt.Fprintf(&b, "  %s\n", e)
	}
	fmt.Fprintf(&b, "\n## Its files\n%s\n\n## What to do\nThe texts are in the variable `codebase` (a dict of path to text). "+
		"Work in the REPL, hand the files to sub-LLM workers, and call set_answer() with your report.", p.fileTree)
	p.question = b.String()
	return nil
}

// counts is a JSON object of numbers, in its own order.
type counts []struct {
	name  string
	count json.Number
}

// UnmarshalJSON keeps the order, which a map would lose.
func (c *counts) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return errors.New("file_types is not an object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var n json.Number
		if err := d.Decode(&n); err != nil {
			return errors.New("file_types does not hold numbers")
		}
		key, _ := name.(string)
		*c = append(*c, struct {
			name  string
			count json.Number
		}{key, n})
	}
	return nil
}
