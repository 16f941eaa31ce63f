package generate

// hinted gives an error a line of advice for the user.
func hinted(err error, hint string) error { return &hintError{err, hint} }

type hintError struct {
	error
	hint string
}

func (e *hintError) Unwrap() error { return e.error }
func (e *hintError) Hint() string  { return e.hint }
