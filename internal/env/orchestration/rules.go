package orchestration

// Name is the environment's name. Its seeds hang on it, in every version.
const Name = "orchestration"

// NameV2 is the environment with the rules that it had before roots could judge.
const NameV2 = "orchestration-v2"

// Rules are what differs between the versions of the environment. The zero value is version 2: all of its figures are
// those that it gave when it was the only one.
type Rules struct {
	// Version counts the environment's rules. Defaults to 2; version 1 is package orchestrationv1.
	Version int
	// Judging gives roots the code graph and second opinions, and lets the simulated worker answer what it is asked: a
	// question with words, a finding with a verdict, not every prompt with a review.
	Judging bool
	// Fooled is the share of decoys that can fool the simulated worker in a short prompt. Defaults to simFooled.
	Fooled float64
	// Plausible words claims about decoys as one would word a finding, as sure as some of the true ones.
	Plausible bool
	// Places counts each place of a finding as a claim, and second opinions beyond an allowance as wrong ones.
	Places bool
	// Suffixes lets the report cite a file by the end of its path, where no other file ends so.
	Suffixes bool
}

// Current are the rules of "orchestration".
func Current() Rules {
	return Rules{Version: 3, Judging: true, Fooled: 0.15, Plausible: true, Places: true, Suffixes: true}
}

// V2 are the rules of "orchestration-v2".
func V2() Rules { return Rules{Version: 2} }

// name is what the environment is called under the rules.
func (r Rules) name() string {
	if r.Version == Current().Version {
		return Name
	}
	return NameV2
}

// fooled is the share of decoys that can fool the simulated worker.
func (r Rules) fooled() float64 {
	if r.Fooled > 0 {
		return r.Fooled
	}
	return simFooled
}
