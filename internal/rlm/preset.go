package rlm

import (
	"embed"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

//go:embed presets/*.md
var presetFiles embed.FS

// Preset is what a root and its workers are asked to do in one domain.
type Preset struct {
	Name   string
	Root   string // the task, appended to the description of the REPL
	Worker string // the workers' system prompt
	// Security leaves out what static rules say of anything but security: they read no instructions.
	Security bool `json:",omitempty"`
	// Issue is what localise() ranks places for where it is given no text. Defaults to none.
	Issue string `json:",omitempty"`
}

// rules gives those of the claims of static rules that the preset asks for.
func (p Preset) rules(claims []finding.Finding) []finding.Finding {
	if !p.Security {
		return claims
	}
	return slices.DeleteFunc(claims, func(f finding.Finding) bool { return !taxonomy.Attackable(f.Category, f.CWE) })
}

// PresetNames lists the built-in presets, the default (code) first.
func PresetNames() []string {
	entries, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic(err) // the files are embedded: this cannot fail in a program that was built
	}
	names := []string{"code"}
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".md"); name != "code" {
			names = append(names, name)
		}
	}
	sort.Strings(names[1:])
	return names
}

// BuiltinPreset returns a preset by name.
func BuiltinPreset(name string) (Preset, error) {
	text, err := presetFiles.ReadFile("presets/" + name + ".md")
	if err != nil || strings.ContainsAny(name, `/\.`) {
		return Preset{}, fmt.Errorf("no preset %q; there are %s", name, strings.Join(PresetNames(), ", "))
	}
	p, err := ParsePreset(name, string(text))
	p.Security = name == "security"
	return p, err
}

// ParsePreset reads a preset of one's own: Markdown with a part under "# Root" and a part under "# Worker". A text
// without these headings is the root's task, and the workers get the code preset's instructions.
func ParsePreset(name, text string) (Preset, error) {
	parts := map[string]*strings.Builder{"": {}, "root": {}, "worker": {}}
	current := ""
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			if h := strings.ToLower(strings.TrimSpace(heading)); h == "root" || h == "worker" {
				current = h
				continue
			}
		}
		parts[current].WriteString(line)
	}
	get := func(part string) string { return strings.TrimSpace(parts[part].String()) }
	p := Preset{Name: name, Root: get("root"), Worker: get("worker")}
	if p.Root == "" {
		p.Root = get("")
	}
	if p.Root == "" {
		return Preset{}, fmt.Errorf("preset %s: it says nothing to the root; write the task, or put it under a line \"# Root\"", name)
	}
	if p.Worker == "" {
		code, err := BuiltinPreset("code")
		if err != nil {
			return Preset{}, err
		}
		p.Worker = code.Worker
	}
	return p, nil
}
