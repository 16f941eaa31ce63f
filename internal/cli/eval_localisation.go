package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// scoreRankings scores a file of rankings, without playing anything.
func (a *app) scoreRankings(ctx context.Context, name string, f evalFlags) error {
	if name != localisation.Name {
		return usageError{fmt.Errorf("--score is for localisation, not for %s", name), "deeprepo eval localisation --score FILE"}
	}
	if f.score == "" {
		return usageError{errors.New("--score needs a file"), "deeprepo eval localisation --score FILE"}
	}
	var golds []localisation.Gold
	if f.data != "" {
		records, err := localisation.OpenRecords(f.data)
		if err != nil {
			return err
		}
		golds = localisation.Golds(records)
		if f.repos != "" {
			if golds, err = localisation.ReadGolds(ctx, localisation.Config{Records: records, Repos: f.repos, Parser: a.parser}); err != nil {
				return err
			}
		}
	}
	s, err := localisation.ScoreFile(f.score, golds)
	if err != nil {
		return err
	}
	return a.print(s, func(w io.Writer) error { writeScores(w, f.score, s); return nil })
}

// writeLevels prints what the rankings of an eval of localisation are worth by level and by repository.
func writeLevels(w io.Writer, out eval.Outcome) error {
	if out.Header.Environment != localisation.Name {
		return nil
	}
	from, err := os.Open(filepath.Join(out.Dir, eval.ResultsName))
	if err != nil {
		return err
	}
	defer from.Close()
	s, err := localisation.ScoreResults(from)
	if err != nil || s.Records == 0 {
		return err
	}
	fmt.Fprintln(w)
	writeScores(w, "rankings", s)
	return nil
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
		if m.Records < s.Records {
			interval += fmt.Sprintf(" (%d records)", m.Records)
		}
		fmt.Fprintf(t, "%s\t%.1f\t%s\t\n", m.Name, 100*m.Mean, interval)
	}
	t.Flush()
	fmt.Fprintln(w, "\nacc@k: all gold is among the first k. Intervals: Wilson for acc of one ranking a record, Student's t over "+
		"records for the rest.")
	if len(s.Repositories) == 0 {
		return
	}
	fmt.Fprintln(w)
	shown := []string{"acc@1", "acc@5", "mrr", "function_acc@5", "function_recall@10", "function_mrr", "line_recall@10"}
	fmt.Fprintf(t, "repository\trecords\t%s\t\n", strings.Join(shown, "\t"))
	for _, r := range s.Repositories {
		fmt.Fprintf(t, "%s\t%d", termtext.MaskedLine(r.Repo), r.Records)
		for _, name := range shown {
			cell := "-"
			for _, m := range r.Metrics {
				if m.Name == name {
					cell = fmt.Sprintf("%.1f", 100*m.Mean)
				}
			}
			fmt.Fprintf(t, "\t%s", cell)
		}
		fmt.Fprintln(t, "\t")
	}
	t.Flush()
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
