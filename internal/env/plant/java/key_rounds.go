package java

import (
	"strconv"
	"strings"
)

// KeyRounds derives keys from passwords in so few rounds that all likely passwords can be tried in no time.
func (*operators) KeyRounds(f file) {
	for n := range f.Root.Find("object_creation_expression") {
		as := args(n)
		if base(n.ChildByField("type").Text()) != "PBEKeySpec" || len(as) < 3 {
			continue
		}
		number := as[2]
		if number.Kind() == "identifier" {
			number = initial(class(n), number.Text())
		}
		rounds, err := strconv.Atoi(strings.ReplaceAll(number.Text(), "_", ""))
		if err != nil || rounds < 10_000 {
			continue
		}
		whole, text := number, "500"
		if number.Parent().Kind() == "variable_declarator" {
			whole, text = number.Parent(), number.Parent().ChildByField("name").Text()+" = 500"
		}
		f.Report(f.Replace(whole, text),
			"%s derives keys with 500 rounds only, so that passwords can be guessed quickly by whoever has a result", className(n)+"."+methodName(n))
	}
}
