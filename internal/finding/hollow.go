package finding

import (
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// Hollow is the Why of a finding that makes no claim.
const Hollow = "it says neither when it happens nor what follows"

// fullTitle is how many words besides filler and the category's a title needs to be a claim by itself.
const fullTitle = 4

// IsHollow says of a finding whether its texts name no trigger and no consequence: "This looks like off-by-one." An
// explanation that is empty, or only repeats the title or the category, adds nothing; but a title that says it all by itself
// is enough. It is careful: any word about the code that the title has not lets an explanation pass.
func IsHollow(f Finding) bool {
	title, all := telling(f.Title, f.Category), telling(f.Title+"\n"+f.Explanation, f.Category)
	return len(all) == len(title) && len(title) < fullTitle
}

// Sound parts findings into those that say something and those that do not, which get their Why.
func Sound(fs []Finding) (sound, hollow []Finding) {
	for _, f := range fs {
		if IsHollow(f) {
			f.Why = Hollow
			hollow = append(hollow, f)
		} else {
			sound = append(sound, f)
		}
	}
	return sound, hollow
}

// telling are the words of text that are no filler and not the category's. In scripts that write no spaces each letter
// counts as a word.
func telling(text, category string) map[string]bool {
	about := taxonomy.About(category)
	set := words(text)
	for w := range set {
		runes := []rune(w)
		if dense := runes[0] >= 0x2E80 && unicode.IsLetter(runes[0]); dense {
			delete(set, w)
			for _, r := range runes {
				set[string(r)] = true
			}
			continue
		}
		if common[w] || filler[w] {
			delete(set, w)
		}
	}
	for w := range words(category + " " + about.Title) {
		delete(set, w)
	}
	return set
}

// common are words that any two English sentences share.
var common = wordSet(`it its this that these those there then than so if when where which who whose what be been being are was were
	has have had do does did can could will would shall should may might must not no nor but as at from into out up down over under
	only also still even just any all each every some such other another one two more most less same own here how why because while
	after before again between both few very too about against through during without within per else instead`)

// filler are words that claim without saying what.
var filler = wordSet(`look looks like looked seem seems seemingly appear appears likely possible possibly potential potentially maybe
	perhaps probably suspicious questionable issue issues problem problems problematic bug bugs bugged defect defects error errors flaw
	flaws fault faults vulnerability vulnerabilities vulnerable weakness weaknesses risk risks risky concern concerns finding code line
	lines function method file place here found detected identified exists present contains contain check checked review reviewed verify
	should fix fixed bad wrong incorrect incorrectly improper improperly insecure unsafe security secure quality practice lead leads cause
	causes result results unexpected behavior behaviour we you they needs need attention detail details described see above below high
	medium low critical severe severity category kind type`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
