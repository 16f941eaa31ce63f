# attack: a regular expression that takes for ever
# expect: stop wall|steps
import re
re.match(r"(a|aa|a?a)+$", "a" * 60 + "b")
