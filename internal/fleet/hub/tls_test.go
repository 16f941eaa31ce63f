package hub_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// certificate makes one for this machine, and gives the names of its files.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true,
		BasicConstraintsValid: true, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "hub.pem"), filepath.Join(dir, "hub.key")
	runtest.WriteFile(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	runtest.WriteFile(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	return cert, key
}

func TestAHubWithACertificate(t *testing.T) {
	cert, key := certificate(t)
	h, err := hub.Start(t.Context(), hub.Config{Addr: "0.0.0.0:0", Store: t.TempDir(), CertFile: cert, KeyFile: key, Build: "b"})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if !strings.HasPrefix(h.URL(), "tls://127.0.0.1:") {
		t.Errorf("nobody can use %s", h.URL())
	}
	o := fleet.Options{URL: h.URL(), KeyFile: h.KeyFile(hub.RoleCoordinator), CAFile: cert, Build: "b"}
	c, err := fleet.Dial(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if own, err := h.Dial(t.Context(), "b"); err != nil {
		t.Errorf("the hub itself: %v", err)
	} else {
		own.Close()
	}
	for _, ca := range []string{"", filepath.Join(t.TempDir(), "none.pem")} {
		o.CAFile = ca
		if _, err := fleet.Dial(t.Context(), o); err == nil || !strings.Contains(hint.Of(err), "fleet_ca names a PEM file") {
			t.Errorf("CA %q: %v", ca, err)
		}
	}
	_, err = hub.Start(t.Context(), hub.Config{Addr: "127.0.0.1:0", Store: t.TempDir(), CertFile: cert, KeyFile: cert, Build: "b"})
	if err == nil || !strings.Contains(hint.Of(err), "belong together") {
		t.Errorf("a key that is none: %v", err)
	}
}
