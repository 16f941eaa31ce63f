// Package e2e holds the web page's end-to-end tests: Chromium, `deeprepo ui` as its own program, and run directories
// that the program's own commands have made before. It has no code of its own.
//
// A test opens a page, clicks and types as a person does, and waits for what a person would see:
//
//	p := open(t, reviewed(t))       // the page, at the run's overview
//	p.ClickText("Turns")
//	p.Wait("dispatched")
//	p.Key("j")
//	p.Shot("turns")                 // with -screenshots DIR: at 390 and 1440 pixels, light and dark
//
// A page that writes an error into the console, throws, breaks its content security policy or asks for anything outside
// fails the test that has it open. Where there is no Chromium, the tests are skipped.
package e2e
