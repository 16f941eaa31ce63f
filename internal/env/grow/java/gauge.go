package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// growGauge writes a command-line tool: series of measurements, statistics over them, a cache, timers, and one command
// for each kind of thing that is measured.
func growGauge(s grow.Spec) map[string]string {
	p := newProject(s, "dev.quill", 5)
	g := &gauge{project: p, chief: camel(s.Domain.Actor(s.Rand))}
	first := p.entities[0]
	p.plain("README.md", g.readme)
	p.plain("build.gradle.kts", g.gradle)
	p.class("", "Series", g.series)
	p.class("", "Shelf", g.shelf)
	g.plan(first, "command")
	p.class("", "Console", g.console)
	g.plan(first, "command test")
	p.class("", "Ticker", g.ticker)
	p.class("", "Tool", g.tool)
	g.plan(first, "extract")
	p.class("", "Keyring", g.keyring)
	p.class("", "Fetcher", g.fetcher)
	g.plan(first, "brief")
	p.class("", "Stash", g.stash)
	p.class("", "Meters", g.meters)
	p.test("", "SeriesTest", g.seriesTest)
	g.plan(first, "alarm")
	for _, e := range p.entities[1:] {
		g.plan(e, "command", "extract", "command test", "brief", "alarm", "plot")
	}
	return p.texts()
}

// gauge is the template of measuring tools.
type gauge struct {
	*project
	chief string
}

func (g *gauge) plan(e grow.Entity, kinds ...string) {
	name := pascal(e.Name)
	for _, kind := range kinds {
		switch kind {
		case "command":
			g.class("cmd", name+"Command", func() string { return g.command(e) })
		case "command test":
			g.test("cmd", name+"CommandTest", func() string { return g.commandTest(e) })
		case "extract":
			g.class("data", name+"Extract", func() string { return g.extract(e) })
		case "brief":
			g.class("data", name+"Brief", func() string { return g.brief(e) })
		case "plot":
			g.class("data", name+"Plot", func() string { return g.plot(e) })
		case "alarm":
			g.class("watch", name+"Alarm", func() string { return g.alarm(e) })
		}
	}
}

func (g *gauge) fill(text string, e grow.Entity, pairs ...string) string {
	f, _ := first(e, grow.Text)
	return fill(text, append([]string{"$Thing", pascal(e.Name), "$thing", kebab(e.Name), "$words", words(plural(e.Name)), "$measure", measure(e), "$amount", camel(measure(e)), "$by", f.Name}, pairs...)...)
}

func (g *gauge) readme() string {
	return fill(`$name: numbers about the $domain
=================================

usage: $name COMMAND [--since MILLIS] [--top N] FILE

Each kind of thing that is measured has a command of its own. Files hold one measurement a line:
milliseconds since 1970, a tab, the value, a tab, what it belongs to.

The $chief wants to see the top of every list first.
`, "$name", kebab(g.Name), "$domain", words(g.Domain.Name), "$chief", strings.ToLower(words(g.chief)))
}

func (g *gauge) gradle() string {
	return fill(`plugins {
    application
    java
}

version = "$major.$minor"

repositories { mavenCentral() }

dependencies { testImplementation("org.junit.jupiter:junit-jupiter:5.10.2") }

tasks.test { useJUnitPlatform() }
`, "$major", fmt.Sprint(1+g.Rand.IntN(4)), "$minor", fmt.Sprint(g.Rand.IntN(20)))
}
