package java

import "strings"

// TimingCompare compares secrets with a function that stops at the first byte that differs: how long it takes tells how
// many bytes of a guess are right.
func (*operators) TimingCompare(f file) {
	for call := range f.Root.Find("method_invocation") {
		on := receiver(call).Text()
		if called(call) != "isEqual" || on != "MessageDigest" && !strings.HasSuffix(on, ".MessageDigest") {
			continue
		}
		name := "Arrays"
		imports, ok := f.importing("java.util.Arrays")
		if !ok {
			name = "java.util.Arrays"
		}
		f.ReportAll(f.Replace(call, name+".equals"+call.ChildByField("arguments").Text()).And(imports...),
			"%s compares %s with Arrays.equals, whose running time tells how many leading bytes match", methodName(call),
			short(strings.Trim(call.ChildByField("arguments").Text(), "()")))
	}
}
