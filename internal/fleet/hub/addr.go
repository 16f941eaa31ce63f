package hub

import (
	"fmt"
	"net"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats-server/v2/server"
)

// reachable is an address that this machine can use.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return a.String()
}

// free takes an address apart, as NATS wants it, and says at once when nobody can listen there: the server would try for long.
func free(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	port, perr := strconv.Atoi(text)
	if err != nil || perr != nil || port < 0 || port > 65535 {
		return "", 0, hint.New(fmt.Sprintf("%q is no address", addr), "HOST:PORT, as 127.0.0.1:4222; port 0 picks a free one")
	}
	if port == 0 {
		return host, server.RANDOM_PORT, nil
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", 0, hint.Wrap(fmt.Errorf("the hub cannot listen on %s: %w", addr, err),
			"another hub may run there already; port 0 picks a free one")
	}
	return host, port, l.Close()
}
