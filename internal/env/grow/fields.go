package grow

// String is the kind's name, as texts ask for it.
func (k Kind) String() string {
	return [...]string{
		Text: "text", Email: "email", Cents: "cents", Count: "count", Ratio: "ratio", Time: "time", Flag: "flag", State: "state", Tags: "tags",
	}[k]
}

// FieldValues names the fields of an entity for texts: each has the values of the entity, its kind, whether it is the
// first of its kind, and what names says of it. first maps each kind's name to the values of its first field, or to nil when
// the entity has no field of that kind.
func FieldValues(e Entity, of Values, names func(i int, f Field) Values) (all []Values, first Values) {
	first = Values{}
	for kind := Text; kind <= Tags; kind++ {
		first[kind.String()] = Values(nil)
	}
	seen := map[Kind]bool{}
	for i, f := range e.Fields {
		v := of.With(names(i, f))
		v["kind"], v["firstOfKind"] = f.Kind.String(), !seen[f.Kind]
		if !seen[f.Kind] {
			first[f.Kind.String()] = v
		}
		seen[f.Kind] = true
		all = append(all, v)
	}
	return all, first
}
