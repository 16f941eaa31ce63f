package locate

// phrases scores files and places by the messages of the text that they hold word by word: three words in a row count, less the
// more files hold them.
func (x *Index) phrases(q *query) (files, places []float64) {
	files, places = make([]float64, len(x.files)), make([]float64, len(x.places))
	number := map[[3]string]int{}
	for _, words := range q.phrases {
		var kept []string
		for _, w := range words {
			if !common[w] {
				kept = append(kept, w)
			}
		}
		for i := 0; i+2 < len(kept) && len(number) < maxTerms; i++ {
			key := [3]string{kept[i], kept[i+1], kept[i+2]}
			if _, ok := number[key]; !ok {
				number[key] = len(number)
			}
		}
	}
	if len(number) == 0 {
		return files, places
	}
	type place struct {
		file *file
		at   int // of places, -1 for none
	}
	found := make([][]place, len(number))
	for _, f := range x.files {
		if f.test {
			continue
		}
		known := map[[3]int32]int{}
		for key, i := range number {
			a, ok1 := f.ids[key[0]]
			b, ok2 := f.ids[key[1]]
			c, ok3 := f.ids[key[2]]
			if ok1 && ok2 && ok3 {
				known[[3]int32{a, b, c}] = i
			}
		}
		if len(known) == 0 {
			continue
		}
		seen := map[int]bool{}
		for i := 0; i+2 < len(f.tokens); i++ {
			t := f.tokens[i : i+3]
			if t[2].line-t[0].line > 2 || t[0].f == inCode {
				continue
			}
			n, ok := known[[3]int32{t[0].word, t[1].word, t[2].word}]
			if !ok || seen[n] {
				continue
			}
			seen[n] = true
			at := place{f, -1}
			if p := f.placeAt(int(t[0].line)); p != nil {
				at.at = p.id
			}
			found[n] = append(found[n], at)
		}
	}
	for _, list := range found {
		for _, p := range list {
			v := 1 / float64(len(list))
			files[p.file.id] += v
			if p.at >= 0 {
				places[p.at] += v
			}
		}
	}
	return files, places
}
