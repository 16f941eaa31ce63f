package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// scoreRankings scores a file of rankings, without playing anything.
func (a *app) scoreRankings(name string, f evalFlags) error {
	if name != localisation.Name {
		return usageError{fmt.Errorf("--score is for localisation, not for %s", name), "deeprepo eval localisation --score FILE"}
	}
	if f.score == "" {
		return usageError{errors.New("--score needs a file"), "deeprepo eval localisation --score FILE"}
	}
	var records []localisation.Record
	if f.data != "" {
		var err error
		if records, err = localisation.OpenRecords(f.data); err != nil {
			return err
		}
	}
	s, err := localisation.ScoreFile(f.score, records)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(s)
	}
	fmt.Fprintf(a.stdout, "%s, %d records\n", termtext.Masked(f.score), s.Records)
	if s.Unranked > 0 {
		fmt.Fprintf(a.stdout, "%d of them are not ranked and count as not found\n", s.Unranked)
	}
	fmt.Fprintln(a.stdout)
	t := tabwriter.NewWriter(a.stdout, 2, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "metric\tpercent\t95% interval\t")
	for _, m := range s.Metrics {
		interval := "none"
		if m.Interval.OK() {
			interval = fmt.Sprintf("%.1f to %.1f", 100*m.Interval.Lo, 100*m.Interval.Hi)
		}
		fmt.Fprintf(t, "%s\t%.1f\t%s\t\n", m.Name, 100*m.Mean, interval)
	}
	t.Flush()
	fmt.Fprintln(a.stdout, "\nacc@k: all gold files are among the first k. Intervals: Wilson for acc, Student's t over records for the rest.")
	return nil
}

// writePredictions leaves the rankings of an eval of localisation as the official SWE-bench harness reads them, one file
// for each rollout.
func (a *app) writePredictions(out eval.Outcome) error {
	if out.Header.Environment != localisation.Name {
		return nil
	}
	for rollout := range out.Header.Rollouts {
		name := localisation.PredictionsName
		if rollout > 0 {
			name = fmt.Sprintf("predictions-%d.jsonl", rollout+1)
		}
		if err := writePrediction(out, rollout, filepath.Join(out.Dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func writePrediction(out eval.Outcome, rollout int, name string) error {
	from, err := bounded.Open(filepath.Join(out.Dir, eval.ResultsName), 0)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.CreateTemp(out.Dir, ".predictions-*")
	if err != nil {
		return err
	}
	defer os.Remove(to.Name())
	_, err = localisation.WritePredictions(from, out.Header.Model, rollout, to)
	if err = errors.Join(err, to.Close()); err != nil {
		return err
	}
	return os.Rename(to.Name(), name)
}
