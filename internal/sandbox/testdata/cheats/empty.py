# cheat: nothing but a comment
# verdict: empty
# TODO
