package rule

import "regexp"

var (
	userCookie = regexp.MustCompile(`(sess|session|sessid|sessionid|token|jwt|auth|login|username)_|_(sid|authorization|logged|remember|` +
		`rememberme|credentials?|user|userid|uid|username|admin|role|account|password|apikey|secret)_`)
	otherCookie = regexp.MustCompile(`csrf|xsrf|request_token|` +
		`_(theme|lang|language|locale|consent|count|flash|message|preferences?|prefs?|settings|` +
		`redirect|return_to|next|back|tz|timezone|currency|country|view|sort|tab|sidebar|dark|seen|banner|agent|author)_`)
)

// UserCookie tells whether a cookie of this name says who somebody is: whoever has it is taken for the user.
func UserCookie(name string) bool {
	return userCookie.MatchString(Words(name)) && !OpenCookie(name)
}

// OpenCookie tells whether a cookie of this name may be known to everybody: a theme, a language.
func OpenCookie(name string) bool { return otherCookie.MatchString(Words(name)) }
