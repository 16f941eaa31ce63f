package view

// Inventory gives the paths of all documents but the header.
func (r *Run) Inventory(give func(path string)) { r.shown.Inventory(give) }
