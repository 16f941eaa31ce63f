// Command release describes what a built deeprepo is made of: a CycloneDX bill of materials, and the licences of everything
// that is in it. scripts/release.sh runs it on each binary.
//
//	go run ./release -root .. -binary ../dist/deeprepo -sbom ../dist/sbom.cdx.json -licences ../dist/THIRD_PARTY_LICENCES
package main

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	root := flag.String("root", ".", "the repository")
	binary := flag.String("binary", "", "the built program")
	sbom := flag.String("sbom", "", "file to write the bill of materials to")
	licences := flag.String("licences", "", "file to write the licence texts to")
	flag.Parse()
	if err := run(*root, *binary, *sbom, *licences); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(root, binary, sbom, licences string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	works, err := modules(root, info)
	if err != nil {
		return err
	}
	inside, err := embedded(root)
	if err != nil {
		return err
	}
	works = append(works, inside...)
	if err := write(sbom, func(w io.Writer) error {
		return cyclonedx.NewBOMEncoder(w, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bill(info, works))
	}); err != nil {
		return err
	}
	return write(licences, func(w io.Writer) error { return texts(w, works) })
}

func write(name string, to func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := to(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
