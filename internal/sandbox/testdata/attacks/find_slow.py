# attack: search a long string for ever
# expect: stop killed|wall
text = "ab" * 10**7
while True:
    text.count("ba" * 100 + "c"); text.replace("ab", "ba"); text.find("c")
