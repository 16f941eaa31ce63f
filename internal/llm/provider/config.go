package provider

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// Config says where keys, addresses and prices come from.
type Config struct {
	// Getenv reads the environment. Defaults to os.Getenv.
	Getenv func(string) string
	// Client makes the requests. It follows no redirect to another server. Defaults to one of its own.
	Client *http.Client
	// Limits bound how long a request and its reply may take.
	Limits Limits
	// Patience is how long a call may wait for its provider, over all its attempts. Defaults to that of [llm.RetryConfig].
	Patience time.Duration
	// Prices is the price table. Defaults to the embedded snapshot.
	Prices *llm.Prices
	// Models overrides prices and context sizes by full model name. Defaults to none.
	Models map[string]llm.ModelConfig
	// LocalURL is the base URL of provider local. Defaults to $DEEPREPO_LOCAL_URL, then $OPENAI_BASE_URL, then
	// http://127.0.0.1:8080/v1 (llama-server).
	LocalURL string
	// ListTimeout caps each provider's model list in Status. Defaults to 3 s.
	ListTimeout time.Duration
}

// NewRegistry is a registry with all providers of [table]. The caller adds what runs in this process (offline, nano).
func NewRegistry(c Config) (*llm.Registry, error) {
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.Client == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 256
		t.MaxResponseHeaderBytes = 256 << 10
		c.Client = &http.Client{Transport: t}
	}
	client := *c.Client
	client.CheckRedirect = sameServer
	c.Client = &client
	c.Limits = c.Limits.withDefaults()
	if c.ListTimeout == 0 {
		c.ListTimeout = 3 * time.Second
	}
	if c.Prices == nil {
		prices, err := llm.DefaultPrices()
		if err != nil {
			return nil, err
		}
		c.Prices = prices
	}
	for name, m := range c.Models {
		if err := m.Check(name); err != nil {
			return nil, err
		}
	}
	r := llm.NewRegistry(c.Prices)
	r.Patience = c.Patience
	for _, s := range c.services() {
		r.RegisterProvider(s.name, s)
	}
	return r, nil
}

// service is one configured provider.
type service struct {
	kind
	base    string // base URL, ends with "/"
	key     string
	local   bool // the server is on this machine
	secrets *llm.Scrubber
	reached *atomic.Bool // the server has answered before
	c       Config
}

func (c Config) services() []service {
	env := func(name, otherwise string) string {
		if v := strings.TrimSpace(c.Getenv(name)); v != "" {
			return v
		}
		return otherwise
	}
	var list []service
	for _, k := range table {
		s := service{kind: k, c: c, reached: &atomic.Bool{}}
		if k.find != nil {
			s.base, s.key = k.find(c, env)
			s.local = isLoopback(s.base)
		} else {
			s.base, s.key = env(k.urlVar, k.url), env(k.keyVar, "")
		}
		s.base = strings.TrimSuffix(s.base, "/") + "/"
		secrets := []string{s.key}
		if u, err := url.Parse(s.base); err == nil && u.User != nil {
			password, _ := u.User.Password()
			secrets = append(secrets, password)
		}
		s.secrets = llm.NewScrubber(secrets...)
		list = append(list, s)
	}
	return list
}

// isLoopback reports whether a base URL names this machine and nothing else: only then does text stay here.
func isLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// address is the base URL for people: no user, no password, no query.
func (s service) address() string {
	u, err := url.Parse(s.base)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Scheme+"://"+u.Host+u.Path, "/")
}
