package doc

// Get answers a document; rest is what of its path follows the first part and a slash.
type Get func(rest string) (any, error)

// Shown is how a run of one kind is shown: a package below view answers for it.
type Shown struct {
	// Describe fills in a header what depends on the kind.
	Describe func(h *Header) error
	// SoFar adds what is known before the run has come to its end, and takes longer to find out; nil for nothing.
	SoFar func(h *Header)
	// Parts are those of the run's page, in their order.
	Parts []Part
	// Documents answer what is asked for, by the first part of its path.
	Documents map[string]Get
	// Inventory gives the paths of all documents, the most important first.
	Inventory func(give func(path string))
	// Outcome is the file that tells the outcome of a run that draws a page of itself: that is its last act, when it still
	// holds its directory. "" for a run that draws none.
	Outcome string
	// DispatchBytes is how much room its dispatches take; nil where it has none.
	DispatchBytes func() int64
}

// Part is a section of a run's page, for which there is something to show when any of the files is there.
type Part struct {
	Section Section
	Files   []string
}
