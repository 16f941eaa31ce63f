package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// samplePath is where a sample of one file lies.
const samplePath = "src/A.java"

// sample is a program of one file; changes come in pairs, what stands before and what stands there after.
func sample(before string, changes ...string) plant.Sample {
	return among(map[string]string{samplePath: before}, samplePath, changes...)
}

// among is a program of several files, of which one is asked for sites and changed.
func among(files map[string]string, path string, changes ...string) plant.Sample {
	after := files[path]
	for i := 0; i+1 < len(changes); i += 2 {
		after = strings.Replace(after, changes[i], changes[i+1], 1)
	}
	return plant.Sample{Files: files, Path: path, After: after}
}
