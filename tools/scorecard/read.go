package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// form is what the files of the three programs have in common as far as it counts here.
type form struct {
	Findings []struct { // of deeprepo
		CWE    string
		File   string
		Places []struct{ File string }
	}
	Results []struct {
		Filename string           // of bandit
		IssueCWE struct{ ID int } `json:"issue_cwe"`
		Path     string           // of semgrep
		Extra    struct{ Metadata struct{ CWE any } }
	}
}

var number = regexp.MustCompile(`^CWE-(\d+)`)

// readFlags reads what a checker said of which case.
func readFlags(file string) (map[flag]bool, error) {
	if filepath.Ext(file) == ".csv" {
		return readScorecard(file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(file) == ".xml" {
		return readSpotBugs(data)
	}
	var f form
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Findings == nil && f.Results == nil {
		return nil, fmt.Errorf("neither a report of deeprepo nor the JSON of bandit or semgrep")
	}
	flags := map[flag]bool{}
	add := func(file, cwe string) {
		if m := number.FindStringSubmatch(cwe); m != nil {
			n, _ := strconv.Atoi(m[1])
			flags[flag{caseOf(file), n}] = true
		}
	}
	for _, x := range f.Findings {
		add(x.File, x.CWE)
		for _, p := range x.Places {
			add(p.File, x.CWE)
		}
	}
	for _, x := range f.Results {
		if x.IssueCWE.ID != 0 {
			flags[flag{caseOf(x.Filename), x.IssueCWE.ID}] = true
		}
		switch cwe := x.Extra.Metadata.CWE.(type) {
		case string:
			add(x.Path, cwe)
		case []any:
			for _, one := range cwe {
				add(x.Path, fmt.Sprint(one))
			}
		}
	}
	return flags, nil
}

// readScorecard reads a scorecard of the benchmark: in its fifth column stands whether the tool identified the case.
func readScorecard(file string) (map[flag]bool, error) {
	rows, err := readCSV(file)
	flags := map[flag]bool{}
	for _, row := range rows {
		if len(row) < 5 {
			return nil, fmt.Errorf("a row of a scorecard has five columns at least")
		}
		if row[4] == "true" {
			flags[flag{row[0], anyCWE}] = true
		}
	}
	return flags, err
}

// bugs is what counts here of a file of SpotBugs.
type bugs struct {
	XMLName  xml.Name `xml:"BugCollection"`
	Instance []struct {
		CWE   int `xml:"cweid,attr"`
		Class struct {
			Source struct {
				Path string `xml:"sourcepath,attr"`
			} `xml:"SourceLine"`
		} `xml:"Class"`
	} `xml:"BugInstance"`
}

// readSpotBugs reads the XML of SpotBugs, of which only its security plugins say a CWE.
func readSpotBugs(data []byte) (map[flag]bool, error) {
	var b bugs
	if err := xml.Unmarshal(data, &b); err != nil {
		return nil, err
	}
	flags := map[flag]bool{}
	for _, x := range b.Instance {
		if x.CWE != 0 {
			flags[flag{caseOf(x.Class.Source.Path), x.CWE}] = true
		}
	}
	return flags, nil
}
