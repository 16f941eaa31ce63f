# attack: leave with other base exceptions
# expect: error GeneratorExit
raise GeneratorExit("bye")
