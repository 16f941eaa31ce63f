# attack: a decimal computation that takes for ever in C code
# expect: stop wall|steps|killed; error MemoryError
import decimal
decimal.getcontext().prec = 10_000_000
decimal.Decimal(2).sqrt() ** decimal.Decimal("1e9") ** 3
while True:
    decimal.Decimal(3).ln()
