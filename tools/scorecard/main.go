// Command scorecard scores what static checkers say of the cases of an OWASP Benchmark. A case counts as flagged when a finding
// whose CWE belongs to the case's category stands in its file; J is Youden's index, the share of faulty cases that are flagged less
// the share of harmless ones, over all cases together.
//
//	go run ./scorecard expectedresults-1.2.csv deeprepo=report.json semgrep=semgrep.json FindSecBugs=Scorecard.csv
//
// A file is a report.json of deeprepo, the JSON of bandit or semgrep, the XML of SpotBugs, or a scorecard as the benchmark ships them.
package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
)

// kinds are the CWEs that belong to a category besides the one that the benchmark names.
var kinds = map[string][]int{
	"cmdi": {77, 78, 88}, "crypto": {326, 327, 310, 780}, "hash": {328, 759, 760, 916}, "ldapi": {90},
	"pathtraver": {22, 23, 24, 35, 36, 73, 98}, "securecookie": {614, 1004, 311, 319}, "sqli": {89, 564, 943}, "trustbound": {501},
	"weakrand": {330, 331, 332, 336, 337, 338}, "xpathi": {643, 91}, "xss": {79, 80, 83, 87, 116}, "codeinj": {94, 95, 96, 1336},
	"deserialization": {502}, "redirect": {601}, "xxe": {611, 827, 776},
}

type expected struct {
	name, category string
	faulty         bool
	cwe            int
}

// flag is a finding's CWE in a case's file; one of CWE anyCWE is about whatever the case is.
type flag struct {
	name string
	cwe  int
}

const anyCWE = 0

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scorecard:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) < 2 {
		return fmt.Errorf("usage: scorecard EXPECTED.csv NAME=FILE ...")
	}
	cases, err := readExpected(args[0])
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| | TP | FP | recall | precision | J |\n|---|--:|--:|--:|--:|--:|")
	for _, arg := range args[1:] {
		name, file, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=FILE", arg)
		}
		flags, err := readFlags(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		s := scoreOf(cases, flags)
		fmt.Fprintf(out, "| %s | %d | %d | %.3f | %.3f | %.3f |\n", name, s.truePositives, s.falsePositives, s.recall(), s.precision(), s.j())
	}
	return nil
}

func readExpected(file string) ([]expected, error) {
	rows, err := readCSV(file)
	if err != nil {
		return nil, err
	}
	var cases []expected
	for _, row := range rows {
		if len(row) < 4 {
			return nil, fmt.Errorf("%s: a case has a name, a category, true or false, and a CWE", file)
		}
		cwe, err := strconv.Atoi(row[3])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		cases = append(cases, expected{row[0], row[1], row[2] == "true", cwe})
	}
	return cases, nil
}

// readCSV gives the rows of a file whose comments begin with #, without blanks around what stands in them.
func readCSV(file string) ([][]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', -1
	rows, err := r.ReadAll()
	for _, row := range rows {
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
	}
	return rows, err
}

// caseOf is the case that a file holds: its name up to the first dot.
func caseOf(file string) string {
	name, _, _ := strings.Cut(path.Base(strings.ReplaceAll(file, `\`, "/")), ".")
	return name
}

type score struct{ truePositives, falsePositives, missed, silent int }

func scoreOf(cases []expected, flags map[flag]bool) (s score) {
	for _, c := range cases {
		hit := flags[flag{c.name, c.cwe}] || flags[flag{c.name, anyCWE}]
		for _, cwe := range kinds[c.category] {
			hit = hit || flags[flag{c.name, cwe}]
		}
		switch {
		case hit && c.faulty:
			s.truePositives++
		case hit:
			s.falsePositives++
		case c.faulty:
			s.missed++
		default:
			s.silent++
		}
	}
	return s
}

func (s score) recall() float64    { return share(s.truePositives, s.missed) }
func (s score) precision() float64 { return share(s.truePositives, s.falsePositives) }
func (s score) j() float64         { return s.recall() - share(s.falsePositives, s.silent) }

func share(part, rest int) float64 {
	if part+rest == 0 {
		return 0
	}
	return float64(part) / float64(part+rest)
}
