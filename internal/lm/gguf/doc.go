// Package gguf reads GGUF files, the model format of llama.cpp (ggml-org/ggml, docs/gguf.md), versions 2 and 3: what is said
// about a model ([File.Text] and the like), and its tensors as float32, whatever they are quantised to ([File.Read]).
//
// Invariants: a file is hostile until every length and offset in it lies within the file, so that memory is used for what is
// there and not for what is claimed; numbers are those of the gguf package for Python, to the bit.
//
// The package knows no architecture and no tokenizer: names and values mean to it nothing.
package gguf
