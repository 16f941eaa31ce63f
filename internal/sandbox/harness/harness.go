// Package harness holds the Python that judges programs: what runs in the judge's interpreter, what runs in the
// suspect's, and the codec between them: codec.py writes, decode.py reads and packs. The protocol is described at the top
// of codec.py and channel.py.
//
// The sources expect a module namespace in which ask(bytes) -> bytes is defined, in the judge's also mark(), which is
// called before each test and after the last, and in the suspect's run(code, globals), which executes the program. They
// define serve(bytes) -> bytes for the other side and begin(bytes) -> bytes for the host. Transporting bytes is the
// loader's job.
//
// It is not a sandbox: it decides what a test's outcome means, not what a program can reach.
package harness

import (
	_ "embed"
)

var (
	//go:embed codec.py
	codec string
	//go:embed decode.py
	decode string
	//go:embed channel.py
	channel string
	//go:embed judge.py
	judge string
	//go:embed suspect.py
	suspect string
)

// Judge is the source of the judge's side.
func Judge() string { return codec + "\n\n" + decode + "\n" + channel + "\n" + judge }

// Suspect is the source of the suspect's side.
func Suspect() string { return codec + "\n\n" + decode + "\n" + channel + "\n" + suspect }

// Load is the host's order to the suspect: a program, and what tests will want of it.
type Load struct {
	Main  bool     `json:"main"` // as __main__, with Stdin
	Setup string   `json:"setup"`
	Code  string   `json:"code"`
	Stdin string   `json:"stdin"`
	Entry string   `json:"entry"`
	Names []string `json:"names"`
}

// Job is the host's order to the judge: the tests, and what the suspect said about its names.
type Job struct {
	Nonce  string      `json:"nonce"`
	Setup  string      `json:"setup"`
	Judge  string      `json:"judge"`
	Entry  string      `json:"entry"`
	Wanted []string    `json:"wanted"` // further names that may be taken from the candidate
	Names  string      `json:"names"`  // JSON of the suspect's, to be read with care
	Tests  [][2]string `json:"tests"`  // name, code
	Keep   bool        `json:"keep"`
}
