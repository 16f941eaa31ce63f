package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/pairs"
)

// The forms.
const (
	TRL            = "trl"
	Conversational = "conversational"
	KTO            = "kto"
	Verl           = "verl"
	Tinker         = "tinker"
)

// Forms are all of them.
func Forms() []string { return []string{TRL, Conversational, KTO, Verl, Tinker} }

// Options say how to write.
type Options struct {
	// Seed decides which side of a comparison is A. Defaults to 0, a seed like any other.
	Seed uint64
	// Set has the tests that a row for verl is judged by. Defaults to none: then the chosen program is the ground truth.
	Set *dataset.Set
	// Source is verl's data_source. Defaults to "deeprepo/" and the set's name, or "deeprepo/pairs".
	Source string
	// Split is verl's extra_info.split. Defaults to "train".
	Split string
}

// Write writes pairs in a form and returns the number of rows.
func Write(w io.Writer, form string, all []pairs.Pair, o Options) (rows int, err error) {
	switch form {
	case Verl:
		return writeVerl(w, all, o)
	case TRL, Conversational, KTO, Tinker:
	default:
		return 0, fmt.Errorf("no form %q: there are %s", form, strings.Join(Forms(), ", "))
	}
	bw := bufio.NewWriter(w)
	enc := json.NewEncoder(bw)
	enc.SetEscapeHTML(false)
	put := func(v any) error { rows++; return enc.Encode(v) }
	switch form {
	case TRL:
		for _, p := range all {
			if err = put(trlRow{p.TaskID, p.PromptText(), p.ChosenText(), p.RejectedText()}); err != nil {
				return rows, err
			}
		}
	case Conversational:
		for _, p := range all {
			if err = put(conversationalRow{p.TaskID, messages(p.Prompt), p.Chosen, p.Rejected}); err != nil {
				return rows, err
			}
		}
	case KTO:
		err = kto(all, put)
	case Tinker:
		err = tinker(all, o.Seed, put)
	}
	if err != nil {
		return rows, err
	}
	return rows, bw.Flush()
}

type trlRow struct {
	TaskID   string `json:"task_id,omitempty"`
	Prompt   string `json:"prompt"`
	Chosen   string `json:"chosen"`
	Rejected string `json:"rejected"`
}

type conversationalRow struct {
	TaskID   string          `json:"task_id,omitempty"`
	Prompt   []pairs.Message `json:"prompt"`
	Chosen   []pairs.Message `json:"chosen"`
	Rejected []pairs.Message `json:"rejected"`
}

type ktoRow struct {
	TaskID     string `json:"task_id,omitempty"`
	Prompt     string `json:"prompt"`
	Completion string `json:"completion"`
	Label      bool   `json:"label"`
}

// kto writes each answer to a prompt once, in the order in which it comes first.
func kto(all []pairs.Pair, put func(any) error) error {
	seen := map[ktoRow]bool{}
	for _, p := range all {
		for _, row := range []ktoRow{{p.TaskID, p.PromptText(), p.ChosenText(), true}, {p.TaskID, p.PromptText(), p.RejectedText(), false}} {
			if seen[row] {
				continue
			}
			seen[row] = true
			if err := put(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// messages is never null in JSON.
func messages(m []pairs.Message) []pairs.Message {
	if m == nil {
		return []pairs.Message{}
	}
	return m
}
