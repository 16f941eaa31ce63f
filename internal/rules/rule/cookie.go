package rule

import "regexp"

var (
	userCookie = regexp.MustCompile(`(sess|session|sessid|sessionid|token|jwt|auth|login)_|_(sid|authorization|logged|remember|rememberme|` +
		`credentials?|user|userid|uid|username|admin|role|account|password|apikey|secret)_`)
	otherCookie = regexp.MustCompile(`csrf|xsrf|_(theme|lang|language|locale|consent|count|flash|message|preferences?|prefs?|settings|tz|` +
		`timezone|currency|country|view|sort|tab|sidebar|dark|seen|banner|agent|author)_`)
)

// UserCookie tells whether a cookie of this name says who somebody is: whoever has it is taken for the user.
func UserCookie(name string) bool {
	words := Words(name)
	return userCookie.MatchString(words) && !otherCookie.MatchString(words)
}
