package redact

import "strings"

// stockWords are what placeholders and well-known defaults are made of, and words of schemas. A value of nothing else is no secret:
// everybody knows it, and that it stands there may be the finding.
var stockWords = words(`
	password passwd passwrd pass pwd pw passphrase passcode secret secrets token tokens key keys api apikey id my our the a an some
	any this that here is are value values string text user users username name usr admin administrator root guest test testing
	tests tester dev demo default change changed changeme changeit changethis me it please example sample dummy fake mock foo bar
	baz qux foobar foobaz barfoo none null nil empty blank placeholder postgres postgresql mysql mariadb redis mongo mongodb
	rabbitmq elastic kibana ansible vagrant docker jenkins sonar grafana django laravel rails symfony keycloak minio oracle sa db
	database app application service server client auth access private public super strong strongest very secure random randomly
	insert replace enter set use new old not real no yes true false on off todo fixme required require requires optional hidden
	masked redacted encrypted disabled enabled unset undefined unknown credential credentials str bool boolean int integer number
	object array list var env file prompt input field label type plain plaintext cleartext bcrypt scrypt argon md hash hashed scram
	sha ldap vault kerberos basic bearer digest sensitive ask always never manual auto automatic inherit generated generate
	external internal reset forgot confirm confirmation login logout signin min max length policy hide show visible protected
	readonly writeonly nullable invalid valid wrong correct incorrect bad good missing only code refresh oauth jwt saml for of to
	from with and or in by as your yours mine common normal simple long short one two first second other another own http https tcp
	json xml yaml base encoded prod production staging local localhost host myapp mydb mypass something somesecret anything nothing
	whatever unused deprecated ignore ignored skip skipped x xx xxx abc abcd abcde xyz asdf qwerty qwer letters chars characters
	nopass nopassword passwordless unencrypted cipher store keychain keyring keystore manager provider`)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

const longestStockWord = 14

// Stock says whether a value is made of stock words and short or counted numbers only.
func Stock(v string) bool {
	if len(v) > 64 {
		return false
	}
	low := strings.ToLower(v)
	letters := 0
	for i := 0; i < len(low); {
		j := i
		switch {
		case isLower(low[i]):
			for j < len(low) && isLower(low[j]) {
				j++
			}
			if !stockRun(low[i:j]) {
				return false
			}
			letters += j - i
		case low[i] >= '0' && low[i] <= '9':
			for j < len(low) && low[j] >= '0' && low[j] <= '9' {
				j++
			}
			if d := low[i:j]; len(d) > 2 && !strings.Contains("01234567890", d) && distinct(d) > 1 {
				return false
			}
		default:
			j++
		}
		i = j
	}
	return letters > 0
}

// stockRun says whether letters are stock words put together.
func stockRun(s string) bool {
	reached := make([]bool, len(s)+1)
	reached[0] = true
	for i := range len(s) {
		for n := 1; reached[i] && n <= longestStockWord && i+n <= len(s); n++ {
			if stockWords[s[i:i+n]] {
				reached[i+n] = true
			}
		}
	}
	return reached[len(s)]
}
