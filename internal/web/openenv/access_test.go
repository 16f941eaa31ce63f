package openenv_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
)

const secret = "correct-horse-battery"

func TestAccess(t *testing.T) {
	_, base := serve(t, openenv.Config{Token: secret, Hosts: []string{"trainer-env"}})
	bare := strings.TrimSuffix(base, "/t/"+secret)
	for _, test := range []struct {
		name, url string
		header    map[string]string
		want      int
	}{
		{"the printed URL", base + "/schema", nil, 200},
		{"a bearer token", bare + "/schema", map[string]string{"Authorization": "Bearer " + secret}, 200},
		{"no token", bare + "/schema", nil, 401},
		{"a wrong token", bare + "/t/wrong/schema", nil, 401},
		{"the token's beginning", bare + "/t/" + secret[:5] + "/schema", nil, 401},
		{"an empty token", bare + "/t//schema", nil, 401},
		{"a wrong bearer token", bare + "/schema", map[string]string{"Authorization": "Bearer wrong"}, 401},
		{"a wrong path token beside a right bearer one", bare + "/t/wrong/schema", map[string]string{"Authorization": "Bearer " + secret}, 401},
		{"health needs none", bare + "/health", nil, 200},
		{"health below a wrong token", bare + "/t/wrong/health", nil, 200},
		{"a known name", base + "/schema", map[string]string{"Host": "trainer-env:8000"}, 200},
		{"an IPv6 address", base + "/schema", map[string]string{"Host": "[::1]:8000"}, 200},
		{"a rebound name", base + "/schema", map[string]string{"Host": "evil.example"}, 421},
		{"a page of the server's own", base + "/schema", map[string]string{"Origin": bare}, 200},
		{"a page of others", base + "/schema", map[string]string{"Origin": "https://evil.example"}, 403},
		{"a file's page", base + "/schema", map[string]string{"Origin": "null"}, 403},
		{"nothing there", base + "/nothing", nil, 404},
	} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", test.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range test.header {
			r.Header.Set(k, v)
			if k == "Host" {
				r.Host = v
			}
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != test.want {
			t.Errorf("%s: %d, want %d: %s", test.name, response.StatusCode, test.want, body)
		}
		if strings.Contains(string(body), secret) {
			t.Errorf("%s: the answer holds the token", test.name)
		}
	}
	if _, _, err := websocket.Dial(t.Context(), bare+"/ws", nil); err == nil {
		t.Error("a socket without the token was let in")
	}
	if _, _, err := websocket.Dial(t.Context(), base+"/ws",
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://evil.example"}}}); err == nil {
		t.Error("a page of others was let in")
	}
	if r := dial(t, base).call(`{"type":"reset"}`); r.Type != "observation" {
		t.Errorf("%+v", r)
	}
}
