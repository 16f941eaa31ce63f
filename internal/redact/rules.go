package redact

import (
	"regexp"
	"slices"
	"strings"
)

// rules are all rules, the most telling first.
func rules() []rule {
	return slices.Concat(tokenRules(), providerRules(), formRules())
}

// tokenRules know tokens by their form.
func tokenRules() []rule {
	re := regexp.MustCompile
	return []rule{
		{kind: "private-key", keywords: []string{"-----begin"}, inside: true, find: privateKey},
		{kind: "aws-access-key", keywords: []string{"akia", "asia", "abia", "acca"}, re: re(`^(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b`), real: notExample},
		{kind: "aws-secret-key", keywords: []string{"secret_access_key", "secretaccesskey", "aws_secret"}, inside: true,
			re: re(`^(?i:secret_access_key|secretaccesskey|aws_secret(?:_access)?(?:_key)?)["'\]]{0,2}(?:\s{0,4}(?::=|=>|=|:)\s{0,4}|[ ])["']?([A-Za-z0-9/+]{40})(?:["'\s,;]|$)`), real: notExample},
		{kind: "github-token", keywords: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, re: re(`^gh[pousr]_[A-Za-z0-9]{36,255}\b`), real: notPlaceholder},
		{kind: "github-token", keywords: []string{"github_pat_"}, re: re(`^github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b`), real: notPlaceholder},
		{kind: "gitlab-token", keywords: list("glpat- glptt- gldt- glrt- glrtr- glsoat- glcbt- glft- glffct- glimt- glagent- gloas- glwt-"), re: re(`^gl(?:pat|ptt|dt|rtr?|soat|cbt|ft|ffct|imt|agent|oas|wt)-[A-Za-z0-9_.-]{20,70}`), real: notPlaceholder},
		{kind: "slack-token", keywords: []string{"xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xapp-"}, re: re(`^(?:xox[abceprs](?:\.xox[bp])?-[0-9]{1,13}-[A-Za-z0-9-]{10,250}|xoxd-[A-Za-z0-9%+/=]{40,300}|xapp-\d-[A-Z0-9]{8,14}-\d{8,16}-[a-f0-9]{32,80})`), real: notPlaceholder},
		{kind: "slack-webhook", keywords: []string{"hooks.slack.com/"}, inside: true, re: re(`^hooks\.slack\.com/(?:services|workflows)/(T[A-Z0-9]{8,}/[A-Z0-9]{8,}/[A-Za-z0-9/]{16,60})`), real: notPlaceholder},
		{kind: "discord-webhook", keywords: []string{"/api/webhooks/"}, inside: true, re: re(`^/api/webhooks/\d{17,20}/([A-Za-z0-9_-]{60,80})`), real: notPlaceholder},
		{kind: "stripe-key", keywords: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"}, re: re(`^(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,120}|whsec_[A-Za-z0-9+/]{32,64})\b`), real: notPlaceholder},
		{kind: "google-api-key", keywords: []string{"aiza"}, re: re(`^(AIza[0-9A-Za-z_-]{35})(?:[^0-9A-Za-z_-]|$)`), real: notPlaceholder},
		{kind: "google-api-key", keywords: []string{":apa91b"}, back: 11, re: re(`^AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{120,180}`), real: notPlaceholder},
		{kind: "google-oauth-secret", keywords: []string{"gocspx-"}, re: re(`^GOCSPX-[A-Za-z0-9_-]{28}`), real: notPlaceholder},
		{kind: "anthropic-key", keywords: []string{"sk-ant-"}, re: re(`^sk-ant-(?:api|admin|oat|sid)\d{2}-[A-Za-z0-9_-]{40,150}`), real: notPlaceholder},
		{kind: "openai-key", keywords: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-"}, re: re(`^(sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|or-v1-[0-9a-f]{64}|[A-Za-z0-9]{48}))(?:[^A-Za-z0-9_-]|$)`), real: random},
		{kind: "huggingface-token", keywords: []string{"hf_"}, re: re(`^hf_[A-Za-z0-9]{34}\b`), real: notPlaceholder},
		{kind: "slack-webhook", keywords: []string{".webhook.office.com/webhookb2/"}, inside: true, re: re(`^\.webhook\.office\.com/webhookb2/[A-Za-z0-9@-]{36,80}/IncomingWebhook/([a-f0-9]{32}/[A-Za-z0-9-]{36})`), real: notPlaceholder},
		{kind: "jwt", keywords: []string{"eyj"}, reach: 8 << 10, re: re(`^eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}`)},
		{kind: "npm-token", keywords: []string{"npm_"}, re: re(`^npm_[A-Za-z0-9]{36}\b`), real: random},
		{kind: "pypi-token", keywords: []string{"pypi-age"}, re: re(`^pypi-AgE[A-Za-z0-9_-]{60,250}`), real: notPlaceholder},
		{kind: "rubygems-token", keywords: []string{"rubygems_"}, re: re(`^rubygems_[a-f0-9]{48}\b`), real: notPlaceholder},
		{kind: "sendgrid-key", keywords: []string{"sg."}, re: re(`^SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}`), real: notPlaceholder},
		{kind: "twilio-key", keywords: []string{"sk"}, re: re(`^SK[0-9a-f]{32}\b`), real: notPlaceholder},
		{kind: "mailgun-key", keywords: []string{"key-"}, re: re(`^key-[0-9a-f]{32}\b`), real: notPlaceholder},
		{kind: "azure-storage-key", keywords: []string{"accountkey=", "sharedaccesskey="}, re: re(`^(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,88}={1,2})`), real: notPlaceholder},
		{kind: "azure-client-secret", keywords: []string{"q~"}, back: 4, re: re(`^([A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34})(?:[^A-Za-z0-9_~.-]|$)`), real: random},
		{kind: "digitalocean-token", keywords: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, re: re(`^do[opr]_v1_[a-f0-9]{64}\b`)},
		{kind: "databricks-token", keywords: []string{"dapi"}, re: re(`^dapi[a-f0-9]{32}\b`), real: notPlaceholder},
		{kind: "docker-token", keywords: []string{"dckr_pat_"}, re: re(`^dckr_pat_[A-Za-z0-9_-]{27}`), real: notPlaceholder},
		{kind: "grafana-token", keywords: []string{"glsa_", "glc_"}, re: re(`^(?:glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}\b|glc_[A-Za-z0-9+/]{40,200}={0,2})`), real: notPlaceholder},
		{kind: "shopify-token", keywords: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, re: re(`^shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b`), real: notPlaceholder},
		{kind: "vault-token", keywords: []string{"hvs.", "hvb."}, re: re(`^hv[sb]\.[A-Za-z0-9_-]{24,300}`), real: random},
		{kind: "linear-key", keywords: []string{"lin_api_"}, re: re(`^lin_api_[A-Za-z0-9]{40}\b`), real: notPlaceholder},
		{kind: "telegram-token", keywords: []string{":aa"}, inside: true, find: telegram},
		{kind: "age-secret-key", keywords: []string{"age-secret-key-1"}, re: re(`^AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}\b`)},
		{kind: "discord-token", keywords: discordKeywords(), re: re(`^([MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40})(?:[^A-Za-z0-9_.-]|$)`), maybe: dotted, real: random},
		{kind: "private-key", keywords: []string{"private-lines:"}, reach: 4 << 10, re: re(`^(?i:private-lines: \d{1,2}\r?\n)((?:[A-Za-z0-9+/=]{4,64}\r?\n)+)`)},
		{kind: "private-key", keywords: []string{"ls0tls1crudjti"}, reach: 16 << 10, re: re(`^LS0tLS1CRUdJTi[A-Za-z0-9+/]{40}[A-Za-z0-9+/]*={0,2}`), real: encodedKey},
		{kind: "provider-token", keywords: []string{".atlasv1."}, back: 14, re: re(`^[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}`), real: notPlaceholder},
		{kind: "provider-token", keywords: []string{"-us"}, back: 32, re: re(`^[a-f0-9]{32}-us\d{1,2}\b`), real: notPlaceholder},
		{kind: "azure-sas", keywords: []string{"sig="}, inside: true, re: re(`^sig=([A-Za-z0-9+/%]{40,100}(?:={1,2}|%3[Dd]){1,2})`), real: notPlaceholder},
		{kind: "azure-storage-key", keywords: []string{"key="}, inside: true, re: re(`^(?i:key)=([A-Za-z0-9+/]{43,88}={1,2})(?:[;"'\s]|$)`), real: random},
	}
}

// formRules know what stands around a secret.
func formRules() []rule {
	re := regexp.MustCompile
	return []rule{
		{kind: "url-password", keywords: []string{"@tcp(", "@unix("}, inside: true, find: driverPassword},
		{kind: "url-password", keywords: []string{"jdbc:oracle:"}, re: re(`^(?i:jdbc:oracle:(?:thin|oci8?)):[\w$#]{1,40}/([^\s@"'<>{}$]{3,64})@`), real: urlPassword},
		{kind: "url-password", keywords: []string{"://"}, inside: true, maybe: atSign, re: re(`^://[^\s:/?#@"'<>` + "`" + `]{0,80}:([^\s:/?#@"'<>` + "`" + `]{3,128})@[A-Za-z0-9\[]`), real: urlPassword},
		{kind: "authorization", keywords: []string{"bearer ", "basic "}, re: re(`^(?i:Bearer|Basic) ([A-Za-z0-9._~+/-]{8,1000}={0,2})`), reach: 1100, real: bearer},
		{kind: "authorization", keywords: []string{"authorization"}, re: re(`^(?i:authorization)\\?["']?\s{0,4}[:=,]\s{0,4}\\?["']?(?:[A-Za-z-]{2,20}[ =:]{1,2})?([A-Za-z0-9._~+/-]{16,1000}={0,2})(?:[\\"'\s,;]|$)`), reach: 1100, real: bearer},
		{kind: "registry-auth", keywords: []string{"auth\"", "_auth"}, inside: true, re: re(`^_?auth\\?"?\s{0,4}[:=]\s{0,4}\\?"?([A-Za-z0-9+/]{12,400}={0,2})(?:["\s\\]|$)`), real: dockerAuth},
		{kind: "secret", keywords: secretKeywords(), inside: true, in: code | plain, maybe: assignSign, re: re(assignment), real: assigned},
		{kind: "secret", keywords: []string{"convertto-securestring", "identified by", "identified with", "set password"}, inside: true, maybe: quoteNear, reach: 256, re: re(`^(?i:convertto-securestring(?: +-string)?|identified (?:with [\w']{1,40} )?by|set password(?: for [^=\n]{1,60})?)\s{0,3}=?\s{0,3}(?:(?i:password)\()?(?:"([^"\s$]{4,128})"|'([^'\s$]{4,128})')`), real: spoken},
		{kind: "secret", keywords: []string{"auth=(", "basicauth("}, inside: true, re: re(`^(?i:auth=\(|basicauth\()\s{0,3}["'][^"'\n]{1,60}["'],\s{0,3}["']([^"'\s]{8,128})["']`), real: argument},
		{kind: "secret", keywords: []string{"getconnection("}, inside: true, re: re(`^(?i:getconnection)\((?:[^()"\n]|"[^"\n]*"){1,200}?,\s{0,3}"([^"\s]{6,128})"\s{0,3}\)`), real: argument},
		{kind: "secret", keywords: []string{"encrypt"}, in: config, re: re(`^(?i:encrypt)\\?"?\s{0,4}[:=]\s{0,4}\\?"([A-Za-z0-9+/]{22,43}={1,2})\\?"`), real: random},
		{kind: "secret", keywords: []string{"insecure-password ", "password 0 ", "password 7 ", "secret 0 ", "secret 5 ", "secret 8 ", "secret 9 "}, re: re(`^(?i:insecure-password|password [07]|secret [0589]) ([^\s"']{4,128})`), real: spoken},
		{kind: "secret", keywords: []string{"stats auth "}, re: re(`^(?i:stats auth) [^\s:$]{1,60}:([^\s"']{4,128})`), real: spoken},
		{kind: "secret", keywords: []string{"htpasswd "}, re: re(`^htpasswd +-[a-zA-Z]*b[a-zA-Z]* +\S{1,120} +["']?[\w.@-]{1,60}["']? +["']?([^\s"']{4,128})`), real: spoken},
		{kind: "secret", keywords: []string{"unzip -p"}, re: re(`^unzip -P +["']?([^\s"']{4,128})`), real: spoken},
		{kind: "secret", keywords: commandKeywords(), inside: true, find: commandOption},
		{kind: "secret", keywords: []string{"chpasswd"}, inside: true, find: chpasswd},
		{kind: "secret", keywords: settingKeywords(), inside: true, find: setting},
	}
}

// list splits a list of keywords.
func list(s string) []string { return strings.Fields(s) }
