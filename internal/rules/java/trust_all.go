package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func trustAll() rule.Rule {
	return rule.Rule{
		ID: "java/trust-all-certificates", Title: "TLS certificates or host names are accepted without a check",
		Category: "weak-crypto", CWE: "CWE-295", Severity: "high", Confidence: 0.92,
		Languages: []string{"java"},
		Explanation: "The trust manager or host name verifier says yes to everything, so anybody on the way (a café's network, a poisoned DNS entry) shows a certificate of " +
			"their own and reads and changes the traffic.",
		Suggestion: "Remove it. For a private certificate authority load its certificate into a KeyStore and initialise a TrustManagerFactory with it.",
		Bad: []rule.Sample{
			{Source: "class TrustAll implements X509TrustManager {\n  public void checkClientTrusted(X509Certificate[] c, String t) {}\n  public void checkServerTrusted(X509Certificate[] c, String t) {}\n  public X509Certificate[] getAcceptedIssuers() { return null; }\n}\n"},
			{Source: "class Client {\n  void open(HttpsURLConnection c) {\n    c.setHostnameVerifier((host, session) -> true);\n  }\n}\n"},
			{Source: "class Any implements HostnameVerifier {\n  public boolean verify(String host, SSLSession session) {\n    return true;\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Pinned implements X509TrustManager {\n  public void checkServerTrusted(X509Certificate[] c, String t) throws CertificateException {\n    if (!pins.contains(c[0])) throw new CertificateException();\n  }\n}\n"},
			{Source: "interface Manager {\n  void checkServerTrusted(X509Certificate[] c, String t) throws CertificateException;\n}\n"},
			{Source: "class Local implements HostnameVerifier {\n  public boolean verify(String host, SSLSession session) {\n    return host.equals(\"internal\");\n  }\n}\n"},
			{Source: "class Form {\n  boolean verify(String name) {\n    return true;\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for m := range p.Nodes("method_declaration") {
				body, params := m.ChildByField("body"), p.Parameters(m)
				if !body.Valid() {
					continue
				}
				list := statements(body)
				switch m.ChildByField("name").Text() {
				case "checkServerTrusted":
					if len(list) == 0 && len(params) >= 2 {
						p.Report(m, "")
					}
				case "verify":
					if len(params) == 2 && params[1].ChildByField("type").Text() == "SSLSession" && len(list) == 1 && strings.Join(strings.Fields(list[0].Text()), " ") == "return true;" {
						p.Report(m, "")
					}
				}
			}
			for _, call := range p.Calls() {
				arg := p.Arg(call, 0)
				switch p.Method(call) {
				case "setHostnameVerifier", "setDefaultHostnameVerifier", "hostnameVerifier", "setSSLHostnameVerifier":
					if arg.Kind() == "lambda_expression" && arg.ChildByField("body").Text() == "true" ||
						strings.Contains(arg.Text(), "NoopHostnameVerifier") || strings.Contains(arg.Text(), "ALLOW_ALL_HOSTNAME_VERIFIER") {
						p.Report(call, "")
					}
				}
			}
		},
	}
}
