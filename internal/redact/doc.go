// Package redact takes secrets out of text before it leaves the machine.
//
// It knows some ninety kinds of credentials by their form (rules.go, providers.go), and settings such as password: x by their name, the
// place that they stand in (setting.go, value.go) and the absence of everything that marks a placeholder (assigned.go, stock.go). Each
// is replaced by [REDACTED:kind].
//
// A value without quotes counts where the format has such values: the name of a file decides (format.go), which stands in the header of
// its part of a prompt. Source code has quoted values only; of a text without a name, whole lines are read, with caution.
//
// Well-known defaults stay (changeme, password, admin, postgres): everybody knows them, and a reviewer should see them.
//
// The invariants: the text keeps its number of lines, what is not a secret stays
// byte for byte, redacting twice is redacting once, and the time is linear in
// the length of the text.
//
// Precision comes before recall: a redacted identifier hides code from a review.
// The package is a safety net and no proof that a text holds no secret; TestCorpus
// measures it, and TestDirectory shows what would be replaced in a directory.
package redact
