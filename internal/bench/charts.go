package bench

import (
	"fmt"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/report"
)

// charts are what the page shows: cost against quality, coverage against findings.
func charts(r Result) []chart {
	return []chart{costChart(r), coverageChart(r)}
}

// costChart sets the mean cost of a run against quality.
func costChart(r Result) chart {
	c := chart{
		ID: "cost", Title: "Cost of a run against quality", Target: r.Target,
		XName: "cost a run", YName: "quality", UnknownX: "cost unknown", ZeroX: "$0",
		XText:  func(v float64) string { return report.Dollars(&v) + " a run" },
		YText:  func(v float64) string { return fmt.Sprintf("quality %.2f (%s)", v, letter(v)) },
		YMarks: []tick{{0.9, "A"}, {0.7, "B"}, {0.5, "C"}, {0.2, "D"}},
		Y:      axis{hi: 1},
	}
	for _, v := range []float64{0, 0.2, 0.4, 0.6, 0.8, 1} {
		c.Y.ticks = append(c.Y.ticks, tick{v, strconv.FormatFloat(v, 'f', 1, 64)})
	}
	var amounts []float64
	for _, row := range r.Rows {
		if row.Quality == nil {
			continue
		}
		p := point{Name: row.Config, Y: *row.Quality, Shape: row.Strategy, X: scaled(row.CostUSD, 1/float64(row.Done))}
		if p.X != nil {
			amounts = append(amounts, *p.X)
		}
		c.Points = append(c.Points, p)
	}
	c.X = costAxis(amounts)
	if c.X.log {
		c.XName += " (logarithmic)"
	}
	if len(amounts) == 0 {
		c.X.ticks = nil
	}
	return c
}

// coverageChart sets coverage against what was found: defects where every codebase has a truth, findings otherwise.
func coverageChart(r Result) chart {
	c := chart{
		ID: "coverage", Title: "Coverage against findings", Target: r.Target,
		XName: "coverage", YName: "findings", UnknownX: "coverage unknown",
		XText: func(v float64) string { return report.Percent(v) + " coverage" },
		X:     axis{hi: 1},
	}
	for _, v := range []float64{0, 0.2, 0.4, 0.6, 0.8, 1} {
		c.X.ticks = append(c.X.ticks, tick{v, fmt.Sprintf("%.0f%%", 100*v)})
	}
	truth := true
	for _, b := range r.Codebases {
		truth = truth && b.Truth
	}
	if truth {
		c.Title, c.YName = "Coverage against defects found", "defects found, a run"
	} else {
		c.YName = "findings, a run"
	}
	c.YText = func(v float64) string { return number(v) + " " + c.YName }
	most := 0.0
	for _, row := range r.Rows {
		if row.Done == 0 {
			continue
		}
		n := *row.Findings
		if truth {
			n = row.Truth.Found
		}
		y := float64(n) / float64(row.Done)
		most = max(most, y)
		c.Points = append(c.Points, point{Name: row.Config, X: row.Coverage, Y: y, Shape: row.Strategy})
	}
	c.Y = linearAxis(most, func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) })
	return c
}
