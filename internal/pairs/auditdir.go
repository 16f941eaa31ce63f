package pairs

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// AuditCommand is what the manifest of an audit's directory names.
const AuditCommand = "pairs audit"

// auditedName is the file of an audit's directory that has the pairs: one text or list of messages a side, as they came.
const auditedName = "pairs.jsonl"

var auditKind = rundir.Kind{
	Name: "audit of pairs", Leaves: "audits", By: "deeprepo pairs audit", Files: []string{auditedName}, Taken: kind.Taken,
}

// AuditOptions say what pairs were held against.
type AuditOptions struct {
	File          string   `json:"file"`
	Dataset       string   `json:"dataset,omitempty"`
	Decontaminate []string `json:"decontaminate,omitempty"`
}

// auditManifest is the run.json of an audit.
type auditManifest struct {
	runfile.Manifest
	Options AuditOptions `json:"options"`
}

// CreateAudit makes the directory of an audit that begins now; path "" is runs/audit-FILE-TIME.
func CreateAudit(path string, o AuditOptions, version string, now time.Time) (*rundir.Dir, error) {
	if path == "" {
		name, _, _ := strings.Cut(filepath.Base(o.File), ".")
		var err error
		if path, err = rundir.Fresh("runs/audit-"+rundir.Slug(name, "pairs")+"-"+now.Format("20060102-150405"), auditKind); err != nil {
			return nil, err
		}
	}
	dir, err := rundir.Create(path, auditKind)
	if err != nil {
		return nil, err
	}
	o.File = filepath.Base(o.File)
	m := auditManifest{runfile.Manifest{Schema: rundir.Schema, Command: AuditCommand, Version: version, StartedAt: now.UTC()}, o}
	if err := dir.WriteJSON(rundir.ManifestName, m); err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

// WriteAuditRun leaves the pairs and what the audit says of them, as the page shows a set.
func WriteAuditRun(dir *rundir.Dir, pairs []Pair, audit *runfile.PairAudit, dataset string) error {
	err := dir.Write(auditedName, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		for _, p := range pairs {
			if err := enc.Encode(auditedPair{p.TaskID, side(p.Prompt, p.Chat), side(p.Chosen, p.Chat), side(p.Rejected, p.Chat)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return dir.WriteJSON(summaryName, auditSummary{dataset, audit, audit.Seconds})
}

// auditedPair is a line of an audit's pairs.
type auditedPair struct {
	TaskID   string `json:"task_id"`
	Prompt   any    `json:"prompt"`
	Chosen   any    `json:"chosen"`
	Rejected any    `json:"rejected"`
}

func side(messages []Message, chat bool) any {
	if chat {
		return messages
	}
	return Text(messages)
}

// auditSummary is the summary.json of an audit: of a build's it has what an audit knows.
type auditSummary struct {
	Dataset string             `json:"dataset"`
	Audit   *runfile.PairAudit `json:"audit"`
	Seconds float64            `json:"seconds"`
}
