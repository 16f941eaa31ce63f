package fleet

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// protocol is what parties must agree on beside their builds: names, headers, and what they mean.
const protocol = 1

// Options say where a fleet is and who speaks.
type Options struct {
	// URL is the hub's, nats://HOST:PORT or tls://HOST:PORT; several of a cluster, separated by commas.
	URL string
	// KeyFile holds the NKey seed of the role, or NATS credentials with a JWT. Defaults to none: the server lets everybody in.
	KeyFile string
	// CAFile holds certificates that a hub's certificate may stand on. Defaults to the machine's own.
	CAFile string
	// Name is shown in the server's list of connections.
	Name string
	// Build says which program this is: parties of another build are refused. Version is what people call it.
	Build, Version string
	// Server is the hub where it is in this process. Defaults to none: URL is dialled.
	Server nats.InProcessConnProvider
	// Trouble is told of a connection that broke or came back. Defaults to nothing.
	Trouble func(string)
}

// state is what a fleet is, as its hub says.
type state struct {
	Protocol int           `json:"protocol"`
	Build    string        `json:"build"`
	Version  string        `json:"version"`
	AckWait  time.Duration `json:"ack_wait"`
	Signers  []string      `json:"signers"` // whose results count; none: everybody's
}

// Conn is a connection to a fleet. It is safe for concurrent use.
type Conn struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	key     nkeys.KeyPair
	state   state
	objects jetstream.ObjectStore
	name    string
	fleet   jetstream.KeyValue // what it says of itself
	denied  context.Context    // ended once the hub refused something, with the reason
	deny    context.CancelCauseFunc
	lost    context.Context // ended with the connection, with the reason: nothing comes any more
	lose    context.CancelCauseFunc

	mu      sync.Mutex
	streams map[string]jetstream.Stream

	signing sync.Mutex // of state.Signers
	asked   time.Time  // when they were the hub's latest

	blobs blobs
}

// maxKeyFile bounds a file with credentials, in bytes.
const maxKeyFile = 64 << 10

// readKey reads an NKey seed, alone or in a file of credentials.
func readKey(file string) (key nkeys.KeyPair, credentials bool, err error) {
	text, err := bounded.ReadFile(file, maxKeyFile)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = awayError{err} // a hub that starts makes it
		}
		return nil, false, hint.Wrap(fmt.Errorf("the fleet's key: %w", err),
			"it is the file that fleet hub names for the role, below its --store")
	}
	credentials = strings.Contains(string(text), "BEGIN NATS USER JWT")
	if key, err = nkeys.ParseDecoratedNKey(text); err != nil {
		return nil, false, hint.Wrap(fmt.Errorf("%s holds no NKey: %w", file, err), "it begins with SU; fleet hub makes one for each role")
	}
	return key, credentials, nil
}

// Dial connects, and refuses a fleet of another build. Its error has a hint.
func Dial(ctx context.Context, o Options) (*Conn, error) {
	if err := checkURL(o.URL); err != nil {
		return nil, err
	}
	c := &Conn{name: o.Name, streams: map[string]jetstream.Stream{}}
	c.denied, c.deny = context.WithCancelCause(context.Background())
	c.lost, c.lose = context.WithCancelCause(context.Background())
	trouble := o.Trouble
	if trouble == nil {
		trouble = func(string) {}
	}
	options := []nats.Option{
		nats.Name(o.Name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond), nats.Timeout(5 * time.Second),
		nats.ReconnectBufSize(-1), // what is not sent is sent again by who knows whether it still matters
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				trouble("the connection to the fleet broke: " + err.Error())
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { trouble("the connection to the fleet is back") }),
		nats.ErrorHandler(c.onDenial(o)), nats.ClosedHandler(c.onClose(o)),
	}
	if o.Server != nil {
		options = append(options, nats.InProcessServer(o.Server))
	}
	if o.CAFile != "" {
		options = append(options, nats.RootCAs(o.CAFile))
	}
	if o.KeyFile != "" {
		key, credentials, err := readKey(o.KeyFile)
		if err != nil {
			return nil, err
		}
		c.key = key
		public, err := key.PublicKey()
		if err != nil {
			return nil, err
		}
		options = append(options, nats.CustomInboxPrefix("_INBOX_"+public))
		if credentials {
			options = append(options, nats.UserCredentials(o.KeyFile))
		} else {
			options = append(options, nats.Nkey(public, key.Sign))
		}
	} else {
		key, err := nkeys.CreateUser()
		if err != nil {
			return nil, err
		}
		c.key = key
	}
	nc, err := nats.Connect(o.URL, options...)
	if err != nil {
		return nil, refused(o, err)
	}
	c.nc = nc
	if err := c.join(ctx, o); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// checkURL refuses what is no address of a hub, and credentials in it: command lines are read by everybody.
func checkURL(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(part)
		switch {
		case err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" && u.Scheme != "wss":
			return hint.New(fmt.Sprintf("%q is no fleet", part), "nats://HOST:4222 or tls://HOST:4222, as fleet hub prints it")
		case u.User != nil:
			return hint.New("the fleet's address holds credentials", "name a file with them: fleet_key in the configuration, or DEEPREPO_FLEET_KEY")
		}
	}
	return nil
}

// refused says why a connection was not made.
func refused(o Options, err error) error {
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		if o.KeyFile == "" {
			return hint.Wrap(fmt.Errorf("the fleet at %s wants a key: %w", o.URL, err),
				"DEEPREPO_FLEET_KEY or fleet_key names the file that fleet hub made for this role, below its --store")
		}
		return hint.Wrap(fmt.Errorf("the fleet at %s does not know the key in %s: %w", o.URL, o.KeyFile, err),
			"take the file from the hub's --store once more")
	case untrusted(err), errors.Is(err, fs.ErrNotExist):
		return hint.Wrap(fmt.Errorf("the fleet at %s: %w", o.URL, err),
			"DEEPREPO_FLEET_CA or fleet_ca names a PEM file with the hub's certificate, or the one that it stands on")
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout), isNet(err):
		return hint.Wrap(fmt.Errorf("%w at %s: %w", ErrAway, o.URL, err), "deeprepo fleet hub starts one, and prints its address")
	}
	return hint.Wrap(fmt.Errorf("the fleet at %s: %w", o.URL, err),
		"is that a hub of deeprepo? tls:// where it has a certificate, else nats://")
}

// untrusted reports a hub's certificate that this machine does not believe.
func untrusted(err error) bool {
	_, is := errors.AsType[*tls.CertificateVerificationError](err)
	return is
}

// isNet reports an error of the network, as that of a name that nobody knows.
func isNet(err error) bool {
	_, is := errors.AsType[*net.OpError](err)
	return is
}

// join opens what the hub holds, and compares builds.
func (c *Conn) join(ctx context.Context, o Options) error {
	ctx, cancel := c.within(ctx, 10*time.Second)
	defer cancel()
	js, err := jetstream.New(c.nc)
	if err != nil {
		return err
	}
	c.js = js
	kv, err := js.KeyValue(ctx, stateBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		if err := Setup(ctx, js, Terms{Build: o.Build, Version: o.Version}); err != nil {
			return hint.Wrap(fmt.Errorf("%w at %s: the server holds none, and none can be made there: %w", ErrAway, o.URL, c.why(err)),
				"a hub that just started needs a moment; elsewhere JetStream must be on, and the account must be allowed to make streams")
		}
		kv, err = js.KeyValue(ctx, stateBucket)
	}
	if err != nil {
		return hint.Wrap(fmt.Errorf("%w at %s: %w", ErrAway, o.URL, c.why(err)), "is that a hub of deeprepo, or a NATS server with JetStream?")
	}
	c.fleet = kv
	entry, err := kv.Get(ctx, "fleet")
	for errors.Is(err, jetstream.ErrKeyNotFound) && pause(ctx, 100*time.Millisecond) { // a hub of a cluster may still be behind
		entry, err = kv.Get(ctx, "fleet")
	}
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return hint.Wrap(fmt.Errorf("%w at %s: somebody is setting it up", ErrAway, o.URL), "try again in a moment")
	}
	if err != nil {
		return fmt.Errorf("the fleet at %s does not say what it is: %w", o.URL, err)
	}
	if err := json.Unmarshal(entry.Value(), &c.state); err != nil {
		return fmt.Errorf("the fleet at %s does not say what it is: %w", o.URL, err)
	}
	if c.state.Protocol != protocol || c.state.Build != o.Build {
		return hint.Wrap(fmt.Errorf("this is deeprepo %s (build %.12s), and the fleet at %s is of %s (build %.12s)", o.Version,
			o.Build, o.URL, cmp.Or(c.state.Version, "another"), c.state.Build),
			"install one version on the hub and on every machine: the same item must mean the same on all")
	}
	c.state.AckWait = cmp.Or(c.state.AckWait, DefaultAckWait)
	c.objects, err = js.ObjectStore(ctx, payloadBucket)
	return err
}

// stream is a handle on one of the hub's streams; it asks for it once.
func (c *Conn) stream(ctx context.Context, name string) (jetstream.Stream, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.streams[name]; s != nil {
		return s, nil
	}
	s, err := c.js.Stream(ctx, name)
	if err == nil {
		c.streams[name] = s
	}
	return s, err
}

// Close ends the connection.
func (c *Conn) Close() {
	c.nc.Close()
	c.deny(context.Canceled)
	c.lose(context.Canceled)
}
