# attack: raise a deadly signal
# expect: stop killed; error KeyboardInterrupt|ValueError|OSError|AttributeError; ok
import signal
signal.raise_signal(signal.SIGTERM)
print("safe")
