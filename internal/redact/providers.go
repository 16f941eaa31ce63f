package redact

import (
	"regexp"
	"strings"
)

// providerTokens are tokens that their prefix tells, one a line: who makes them and their form. The form begins with the prefix, up to
// the first byte that an expression gives another meaning.
const providerTokens = `
airtable      pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b
alibaba       LTAI[A-Za-z0-9]{20}\b
atlassian     ATATT3x[A-Za-z0-9_=-]{180,220}
atlassian     ATCTT3x[A-Za-z0-9_=-]{150,220}
bitbucket     ATBB[A-Za-z0-9]{32}\b
brevo         xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b
brevo         xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b
buildkite     bkua_[a-f0-9]{40}\b
circleci      CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}\b
clojars       CLOJARS_[a-f0-9]{60}\b
contentful    CFPAT-[A-Za-z0-9_-]{43}
crates        cio[A-Za-z0-9]{32}\b
doppler       dp\.(?:pt|st|ct|sa)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b
dropbox       sl\.[BbUu][.A-Za-z0-9_-]{100,300}
duffel        duffel_live_[A-Za-z0-9_=-]{43}
easypost      EZAK[A-Za-z0-9]{54}\b
facebook      EAAA[A-Za-z0-9_-]{60,250}
figma         figd_[A-Za-z0-9_-]{40}
flutterwave   FLWSECK[A-Za-z_]{0,5}-[a-f0-9]{32}-X\b
fly           fm2_[A-Za-z0-9+/=]{100,500}
frameio       fio-u-[A-Za-z0-9_=-]{64}
google-oauth  ya29\.[A-Za-z0-9_-]{30,400}
groq          gsk_[A-Za-z0-9]{52}\b
heroku        HRKU-[A-Za-z0-9_-]{36,60}
huggingface   api_org_[A-Za-z0-9]{34}\b
langsmith     lsv2_pt_[a-f0-9]{32}_[a-f0-9]{10}\b
langsmith     lsv2_sk_[a-f0-9]{32}_[a-f0-9]{10}\b
linear        lin_oauth_[a-f0-9]{64}\b
netlify       nfp_[A-Za-z0-9]{36,40}\b
newrelic      NRAK-[A-Z0-9]{27}\b
newrelic      NRII-[A-Za-z0-9-]{32}
notion        ntn_[A-Za-z0-9]{40,50}\b
notion        secret_[A-Za-z0-9]{43}\b
nuget         oy2[a-z0-9]{43}\b
nvidia        nvapi-[A-Za-z0-9_-]{60,70}
onepassword   ops_eyJ[A-Za-z0-9+/=_-]{200,500}
perplexity    pplx-[A-Za-z0-9]{48}\b
planetscale   pscale_tkn_[A-Za-z0-9_=.-]{32,64}
planetscale   pscale_pw_[A-Za-z0-9_=.-]{32,64}
posthog       phx_[A-Za-z0-9]{40,60}\b
postman       PMAK-[a-f0-9]{24}-[a-f0-9]{34}\b
pulumi        pul-[a-f0-9]{40}\b
readme        rdme_[a-z0-9]{70}\b
replicate     r8_[A-Za-z0-9]{37}\b
sentry        sntrys_[A-Za-z0-9+/=_]{60,300}
sentry        sntryu_[a-f0-9]{64}\b
shippo        shippo_live_[a-f0-9]{40}\b
sourcegraph   sgp_(?:[a-f0-9]{16}_)?[a-f0-9]{40}\b
square        sq0csp-[A-Za-z0-9_-]{43}
supabase      sbp_[a-f0-9]{40}\b
tailscale     tskey-[a-z]{2,8}-[A-Za-z0-9_]{6,30}-[A-Za-z0-9]{20,40}\b
typeform      tfp_[A-Za-z0-9_.-]{59}
xai           xai-[A-Za-z0-9]{80}\b
`

// providerRules makes a rule of each line.
func providerRules() []rule {
	var all []rule
	for l := range strings.Lines(providerTokens) {
		fields := strings.Fields(l)
		if len(fields) != 2 {
			continue
		}
		form := fields[1]
		keyword := strings.ToLower(strings.ReplaceAll(form[:strings.IndexAny(form, "[(")], `\`, ""))
		all = append(all, rule{kind: "provider-token", keywords: []string{keyword}, re: regexp.MustCompile("^" + form), real: random, reach: 640})
	}
	return all
}
