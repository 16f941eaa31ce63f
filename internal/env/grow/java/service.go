package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// growService writes a service: records in SQL tables, rules over them, handlers that answer requests.
func growService(s grow.Spec) map[string]string {
	p := newProject(s, "com.acme", 12)
	role := camel(s.Domain.Actor(s.Rand))
	t := &service{project: p, role: role}
	first := p.entities[0]
	p.plain("README.md", t.readme)
	p.plain("pom.xml", t.pom)
	t.plan(first, "model", "store")
	p.class("auth", "Access", t.access)
	t.plan(first, "service", "model test")
	p.class("web", "Html", t.html)
	t.plan(first, "page")
	p.class("cache", "TtlCache", t.ttlCache)
	t.plan(first, "cache")
	p.class("auth", "Tokens", t.tokens)
	p.class("web", "Request", t.request)
	t.plan(first, "form", "form test")
	p.class("files", "Attachments", t.attachments)
	p.class("audit", "AuditLog", t.auditLog)
	p.class("web", "Response", t.response)
	p.test("web", "HtmlTest", t.htmlTest)
	t.plan(first, "handler", "json")
	p.class("auth", "Passwords", t.passwords)
	p.class("", "Settings", t.settings)
	p.class("web", "Router", t.router)
	p.test("cache", "TtlCacheTest", t.ttlCacheTest)
	p.class("jobs", "RetryPolicy", t.retryPolicy)
	t.plan(first, "client", "cleanup", "export")
	for _, e := range p.entities[1:] {
		t.plan(e, "model", "store", "service", "model test", "page", "cache", "form", "handler", "json", "form test", "client", "cleanup", "export")
	}
	return p.texts()
}

// service is the template of services over records.
type service struct {
	*project
	role string
}

// plan plans the files that an entity has.
func (t *service) plan(e grow.Entity, kinds ...string) {
	name := pascal(e.Name)
	for _, kind := range kinds {
		switch kind {
		case "model":
			t.class("model", name, func() string { return t.model(e) })
		case "store":
			t.class("store", name+"Store", func() string { return t.store(e) })
		case "service":
			t.class("service", name+"Service", func() string { return t.service(e) })
		case "model test":
			t.test("model", name+"Test", func() string { return t.modelTest(e) })
		case "page":
			t.class("web", name+"Page", func() string { return t.page(e) })
		case "cache":
			t.class("cache", name+"Cache", func() string { return t.cache(e) })
		case "form":
			t.class("web", name+"Form", func() string { return t.form(e) })
		case "form test":
			t.test("web", name+"FormTest", func() string { return t.formTest(e) })
		case "handler":
			t.class("web", name+"Handler", func() string { return t.handler(e) })
		case "json":
			t.class("web", name+"Json", func() string { return t.json(e) })
		case "client":
			t.class("client", name+"Client", func() string { return t.client(e) })
		case "cleanup":
			t.class("jobs", name+"Cleanup", func() string { return t.cleanup(e) })
		case "export":
			t.class("jobs", name+"Export", func() string { return t.export(e) })
		}
	}
}

// fill replaces the names of an entity and then others.
func (t *service) fill(text string, e grow.Entity, pairs ...string) string {
	f, _ := first(e, grow.Text)
	return fill(text, append([]string{
		"$Type", pascal(e.Name), "$var", camel(e.Name), "$label", words(e.Name), "$aLabel", article(words(e.Name)), "$table", plural(e.Name),
		"$key", kebab(e.Name), "$role", t.role, "$Text", pascal(f.Name), "$text", camel(f.Name), "$column", f.Name}, pairs...)...)
}

// javaType is how a field is declared.
func (t *service) javaType(f grow.Field) string {
	switch f.Kind {
	case grow.Cents:
		return "long"
	case grow.Count:
		return "int"
	case grow.Ratio:
		return "double"
	case grow.Time:
		return "Instant"
	case grow.Flag:
		return "boolean"
	case grow.Tags:
		return "List<String>"
	}
	return "String"
}

func (t *service) readme() string {
	return fill(`# $name

Keeps the records of a $domain: one table, one store, one set of rules and one handler for each kind of record.

    mvn -q test
    mvn -q package

The database is whatever javax.sql.DataSource the container hands in. Settings come from the environment:

| variable | meaning |
|---|---|
| DATA_DIR | where attachments and exports lie |
| TOKEN_KEY | key that tokens are signed with |
| CACHE_SECONDS | how long records stay cached |
`, "$name", t.Name, "$domain", words(t.Domain.Name))
}

func (t *service) pom() string {
	return fill(`<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.acme</groupId>
  <artifactId>$name</artifactId>
  <version>1.$minor.0</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.10.2</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
`, "$name", kebab(t.Name), "$minor", fmt.Sprint(t.Rand.IntN(12)))
}
