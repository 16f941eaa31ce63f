package flow

// item is what a container gives for a key; an unknown key, nil, may be any of them.
func (v *value) item(key *value) *value {
	if v == nil {
		return nil
	}
	k, known := key.text()
	if v.isList {
		if i, ok := key.number(); ok {
			if i < 0 {
				i += len(v.list)
			}
			if i >= 0 && i < len(v.list) {
				return v.list[i]
			}
			return v.rest
		}
		return v.contents()
	}
	if v.fields == nil && v.rest == nil {
		return carrying(v.taint())
	}
	if known {
		if f, ok := v.fields[k]; ok {
			return f
		}
		return joined(v.rest, carrying(v.labels), 0)
	}
	return v.contents()
}

// contents is any of what a container holds.
func (v *value) contents() *value {
	if v == nil {
		return nil
	}
	out := joined(v.rest, carrying(v.labels), 0)
	for _, i := range v.list {
		out = joined(out, i, 0)
	}
	for _, k := range keys(v.fields) {
		out = joined(out, v.fields[k], 0)
	}
	if len(v.pieces) > 0 {
		out = joined(out, carrying(v.taint()), 0)
	}
	return out
}

// put is a container with one more value under a key; nil stands for an unknown key.
func (v *value) put(key, item *value) *value {
	w := value{}
	if v != nil {
		w = *v
	}
	k, known := key.text()
	if w.isList {
		if i, ok := key.number(); ok && i >= 0 && i < len(w.list) {
			w.list = append([]*value(nil), w.list...)
			w.list[i] = item
			return (&w).bounded()
		}
		w.rest = joined(w.rest, item, 0)
		return (&w).bounded()
	}
	if known && len(w.fields) < maxItems {
		fields := map[string]*value{k: item}
		for old, f := range w.fields {
			if old != k {
				fields[old] = f
			}
		}
		w.fields, w.con, w.pieces = fields, nil, nil
		return (&w).bounded()
	}
	w.rest = joined(w.rest, item, 0)
	return (&w).bounded()
}

// push is a list with one more item at its end.
func (v *value) push(item *value) *value {
	w := value{isList: true}
	if v != nil {
		w = *v
	}
	w.isList = w.isList || w.rest == nil && w.fields == nil && len(w.labels) == 0 && len(w.pieces) == 0
	if w.isList && len(w.list) < maxItems {
		w.list = append(w.list[:len(w.list):len(w.list)], item)
		return (&w).bounded()
	}
	w.rest = joined(w.rest, item, 0)
	return (&w).bounded()
}

// drop is a list without its i-th item.
func (v *value) drop(i int) *value {
	if v == nil || !v.isList || i < 0 || i >= len(v.list) {
		return v
	}
	w := *v
	w.list = append(append([]*value(nil), v.list[:i]...), v.list[i+1:]...)
	return &w
}
