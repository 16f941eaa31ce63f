package rundir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// awayName marks a run of which a fleet may hold journals that are not here: what was done and paid for.
const awayName = ".elsewhere"

// Leave marks the run, before a fleet is asked for anything.
func (d *Dir) Leave() error {
	return d.Write(awayName, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "journals of this run are at its fleet")
		return err
	})
}

// Return takes the mark away: every journal is here.
func (d *Dir) Return() error {
	if err := d.root.Remove(awayName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Away says whether the run in a directory below root has the mark.
func Away(root *os.Root, dir string) bool {
	_, err := root.Lstat(filepath.Join(dir, awayName))
	return err == nil
}

// RefuseAway is the error of who goes on without the fleet although one of these runs below the directory has the mark.
func (d *Dir) RefuseAway(runs ...string) error {
	for _, run := range runs {
		if Away(d.root, run) {
			return hint.New(fmt.Sprintf("what a fleet did for %s, and was paid for, is not all here", d.File(run)),
				"go on with that fleet: fleet in run.json, as it was, or in the file that --config names. Without it that money is on no bill, "+
					"and is spent again: "+d.File(filepath.Join(run, awayName))+" removed, it goes on so")
		}
	}
	return nil
}

// Interrupted is why a command was stopped that was interrupted, with so many of its parts still at a fleet.
func Interrupted(away int) string {
	if away == 0 {
		return "it was interrupted"
	}
	return fmt.Sprintf("it was interrupted, and the fleet did not answer: what workers did and paid for in %d of them is "+
		"still there, "+
		"and they may go on until it is fetched", away)
}
