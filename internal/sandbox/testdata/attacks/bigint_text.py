# attack: write a huge integer as text
# expect: error ValueError
str(7 ** 10_000_000 if False else 10 ** 5000)
