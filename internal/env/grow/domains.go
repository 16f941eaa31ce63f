package grow

// The words of projects. Training and held-out domains share none of their nouns, aspects, actors and verbs.

const heldout = "heldout"

func suffixes(split string) []string {
	if split == heldout {
		return []string{"desk", "relay", "board", "tracker"}
	}
	return []string{"service", "hub", "core", "manager"}
}

func domains(split string) []Domain {
	if split == heldout {
		return []Domain{
			{Name: "harbour", nouns: []string{"vessel", "berth", "container", "pilotage", "tug", "manifest"}, actors: []string{"harbourmaster", "stevedore"}, verbs: []string{"moor", "unload", "clear"}},
			{Name: "festival", nouns: []string{"stage", "performer", "wristband", "vendor", "lineup", "rehearsal"}, actors: []string{"promoter", "steward"}, verbs: []string{"admit", "announce", "settle"}},
			{Name: "orchard", nouns: []string{"tree", "harvest", "crate", "picker", "cultivar", "irrigation"}, actors: []string{"grower", "agronomist"}, verbs: []string{"prune", "weigh", "grade"}},
			{Name: "observatory", nouns: []string{"telescope", "exposure", "dome", "filter_wheel", "target", "plate"}, actors: []string{"astronomer", "night_assistant"}, verbs: []string{"slew", "expose", "reduce"}},
			{Name: "railway", nouns: []string{"carriage", "siding", "timetable", "signal", "platform", "consist"}, actors: []string{"dispatcher", "conductor"}, verbs: []string{"couple", "reroute", "hold"}},
		}
	}
	return []Domain{
		{Name: "library", nouns: []string{"book", "loan", "member", "reservation", "fine", "branch"}, actors: []string{"librarian", "reader"}, verbs: []string{"lend", "renew", "return"}},
		{Name: "clinic", nouns: []string{"patient", "appointment", "prescription", "ward", "referral", "specimen"}, actors: []string{"nurse", "doctor"}, verbs: []string{"book", "admit_patient", "discharge"}},
		{Name: "warehouse", nouns: []string{"item", "pallet", "shipment", "bin", "supplier", "order"}, actors: []string{"clerk", "picker_lead"}, verbs: []string{"pack", "ship", "restock"}},
		{Name: "parking", nouns: []string{"garage", "permit", "ticket", "vehicle", "meter", "barrier"}, actors: []string{"attendant", "driver"}, verbs: []string{"park", "charge", "tow"}},
		{Name: "gym", nouns: []string{"membership", "trainer", "session", "locker", "invoice", "class_slot"}, actors: []string{"coach", "athlete"}, verbs: []string{"enrol", "check_in", "cancel"}},
		{Name: "courier", nouns: []string{"parcel", "route", "depot", "van", "delivery", "recipient"}, actors: []string{"courier_rider", "planner"}, verbs: []string{"collect", "deliver", "redirect"}},
	}
}

// words completes a split's domains with what they have in common.
func words(split string) (aspects []string, fields []Field) {
	if split == heldout {
		return []string{"ledger", "roster", "notice", "survey", "allotment", "dossier", "waiver", "bulletin", "tally", "charter", "docket",
				"appraisal"},
			[]Field{
				{Name: "title", Kind: Text}, {Name: "remark", Kind: Text}, {Name: "contact", Kind: Email}, {Name: "levy_cents", Kind: Cents},
				{Name: "deposit_cents", Kind: Cents}, {Name: "capacity", Kind: Count}, {Name: "attempts", Kind: Count}, {Name: "share", Kind: Ratio},
				{Name: "opened_at", Kind: Time}, {Name: "closes_at", Kind: Time}, {Name: "sealed", Kind: Flag},
				{Name: "phase", Kind: State, Words: []string{"draft", "open", "settled", "void"}}, {Name: "marks", Kind: Tags},
			}
	}
	return []string{"request", "audit", "schedule", "policy", "batch", "quota", "report", "history", "rule", "transfer", "rating", "summary"},
		[]Field{
			{Name: "name", Kind: Text}, {Name: "note", Kind: Text}, {Name: "email", Kind: Email}, {Name: "price_cents", Kind: Cents},
			{Name: "balance_cents", Kind: Cents}, {Name: "quantity", Kind: Count}, {Name: "priority", Kind: Count}, {Name: "discount", Kind: Ratio},
			{Name: "created_at", Kind: Time}, {Name: "due_at", Kind: Time}, {Name: "active", Kind: Flag},
			{Name: "status", Kind: State, Words: []string{"new", "pending", "done", "failed"}}, {Name: "labels", Kind: Tags},
		}
}
