package localisation

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// recordsHint describes a record.
const recordsHint = `a line is {"instance_id", "repo": "owner/name", "base_commit", ` +
	`"problem_statement", and "patch" or "gold_files"}; for tests "version", "test_patch" and "FAIL_TO_PASS", too`

// Record is one issue of a repository, and where its fix is.
type Record struct {
	InstanceID string   `json:"instance_id"`
	Repo       string   `json:"repo"`              // owner/name
	BaseCommit string   `json:"base_commit"`       // before the fix
	Issue      string   `json:"problem_statement"` // hostile
	Patch      string   `json:"patch"`
	GoldFiles  []string `json:"gold_files"`
	CreatedAt  string   `json:"created_at"`
	Version    string   `json:"version"`    // of the project, as SWE-bench numbers its environments
	TestPatch  string   `json:"test_patch"` // the tests that came with the fix
	FailToPass []string `json:"-"`          // FAIL_TO_PASS: those of them that the fix makes pass

	changes []FileChange // of Patch
}

var (
	instanceID = pattern.New(`^[\w.-]{1,200}$`)
	repository = pattern.New(`^[A-Za-z0-9][\w.-]{0,99}/[A-Za-z0-9_][\w.-]{0,99}$`)
	commit     = pattern.New(`^[0-9a-f]{7,64}$`)
)

// OpenRecords reads a file of records.
func OpenRecords(name string) ([]Record, error) {
	f, err := bounded.Open(name, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &taskset.Error{File: name, Err: errors.New("no such file"), Advice: recordsHint}
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadRecords(f, name)
}

// ReadRecords reads records, one a line, and checks them.
func ReadRecords(from io.Reader, name string) ([]Record, error) {
	var all []Record
	at := map[string]int{}
	err := taskset.EachLine(from, name, recordsHint, func(number int, text []byte) error {
		var r Record
		if err := json.Unmarshal(text, &r); err != nil {
			return errors.New("this is no JSON object of a record")
		}
		var err error
		if r.FailToPass, err = failToPass(text); err != nil {
			return err
		}
		if err := r.check(); err != nil {
			return err
		}
		if other, ok := at[r.InstanceID]; ok {
			return fmt.Errorf("instance_id %q is that of line %d", r.InstanceID, other)
		}
		at[r.InstanceID] = number
		all = append(all, r)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = &taskset.Error{File: name, Err: errors.New("the file holds no record"), Advice: recordsHint}
	}
	return all, err
}

// failToPass reads a record's tests: a list, or, as SWE-bench has it, a text that holds one.
func failToPass(record []byte) (tests []string, err error) {
	var r struct {
		Tests json.RawMessage `json:"FAIL_TO_PASS"`
	}
	if json.Unmarshal(record, &r) != nil || len(r.Tests) == 0 || json.Unmarshal(r.Tests, &tests) == nil {
		return tests, nil
	}
	var text string
	if json.Unmarshal(r.Tests, &text) != nil || json.Unmarshal([]byte(text), &tests) != nil {
		return nil, errors.New("FAIL_TO_PASS is no list of tests")
	}
	return tests, nil
}

func (r *Record) check() error {
	switch {
	case !instanceID.MatchString(r.InstanceID):
		return fmt.Errorf("instance_id %q is missing or odd", r.InstanceID)
	case !repository.MatchString(r.Repo):
		return fmt.Errorf("repo %q is not written owner/name", r.Repo)
	case !commit.MatchString(r.BaseCommit):
		return fmt.Errorf("base_commit %q is no commit", r.BaseCommit)
	case r.Issue == "":
		return errors.New("problem_statement is missing")
	}
	if r.Patch != "" {
		var err error
		if r.changes, err = ParsePatch(r.Patch); err != nil {
			return err
		}
	}
	var err error
	r.GoldFiles, err = goldFiles(r.GoldFiles, r.changes)
	return err
}

// goldFiles are the files that count: those that are named, or else those of the patch.
func goldFiles(named []string, changes []FileChange) ([]string, error) {
	if named == nil {
		named = GoldFiles(changes)
	}
	for _, g := range named {
		if !fs.ValidPath(g) || g == "." {
			return nil, fmt.Errorf("gold_files: %q is no path in a repository", g)
		}
	}
	if len(named) == 0 {
		return nil, errors.New("there is no gold file: the patch changes nothing that exists before it and is no test")
	}
	return distinct(named), nil
}
