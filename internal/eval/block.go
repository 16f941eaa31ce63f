package eval

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Header is what a result block says above the numbers.
type Header struct {
	Environment string
	Model       string
	Provider    string
	Examples    int
	Rollouts    int
	// RewardName is the reward function's name, "" where the files do not say.
	RewardName string
}

func (o Options) header(c Config) Header {
	return Header{Environment: c.Environment.Name(), Model: o.Model, Provider: c.Provider, Examples: o.Examples,
		Rollouts: o.Rollouts, RewardName: c.Environment.About().RewardName}
}

// WriteBlock prints verifiers' result block (0.1.10: eval_utils.print_results) to the letter, Python's rounding
// included, with the metrics that every environment has: the reward under its function's name and num_turns. A rollout
// that ended in an error is in no mean, and None in the lists.
func WriteBlock(w io.Writer, h Header, r *Results) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Environment: %s\nModel: %s\nProvider: %s\nExamples: %d\nRollouts per example: %d\n\n",
		termtext.MaskedLine(h.Environment), termtext.MaskedLine(h.Model), termtext.MaskedLine(h.Provider), h.Examples, h.Rollouts)
	b.WriteString("Rewards:\n")
	r.writeRewards(&b, "reward", func(rec *Record) (float64, bool) { return rec.Reward, true })
	for _, name := range []string{h.RewardName, "num_turns"} {
		if _, ok := r.index[name]; ok {
			r.writeRewards(&b, name, func(rec *Record) (float64, bool) { return r.metric(rec, name) })
		}
	}
	r.writeInfo(&b)
	r.writeTiming(&b)
	r.writeUsage(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeRewards prints mean, population deviation, and one list for the first rollouts of all examples, one for the
// second ones, ...
func (r *Results) writeRewards(b *strings.Builder, name string, value func(*Record) (float64, bool)) {
	var all []float64
	var lists [][]string
	for _, group := range r.byExample() {
		for i := range group {
			rec := &group[i]
			text := "None"
			if v, ok := value(rec); ok && rec.OK() {
				all = append(all, v)
				text = stats.FormatPy(stats.PyRound(v, 3))
			}
			for len(lists) <= i {
				lists = append(lists, nil)
			}
			lists[i] = append(lists[i], text)
		}
	}
	fmt.Fprintf(b, "%s: %s\n", termtext.MaskedLine(name), meanStd(all))
	for i, list := range lists {
		fmt.Fprintf(b, "r%d: [%s]\n", i+1, strings.Join(list, ", "))
	}
}

func meanStd(xs []float64) string {
	if len(xs) == 0 {
		return "avg - nan, std - nan"
	}
	s := stats.Summarize(xs)
	return fmt.Sprintf("avg - %.3f, std - %.3f", s.Mean, s.Std)
}

func (r *Results) writeInfo(b *strings.Builder) {
	var cut, failed []float64
	var stops, failures []string
	for i := range r.records {
		rec := &r.records[i]
		cut = append(cut, indicator(rec.Truncated))
		failed = append(failed, indicator(!rec.OK()))
		stops = append(stops, rec.Stop)
		if !rec.OK() {
			failures = append(failures, rec.Error)
		}
	}
	fmt.Fprintf(b, "Info:\nis_truncated: %s\n", meanStd(cut))
	var shares []string
	for _, s := range sharesOf(stops) {
		shares = append(shares, fmt.Sprintf("%s: %.3f", termtext.MaskedLine(s.name), s.share))
	}
	fmt.Fprintf(b, "stop_conditions: %s\n", strings.Join(shares, ", "))
	if len(failures) > 0 {
		fmt.Fprintf(b, "errors: %s\n", meanStd(failed))
		for _, s := range sharesOf(failures) {
			fmt.Fprintf(b, " - %s: %.3f\n", termtext.MaskedLine(s.name), s.share)
		}
	}
}

func indicator(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

type share struct {
	name  string
	share float64
}

// sharesOf counts names in the order in which they are met.
func sharesOf(names []string) []share {
	counts := map[string]int{}
	var order []string
	for _, n := range names {
		if counts[n]++; counts[n] == 1 {
			order = append(order, n)
		}
	}
	shares := make([]share, len(order))
	for i, n := range order {
		shares[i] = share{n, float64(counts[n]) / float64(len(names))}
	}
	return shares
}

func (r *Results) writeTiming(b *strings.Builder) {
	var seconds []float64
	for i := range r.records {
		if s := r.records[i].Generation; !math.IsNaN(s) {
			seconds = append(seconds, s)
		}
	}
	if len(seconds) == 0 {
		return
	}
	s := stats.Summarize(seconds)
	fmt.Fprintf(b, "Timing:\ngeneration: min - %s, mean - %s, max - %s\n", printTime(s.Min), printTime(s.Mean), printTime(s.Max))
}

func (r *Results) writeUsage(b *strings.Builder) {
	var input, output []float64
	for i := range r.records {
		if rec := &r.records[i]; !math.IsNaN(rec.Input) && !math.IsNaN(rec.Output) {
			input, output = append(input, rec.Input), append(output, rec.Output)
		}
	}
	if len(input) == 0 {
		return
	}
	fmt.Fprintf(b, "Usage:\ninput_tokens (avg): %.3f\noutput_tokens (avg): %.3f\n", stats.Mean(input), stats.Mean(output))
}

// printTime is verifiers' logging_utils.print_time.
func printTime(s float64) string {
	switch {
	case s >= 86400:
		return twoUnits(math.Floor(s/86400), "d", math.Floor(math.Mod(s, 86400)/3600), "h")
	case s >= 3600:
		return twoUnits(math.Floor(s/3600), "h", math.Floor(math.Mod(s, 3600)/60), "m")
	case s >= 60:
		return twoUnits(math.Floor(s/60), "m", math.Floor(math.Mod(s, 60)), "s")
	case s < 1:
		return fmt.Sprintf("%.0fms", s*1e3)
	}
	return fmt.Sprintf("%.0fs", s)
}

func twoUnits(a float64, unit string, b float64, smaller string) string {
	text := fmt.Sprintf("%.0f%s", a, unit)
	if b > 0 {
		text += fmt.Sprintf(" %.0f%s", b, smaller)
	}
	return text
}
