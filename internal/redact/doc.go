// Package redact takes secrets out of text before it leaves the machine.
//
// It knows some thirty kinds of credentials by their form, and assignments such
// as password = "..." by name, entropy and the absence of everything that marks
// a placeholder. Each is replaced by [REDACTED:kind].
//
// The invariants: the text keeps its number of lines, what is not a secret stays
// byte for byte, and redacting twice is redacting once.
//
// Precision comes before recall: a redacted identifier hides code from a review.
// The package is a safety net and no proof that a text holds no secret.
package redact
