package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// inside lists what is embedded in the program without being a Go module, with the file of the repository that holds the
// licences. Each file names its works with their versions; embedded fails where this list and the file differ.
var inside = []struct {
	licences string
	works    []work
}{
	{"internal/sandbox/cpython/LICENSES", []work{
		{Name: "CPython", Version: "3.13.5", Purl: "pkg:generic/cpython@3.13.5",
			SPDX: []string{"Python-2.0.1", "MIT", "CC0-1.0", "BSD-2-Clause", "Apache-2.0"}},
	}},
	{"internal/syntax/wasm/LICENSES", []work{
		grammar("tree-sitter", "0.27.1"), grammar("tree-sitter-c", "0.24.2"), grammar("tree-sitter-go", "0.25.0"),
		grammar("tree-sitter-java", "0.23.5"), grammar("tree-sitter-javascript", "0.25.0"), grammar("tree-sitter-php", "0.25.1"),
		grammar("tree-sitter-python", "0.25.0"), grammar("tree-sitter-ruby", "0.23.1"), grammar("tree-sitter-typescript", "0.23.2"),
	}},
	{"internal/page/LICENSES", []work{library("marked", "18.2.1"), library("preact", "11.2.0"), library("uplot", "1.6.32")}},
}

func grammar(name, version string) work {
	return work{Name: name, Version: version, Purl: "pkg:cargo/" + name + "@" + version, SPDX: []string{"MIT"}}
}

func library(name, version string) work {
	return work{Name: name, Version: version, Purl: "pkg:npm/" + name + "@" + version, SPDX: []string{"MIT"}}
}

func embedded(root string) ([]work, error) {
	var works []work
	for _, group := range inside {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(group.licences)))
		if err != nil {
			return nil, err
		}
		for _, w := range group.works {
			if !strings.Contains(string(text), w.Name+" "+w.Version) {
				return nil, fmt.Errorf("%s does not name %s %s", group.licences, w.Name, w.Version)
			}
			w.Text = string(text)
			works = append(works, w)
		}
	}
	return works, nil
}
