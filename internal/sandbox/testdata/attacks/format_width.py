# attack: take memory through format widths
# expect: error MemoryError|ValueError|OverflowError
print(f"{1:>999999999999}")
