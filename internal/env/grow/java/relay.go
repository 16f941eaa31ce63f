package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// growRelay writes a relay: an inbox of events, plugins that take them, and what plugins need.
func growRelay(s grow.Spec) map[string]string {
	p := newProject(s, "net.tidewater", 6)
	r := &relay{project: p, chief: camel(s.Domain.Actor(s.Rand)), deed: camel(s.Domain.Verb(s.Rand))}
	first := p.entities[0]
	p.plain("README.md", r.readme)
	p.plain("build.gradle", r.gradle)
	p.class("core", "Event", r.event)
	p.class("core", "Inbox", r.inbox)
	p.class("core", "Dispatcher", r.dispatcher)
	r.plan(first, "plugin")
	p.test("core", "InboxTest", r.inboxTest)
	p.class("io", "Snapshots", r.snapshots)
	p.class("io", "Webhook", r.webhook)
	r.plan(first, "projection")
	p.class("io", "HookRunner", r.hookRunner)
	r.plan(first, "replay", "plugin test", "codec")
	p.class("core", "Backoff", r.backoff)
	p.class("core", "PluginRegistry", r.registry)
	p.class("core", "Gate", r.gate)
	r.plan(first, "screen", "window")
	p.class("io", "Vault", r.vault)
	p.class("core", "DeadLetters", r.deadLetters)
	p.class("core", "Limits", r.limits)
	p.test("core", "DeadLettersTest", r.deadLettersTest)
	for _, e := range p.entities[1:] {
		r.plan(e, "plugin", "projection", "replay", "plugin test", "codec", "screen", "window", "messages")
	}
	return p.texts()
}

// relay is the template of event relays.
type relay struct {
	*project
	chief, deed string
}

// plan plans the files that a kind of event has, in a package of their own.
func (r *relay) plan(e grow.Entity, kinds ...string) {
	pkg, name := "plugins."+strings.ReplaceAll(e.Name, "_", ""), pascal(e.Name)
	for _, kind := range kinds {
		switch kind {
		case "plugin":
			r.class(pkg, name+"Plugin", func() string { return r.plugin(e) })
		case "projection":
			r.class(pkg, name+"Projection", func() string { return r.projection(e) })
		case "replay":
			r.class(pkg, name+"Replay", func() string { return r.replay(e) })
		case "plugin test":
			r.test(pkg, name+"PluginTest", func() string { return r.pluginTest(e) })
		case "codec":
			r.class(pkg, name+"Codec", func() string { return r.codec(e) })
		case "screen":
			r.class(pkg, name+"Screen", func() string { return r.screen(e) })
		case "messages":
			r.class(pkg, name+"Messages", func() string { return r.messages(e) })
		case "window":
			r.class(pkg, name+"Window", func() string { return r.window(e) })
		}
	}
}

func (r *relay) fill(text string, e grow.Entity, pairs ...string) string {
	return fill(text, append([]string{"$Kind", pascal(e.Name), "$kind", kebab(e.Name), "$words", words(e.Name), "$chief", r.chief, "$Deed", pascal(r.deed), "$deed", r.deed}, pairs...)...)
}

func (r *relay) readme() string {
	return fill(`$name
====

Takes what happens at the $domain as events and hands each to the plugins that care.

Build it with "gradle build". A plugin implements Dispatcher.Plugin and says by accepts() which events it wants.
An event stays in the inbox until every plugin has taken it; what fails too often ends among the dead letters.

Made for the $chief.
`, "$name", r.Name, "$domain", words(r.Domain.Name), "$chief", words(r.chief))
}

func (r *relay) gradle() string {
	return fill(`plugins {
    id 'java-library'
}

group = 'net.tidewater'
version = '0.$minor.$patch'

java {
    toolchain { languageVersion = JavaLanguageVersion.of(17) }
}

repositories { mavenCentral() }

dependencies {
    testImplementation 'org.junit.jupiter:junit-jupiter:5.10.2'
}

test { useJUnitPlatform() }
`, "$minor", fmt.Sprint(1+r.Rand.IntN(30)), "$patch", fmt.Sprint(r.Rand.IntN(9)))
}
