package evals

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// What is shown of a ranking at most, and what a ranking can be at all.
const (
	mostText   = 64 << 10 // bytes of an issue
	mostPlaces = 20       // of a ranking
	mostMissed = 100      // places that it should have had
	mostGold   = 2000     // places that are looked for, and among which they are
	mostLine   = 1 << 30  // the last line of a file
)

// Located is what a rollout of the environment localisation ranked, beside what it should have.
type Located struct {
	Repo  string `json:"repo,omitempty"`
	Issue string `json:"issue,omitempty"` // its head; absent where the row does not say
	// Levels are files, functions and lines: those of which there is a ranking or gold.
	Levels []LocatedLevel `json:"levels"`
}

// LocatedLevel is a ranking of one kind of places.
type LocatedLevel struct {
	Level  LevelName      `json:"level"`
	Ranked int            `json:"ranked"` // places, of which Places are the first
	Gold   int            `json:"gold"`   // places, or lines, that were to be found; 0 where that is not known
	Places []LocatedPlace `json:"places"`
	Missed []LocatedPlace `json:"missed"` // gold that is not among Places
}

// LevelName is what is ranked.
type LevelName string

// The levels.
const (
	LevelFiles     LevelName = "files"
	LevelFunctions LevelName = "functions"
	LevelLines     LevelName = "lines"
)

// LocatedPlace is a place that was ranked, or should have been.
type LocatedPlace struct {
	Rank    int    `json:"rank,omitempty"` // from 1; absent where it was not ranked
	Path    string `json:"path"`
	Name    string `json:"name,omitempty"` // of a function, qualified; absent for a file outside of its definitions
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"end_line,omitempty"`
	// Gold is how much of it was to be found: 1 or 0, or so many lines.
	Gold int `json:"gold"`
	// Score and Why are as in runfile.RankedPlace.
	Score *float64         `json:"score,omitempty"`
	Why   []runfile.Signal `json:"why"`
}

// localisationTask is what the names of that environment's tasks begin with.
const localisationTask = "localisation/"

// located reads what a row says of a ranking; nil for rollouts of other environments, and where the row keeps no ranking that can
// be read.
func located(task string, info json.RawMessage) *Located {
	if !strings.HasPrefix(task, localisationTask) {
		return nil
	}
	var kept struct {
		Extra *runfile.Localisation `json:"extra"`
	}
	if bounded.Unmarshal([]byte(doc.TextOf(info)), &kept) != nil || kept.Extra == nil {
		return nil
	}
	x := kept.Extra
	for _, list := range []*[]string{&x.GoldFiles, &x.FoundFiles, &x.GoldFunctions, &x.FoundFunctions} {
		*list = (*list)[:min(len(*list), mostGold)]
	}
	said := runfile.Ranked{}
	if x.Ranked != nil {
		said = *x.Ranked
	}
	out := &Located{Repo: doc.Clip(x.Repo, mostName), Issue: doc.Clip(x.Issue, mostText), Levels: []LocatedLevel{}}
	for _, level := range []LocatedLevel{
		named(LevelFiles, x.GoldFiles, x.FoundFiles, said.Files), named(LevelFunctions, x.GoldFunctions, x.FoundFunctions, said.Functions),
		lines(x.GoldLines, x.FoundLines, said.Functions),
	} {
		if level.Ranked+level.Gold > 0 {
			out.Levels = append(out.Levels, level)
		}
	}
	return out
}

// named compares rankings of places that a text names: paths, and functions as "path::Class.method". What the ranking says of its
// first places stands in said, in the same order.
func named(level LevelName, gold, found []string, said []runfile.RankedPlace) LocatedLevel {
	l := LocatedLevel{Level: level, Ranked: len(found), Gold: len(gold), Places: []LocatedPlace{}, Missed: []LocatedPlace{}}
	for i, name := range found[:min(len(found), mostPlaces)] {
		p := place(name)
		p.Rank = i + 1
		if slices.Contains(gold, name) {
			p.Gold = 1
		}
		if i < len(said) && joined(said[i]) == name {
			p.say(said[i])
		}
		l.Places = append(l.Places, p)
	}
	for _, name := range gold {
		at := slices.Index(found, name)
		if at >= 0 && at < len(l.Places) || len(l.Missed) == mostMissed {
			continue
		}
		p := place(name)
		p.Gold, p.Rank = 1, at+1
		l.Missed = append(l.Missed, p)
	}
	return l
}

// place is a place by its name.
func place(name string) LocatedPlace {
	path, inside, _ := strings.Cut(name, "::")
	return LocatedPlace{Path: doc.Clip(path, mostName), Name: doc.Clip(inside, mostName), Why: []runfile.Signal{}}
}

// joined names a place as rankings do.
func joined(p runfile.RankedPlace) string {
	if p.Name == "" {
		return p.Path
	}
	return p.Path + "::" + p.Name
}

// say adds what a ranking says of a place.
func (p *LocatedPlace) say(of runfile.RankedPlace) {
	if r, ok := sane(runfile.LineRange{Line: of.Line, EndLine: of.EndLine}); ok {
		p.Line, p.EndLine = r.Line, r.EndLine
	}
	if of.Score != nil && savedrow.Usable(*of.Score) {
		p.Score = of.Score
	}
	for _, s := range of.Why[:min(len(of.Why), runfile.MostSignals)] {
		if s.Name = doc.Clip(s.Name, mostName); savedrow.Usable(s.Value) {
			p.Why = append(p.Why, s)
		}
	}
}

// lines compares ranges with the gold lines. A range that a ranked function has, too, has its name and signals.
func lines(gold, found []runfile.LineRange, functions []runfile.RankedPlace) LocatedLevel {
	l := LocatedLevel{Level: LevelLines, Places: []LocatedPlace{}, Missed: []LocatedPlace{}}
	gold, found = saneRanges(gold), saneRanges(found)
	l.Ranked = len(found)
	for _, g := range gold {
		l.Gold += g.EndLine - g.Line + 1
	}
	for i, r := range found[:min(len(found), mostPlaces)] {
		p := LocatedPlace{Rank: i + 1, Path: doc.Clip(r.File, mostName), Line: r.Line, EndLine: r.EndLine, Why: []runfile.Signal{}}
		for _, g := range gold {
			if g.File == r.File {
				p.Gold += max(0, min(g.EndLine, r.EndLine)-max(g.Line, r.Line)+1)
			}
		}
		at := slices.IndexFunc(functions, func(f runfile.RankedPlace) bool {
			return f.Path == r.File && f.Line == r.Line && f.EndLine == r.EndLine
		})
		if at >= 0 {
			p.Name = doc.Clip(functions[at].Name, mostName)
			p.say(functions[at])
		}
		l.Places = append(l.Places, p)
	}
	for _, g := range gold {
		for _, r := range without(g, found[:len(l.Places)]) {
			if len(l.Missed) < mostMissed {
				l.Missed = append(l.Missed, LocatedPlace{Path: doc.Clip(r.File, mostName), Line: r.Line, EndLine: r.EndLine,
					Gold: r.EndLine - r.Line + 1, Why: []runfile.Signal{}})
			}
		}
	}
	return l
}

// sane is a range as a file can have it.
func sane(r runfile.LineRange) (runfile.LineRange, bool) {
	r.EndLine = max(r.Line, r.EndLine)
	return r, r.Line >= 1 && r.EndLine <= mostLine
}

func saneRanges(all []runfile.LineRange) (out []runfile.LineRange) {
	for _, r := range all[:min(len(all), mostGold)] {
		if r, ok := sane(r); ok {
			out = append(out, r)
		}
	}
	return out
}

// without is what of a range lies in none of others.
func without(r runfile.LineRange, others []runfile.LineRange) (left []runfile.LineRange) {
	others = slices.DeleteFunc(slices.Clone(others), func(o runfile.LineRange) bool { return o.File != r.File })
	slices.SortFunc(others, func(a, b runfile.LineRange) int { return cmp.Compare(a.Line, b.Line) })
	for _, o := range others {
		if r.Line < o.Line && r.Line <= r.EndLine {
			left = append(left, runfile.LineRange{File: r.File, Line: r.Line, EndLine: min(r.EndLine, o.Line-1)})
		}
		r.Line = max(r.Line, o.EndLine+1)
	}
	if r.Line <= r.EndLine {
		left = append(left, r)
	}
	return left
}
