package engine

// hintedError is a failure that the user can do something about.
type hintedError struct {
	error
	hint string
}

func hinted(err error, hint string) error { return hintedError{err, hint} }

func (e hintedError) Unwrap() error { return e.error }

// Hint tells the user what can be done.
func (e hintedError) Hint() string { return e.hint }
