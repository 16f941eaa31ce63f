package cli

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"time"
)

// openBrowser shows a URL in the desktop's browser. The URL is an argument of a program, never of a shell. The error says
// why there is no browser to be had.
func openBrowser(ctx context.Context, getenv func(string) string, url string) error {
	name, args := browserCommand(runtime.GOOS, getenv)
	if name == "" {
		return errors.New("there is no desktop here")
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return errors.New(name + " is not installed")
	}
	// It hands the URL over and ends. Some stay as long as the browser does: those keep running without us.
	cmd := exec.Command(path, append(args, url)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with the program it waits for
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return nil
	case <-time.After(3 * time.Second):
		return nil
	}
}

// browserCommand is the program that opens a URL on a desktop, "" if there is none.
func browserCommand(goos string, getenv func(string) string) (name string, args []string) {
	if getenv("CI") != "" || getenv("SSH_CONNECTION") != "" && getenv("DISPLAY") == "" {
		return "", nil
	}
	switch goos {
	case "darwin":
		return "open", nil
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler"}
	}
	if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
		return "", nil
	}
	return "xdg-open", nil
}
