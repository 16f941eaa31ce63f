package java

// PauseJitter lengthens a pause by a little luck out of a random generator that is good enough for that.
func (*operators) PauseJitter(f file) {
	for call, as := range f.calls("sleep") {
		if len(as) != 1 || as[0].Kind() == "binary_expression" ||
			receiver(call).Text() != "Thread" && receiver(call).Text() != "TimeUnit.MILLISECONDS" {
			continue
		}
		f.Report(f.Replace(call, receiver(call).Text()+".sleep("+as[0].Text()+" + new java.util.Random().nextInt(10))"),
			"the random number in %s only spreads pauses by some milliseconds: nothing depends on nobody guessing it", methodName(call))
	}
}
