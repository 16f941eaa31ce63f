package hub

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats-server/v2/server"
)

// handshake is how long one may take, in seconds.
const handshake = 5

// secure has a server show the hub's certificate, if it has one. Hubs of a cluster then show theirs to each other, and each verifies
// the other's, whoever called.
func (c Config) secure(o *server.Options) error {
	if c.CertFile == "" && c.KeyFile == "" {
		if c.CAFile != "" {
			return hint.New("certificates of other hubs are verified by a hub with one of its own", "--tls-cert and --tls-key, or no --tls-ca")
		}
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
	if err != nil {
		return hint.Wrap(fmt.Errorf("the hub's certificate: %w", err), "--tls-cert and --tls-key name PEM files that belong together")
	}
	o.TLS, o.TLSConfig, o.TLSTimeout = true, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, handshake
	if c.Cluster == nil {
		return nil
	}
	known, err := authorities(c.CAFile)
	if err != nil {
		return err
	}
	o.Cluster.TLSTimeout = handshake
	o.Cluster.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13,
		RootCAs: known, ClientCAs: known, ClientAuth: tls.RequireAndVerifyClientCert}
	return nil
}

// authorities are those whose certificates count; nil is the machine's own.
func authorities(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	text, err := bounded.ReadFile(file, 1<<20)
	known := x509.NewCertPool()
	if err == nil && !known.AppendCertsFromPEM(text) {
		err = errors.New("no certificate in it")
	}
	if err != nil {
		return nil, hint.Wrap(fmt.Errorf("%s: %w", file, err), "--tls-ca names a PEM file with what the other hubs' certificates stand on")
	}
	return known, nil
}
