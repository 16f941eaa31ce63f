# attack: pretend to have been stopped
# expect: error KeyboardInterrupt
raise KeyboardInterrupt("stopped: step budget used up")
