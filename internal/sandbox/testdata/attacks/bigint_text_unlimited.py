# attack: write a huge integer as text with the limit lifted
# expect: stop wall|steps|killed
import sys
sys.set_int_max_str_digits(0)
str(1 << 30_000_000)
