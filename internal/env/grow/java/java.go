// Package java holds the templates that Java projects are grown from.
//
// Training: a service over records in a SQL database, and a batch that imports files and writes statements. Held out:
// a relay that hands events to plugins, and a command-line tool over measurements. The four share no text with each other.
//
// A template lists the files of an endless project, each needing only files listed before it; a project of n files is
// the first n of that list, so every size holds together. The texts of the files lie in templates/NAME, see grow.Texts;
// package and imports are written here. What a text can call is told at project.shared and project.own.
//
// Invariant: the projects are right: what a careful reader could report in them was planted later. Nothing here is
// compiled or run by the tests, which parse the files and resolve their names.
package java

import (
	"embed"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
)

//go:embed all:templates
var files embed.FS

var texts = sync.OnceValue(func() grow.Texts { return grow.ReadTexts(files) })

// Templates lists the templates.
func Templates() []grow.Template { return templates(false) }

// Unsettled lists the templates as they were at first. In their relay every codec reads and writes its lines with
// separators that were chosen independently, so that decode seldom reads what encode wrote, and no truth says so.
func Unsettled() []grow.Template { return templates(true) }

func templates(unsettled bool) []grow.Template {
	var all []grow.Template
	for _, l := range layouts() {
		l.unsettled = unsettled
		all = append(all, grow.Template{Name: "java/" + l.name, Language: "java", Split: l.split, About: l.about, Grow: l.grow})
	}
	return all
}

// layout says of which files the projects of a template are made.
type layout struct {
	name, split, about string
	group              string // the first part of the project's packages
	perEntity          int    // a project of so many files has another entity
	start              string // files in their order; those with a name between underscores belong to the first entity
	more               string // files of every further entity
	unsettled          bool   // what a text settles is chosen anew all the same
}

func layouts() []layout {
	return []layout{{
		name: "record-service", split: env.Train, about: "records in a SQL database behind small HTTP handlers",
		group: "com.acme", perEntity: 12,
		start: `README.md pom.xml main/model/_Type_.java main/store/_Type_Store.java main/auth/Access.java main/service/_Type_Service.java
			test/model/_Type_Test.java main/web/Html.java main/web/_Type_Page.java main/cache/TtlCache.java main/cache/_Type_Cache.java
			main/auth/Tokens.java main/web/Request.java main/web/_Type_Form.java test/web/_Type_FormTest.java main/files/Attachments.java
			main/audit/AuditLog.java main/web/Response.java test/web/HtmlTest.java main/web/_Type_Handler.java main/web/_Type_Json.java
			main/auth/Passwords.java main/Settings.java main/web/Router.java test/cache/TtlCacheTest.java main/jobs/RetryPolicy.java
			main/client/_Type_Client.java main/jobs/_Type_Cleanup.java main/jobs/_Type_Export.java`,
		more: `main/model/_Type_.java main/store/_Type_Store.java main/service/_Type_Service.java test/model/_Type_Test.java
			main/web/_Type_Page.java main/cache/_Type_Cache.java main/web/_Type_Form.java main/web/_Type_Handler.java main/web/_Type_Json.java
			test/web/_Type_FormTest.java main/client/_Type_Client.java main/jobs/_Type_Cleanup.java main/jobs/_Type_Export.java`,
	}, {
		name: "batch-import", split: env.Train, about: "files of rows read, checked, added up and written out",
		group: "org.greyfield", perEntity: 6,
		start: `README.md pom.xml main/rows/Row.java main/rows/CsvSource.java main/run/Sums.java main/feeds/_Type_Feed.java
			test/rows/CsvSourceTest.java main/out/Markup.java main/out/_Type_Sheet.java main/run/Leases.java main/run/Stage.java
			main/run/Clerks.java main/run/Approvals.java main/rows/XmlSource.java test/run/SumsTest.java main/run/Folder.java
			main/run/Journal.java main/db/_Type_Loader.java main/feeds/_Type_Checks.java test/feeds/_Type_FeedTest.java main/rows/Seal.java
			main/run/Options.java main/out/RateTable.java`,
		more: `main/feeds/_Type_Feed.java main/out/_Type_Sheet.java main/db/_Type_Loader.java main/feeds/_Type_Checks.java
			test/feeds/_Type_FeedTest.java main/feeds/_Type_Diff.java`,
	}, {
		name: "event-relay", split: env.Heldout, about: "a queue of events handed to plugins",
		group: "net.tidewater", perEntity: 6,
		start: `README.md build.gradle main/core/Event.java main/core/Inbox.java main/core/Dispatcher.java
			main/plugins/_package_/_Type_Plugin.java test/core/InboxTest.java main/io/Snapshots.java main/io/Webhook.java
			main/plugins/_package_/_Type_Projection.java main/io/HookRunner.java main/plugins/_package_/_Type_Replay.java
			test/plugins/_package_/_Type_PluginTest.java main/plugins/_package_/_Type_Codec.java main/core/Backoff.java
			main/core/PluginRegistry.java main/core/Gate.java main/plugins/_package_/_Type_Screen.java
			main/plugins/_package_/_Type_Window.java main/io/Vault.java main/core/DeadLetters.java main/core/Limits.java
			test/core/DeadLettersTest.java`,
		more: `main/plugins/_package_/_Type_Plugin.java main/plugins/_package_/_Type_Projection.java main/plugins/_package_/_Type_Replay.java
			test/plugins/_package_/_Type_PluginTest.java main/plugins/_package_/_Type_Codec.java main/plugins/_package_/_Type_Screen.java
			main/plugins/_package_/_Type_Window.java main/plugins/_package_/_Type_Messages.java`,
	}, {
		name: "gauge-tool", split: env.Heldout, about: "a command line over measurements, with a cache and timers",
		group: "dev.quill", perEntity: 5,
		start: `README.md build.gradle.kts main/Series.java main/Shelf.java main/cmd/_Type_Command.java main/Console.java
			test/cmd/_Type_CommandTest.java main/Ticker.java main/Tool.java main/data/_Type_Extract.java main/Keyring.java main/Fetcher.java
			main/data/_Type_Brief.java main/Stash.java main/Meters.java test/SeriesTest.java main/watch/_Type_Alarm.java`,
		more: `main/cmd/_Type_Command.java main/data/_Type_Extract.java test/cmd/_Type_CommandTest.java main/data/_Type_Brief.java
			main/watch/_Type_Alarm.java main/data/_Type_Plot.java`,
	}}
}
