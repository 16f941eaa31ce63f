// Package wire reads what model servers write in ways of their own: error bodies, Retry-After, reported costs, and tool
// calls cut into stream pieces. All of it is hostile input, so each reader has a fuzz target, and the package stays
// free of the SDKs, which makes these quick to build.
//
// It does no I/O and keeps no secrets: removing keys from texts is the caller's duty.
package wire
