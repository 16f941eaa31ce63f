package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/eval"
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
	return a.print(s, func(w io.Writer) error { writeScores(w, f.score, s); return nil })
}

func writeScores(w io.Writer, file string, s localisation.Score) {
	fmt.Fprintf(w, "%s, %d records\n", file, s.Records)
	if s.Unranked > 0 {
		fmt.Fprintf(w, "%d of them are not ranked and count as not found\n", s.Unranked)
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 2, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "metric\tpercent\t95% interval\t")
	for _, m := range s.Metrics {
		interval := "none"
		if m.Interval.OK() {
			interval = fmt.Sprintf("%.1f to %.1f", 100*m.Interval.Lo, 100*m.Interval.Hi)
		}
		fmt.Fprintf(t, "%s\t%.1f\t%s\t\n", m.Name, 100*m.Mean, interval)
	}
	t.Flush()
	fmt.Fprintln(w, "\nacc@k: all gold files are among the first k. Intervals: Wilson for acc, Student's t over records for the rest.")
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
		err := replaceFile(filepath.Join(out.Dir, name), func(to io.Writer) error {
			from, err := os.Open(filepath.Join(out.Dir, eval.ResultsName))
			if err != nil {
				return err
			}
			defer from.Close()
			_, err = localisation.WritePredictions(from, out.Header.Model, rollout, to)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
