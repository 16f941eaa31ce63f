package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/deeprepo/deeprepo/internal/web/access"
	"github.com/spf13/cobra"
)

// envServeToken names the variable that fixes a server's token.
const envServeToken = "DEEPREPO_SERVE_TOKEN"

// serveFlags are the flags that all servers have.
type serveFlags struct {
	addr, token       string // token stays "" where no flag sets it
	hosts             []string
	noToken, untilEOF bool
}

// add declares them. users are those whose requests name the server.
func (f *serveFlags) add(cmd *cobra.Command, addr, users string) {
	fl := cmd.Flags()
	fl.StringVar(&f.addr, "addr", addr, "HOST:PORT to listen on; port 0 picks a free one")
	fl.StringSliceVar(&f.hosts, "host", nil, "host names of this server that "+users+" may use, besides addresses and localhost")
	fl.BoolVar(&f.noToken, "no-token", false, "let everyone on this machine in; refused on other addresses")
	fl.BoolVar(&f.untilEOF, "until-eof", false, "stop when standard input closes, for programs that start their own server")
}

// server answers on a listener until its context ends.
type server interface {
	Serve(ctx context.Context, l net.Listener) error
}

// listen prints the URL that clients are given, tail at its end, and serves.
func (a *app) listen(cmd *cobra.Command, f serveFlags, s server, token, tail string, told func(url string, on net.Addr)) error {
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr)
	if err != nil {
		return usageError{fmt.Errorf("--addr %s: %w", f.addr, err), "port 0 picks a free one: --addr 127.0.0.1:0"}
	}
	url := access.BaseURL(reachable(listener.Addr()), token) + tail
	fmt.Fprintln(a.stdout, url)
	told(url, listener.Addr())
	if f.untilEOF {
		go func() { // ends with the program: a read of standard input cannot be taken back
			_, _ = io.Copy(io.Discard, cmd.InOrStdin())
			stop()
		}()
	}
	return s.Serve(ctx, listener)
}

// accessToken is the token that the server's clients must know, "" for none.
func (f serveFlags) accessToken(getenv func(string) string) (string, error) {
	host, _, err := net.SplitHostPort(f.addr)
	if err != nil {
		return "", usageError{fmt.Errorf("--addr %q: %w", f.addr, err), "--addr 127.0.0.1:8000"}
	}
	fixed, source := getenv(envServeToken), envServeToken
	if f.token != "" {
		fixed, source = f.token, "--token"
	}
	if f.noToken {
		ip := net.ParseIP(host)
		switch {
		case host != "localhost" && (ip == nil || !ip.IsLoopback()):
			return "", usageError{fmt.Errorf("--no-token on %s would let everyone on the network in", f.addr),
				"listen on 127.0.0.1, or keep the token"}
		case fixed != "":
			return "", usageError{errors.New("--no-token and " + source + " contradict each other"), "omit one of them"}
		}
		return "", nil
	}
	if fixed == "" {
		return access.NewToken()
	}
	if err := access.CheckToken(fixed); err != nil {
		return "", usageError{fmt.Errorf("%s: %w", source, err), "to make a good one: openssl rand -hex 16"}
	}
	return fixed, nil
}

// reachable is an address that clients on this machine can use: where everything is listened on, the loopback.
func reachable(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
	}
	return addr.String()
}
