package runfile

import "time"

// Manifest is what every run.json begins with: which command made the run, and when.
type Manifest struct {
	Schema    int       `json:"schema"`
	ID        string    `json:"id,omitempty"`
	Command   string    `json:"command"`
	Method    string    `json:"method,omitempty"` // a training's: sft, grpo, dpo
	Version   string    `json:"version"`
	StartedAt time.Time `json:"started_at"`
	// Fingerprint is a digest of everything that decides what the run leaves, so that it is resumed with nothing else.
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Size is what a review says of its codebase before it has a report.
type Size struct {
	Commit string `json:"commit,omitempty"`
	Files  int    `json:"files"`
	Lines  int    `json:"lines"`
}
