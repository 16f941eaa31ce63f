package report

import "github.com/deeprepo/deeprepo/internal/termtext"

// Inline makes a name from a user, a model or a repository harmless on one line of a terminal: what acts instead of being
// seen is written out.
func Inline(s string) string { return termtext.Inline(s) }

// InlineMarkdown is s as plain inline text of a Markdown document, fit for a table's cell: every mark is escaped.
func InlineMarkdown(s string) string { return cell(escaped(s)) }

// Dollars writes a cost: "?" when it is unknown.
func Dollars(usd *float64) string { return dollars(usd) }

// Percent writes a fraction; it says 100% and 0% only of the whole and of nothing.
func Percent(f float64) string { return percent(f) }
