package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// work is one thing that somebody else wrote and that is in the program.
type work struct {
	Name, Version string
	Purl          string   // package URL, "" where there is none
	SPDX          []string // licence identifiers
	Text          string   // the licence texts, as they stand in the work
}

// bill is the CycloneDX document of a program. It holds no time and no serial number: the same program gives the same bytes.
func bill(info *debug.BuildInfo, works []work) *cyclonedx.BOM {
	b := cyclonedx.NewBOM()
	b.Metadata = &cyclonedx.Metadata{Component: &cyclonedx.Component{
		Type: cyclonedx.ComponentTypeApplication, Name: "deeprepo", Version: info.Main.Version, BOMRef: info.Main.Path,
		Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "MIT"}}},
	}}
	var components []cyclonedx.Component
	for _, w := range works {
		licences := cyclonedx.Licenses{}
		for _, id := range w.SPDX {
			licences = append(licences, cyclonedx.LicenseChoice{License: &cyclonedx.License{ID: id}})
		}
		components = append(components, cyclonedx.Component{Type: cyclonedx.ComponentTypeLibrary, Name: w.Name, Version: w.Version,
			BOMRef: w.Name + "@" + w.Version, PackageURL: w.Purl, Licenses: &licences})
	}
	b.Components = &components
	return b
}

// texts writes every licence under the name of its work. Works that share one text, as the grammars do, share its place.
func texts(to io.Writer, works []work) error {
	fmt.Fprint(to, "deeprepo contains the works below. deeprepo itself is under the MIT licence (LICENSE).\n")
	for i := 0; i < len(works); {
		names := []string{title(works[i])}
		j := i + 1
		for ; j < len(works) && works[j].Text == works[i].Text; j++ {
			names = append(names, title(works[j]))
		}
		if _, err := fmt.Fprintf(to, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 100), strings.Join(names, "\n"),
			strings.TrimSpace(works[i].Text)); err != nil {
			return err
		}
		i = j
	}
	return nil
}

func title(w work) string {
	return fmt.Sprintf("%s %s (%s)", w.Name, w.Version, strings.Join(w.SPDX, ", "))
}
