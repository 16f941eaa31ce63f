// Package simulation runs whole reviews of hostile repositories with failing models, and asserts after each what a
// review promises. A seed decides everything: the repository, the options, what the root's script does, which call fails
// how, and where the run is interrupted and resumed.
//
//	go test ./internal/simulation                              1,000 seeds; 100 with -short
//	go test ./internal/simulation -run TestSimulation$ -seeds 10000
//	go test ./internal/simulation -run TestSimulation$ -seed 4711 -v
//
// It has no code of its own but the tests.
package simulation
