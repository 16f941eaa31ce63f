package runfile

import "time"

// FleetWork is fleet.json: which workers of a fleet did a run's items. It is no part of what the run found, which is what
// one machine would have found.
type FleetWork struct {
	URL     string       `json:"url"`     // of the hub, without credentials
	Workers []FleetShare `json:"workers"` // in the order of their names
	// Others counts the items of workers beyond those that are listed.
	Others int64 `json:"others,omitempty"`
	// Forged counts results that were not believed: no worker of the fleet made them.
	Forged int64 `json:"forged"`
}

// FleetShare is what one worker did of a run.
type FleetShare struct {
	Name  string           `json:"name"`
	Items int64            `json:"items"`
	Kinds map[string]int64 `json:"kinds"` // items by what they ask for
	// First and Last are when results of it came, by the coordinator's clock, to a few seconds.
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}
