package codebase

import (
	"regexp"
	"strings"
)

// Libraries that projects keep a copy of among their own scripts and style sheets, and how a copy gives itself away.
const libraries = `jquery(?:[ ._-]?(?:ui|mobile|slim|migrate|easing|validation|validate|cookie|form|datatables|timepicker))?|jqgrid|` +
	`datatables|bootstrap(?:[ ._-](?:datepicker|select|table|switch|dialog|modal|tour|multiselect|datetimepicker))?|angular(?:js)?|` +
	`prototype|scriptaculous|mootools|dojo(?: toolkit)?|yui|ext js|backbone|underscore|lodash|d3|moment|vue|react|ember|knockout|` +
	`handlebars|mustache|require(?:js)?|modernizr|raphael|highcharts|chart\.?js|leaflet|three|tinymce|ckeditor|codemirror|select2|` +
	`chosen|dropzone|fullcalendar|video\.?js|plupload|swfobject|flot|hammer|popper|zepto|polymer|foundation|semantic ui|materialize|` +
	`font awesome|normalize|sizzle|axios|dompurify|mathjax|socket\.io|highlight|prism|less|html5shiv|respond|sweetalert2?|toastr`

var (
	libraryBanner = regexp.MustCompile(`(?i)^[!@*\s]*(?:@license\s+|@preserve\s+)?(?:the )?(` + libraries + `)(?:\.js|js)?` +
		`(?:\s+(?:javascript|js|css)?\s*(?:library|framework|toolkit|plugin|compressed)?)?\s*[-–:,]?\s*(?:version:?\s*|v)?\d+\.\d+`)
	libraryFile = regexp.MustCompile(`(?i)^(` + libraries + `)(?:[.-](?:js|min|core|full|all|bundle|slim|pack))*[.-]v?\d+\.\d+(?:\.\d+)?` +
		`(?:[.-][a-z]+)*\.(?:js|css)$`)
)

const bannerLines = 8

// vendoredCopy says which library a script or style sheet is a copy of, by the banner that it opens with: "jQuery JavaScript
// Library v3.1.1". A library's own repository keeps it at the top, where a copy hardly ever lies.
func vendoredCopy(p, lang, text string) string {
	switch lang {
	case "javascript", "typescript", "css":
	default:
		return ""
	}
	if !strings.Contains(p, "/") {
		return ""
	}
	n := 0
	for line := range strings.Lines(firstBytes(text, generatedHead)) {
		if n++; n > bannerLines {
			break
		}
		body, ok := commentBody(line)
		if !ok {
			if strings.TrimSpace(line) == "" || n > 1 {
				continue
			}
			return "" // it opens with code
		}
		if m := libraryBanner.FindStringSubmatch(body); m != nil {
			return whyVendored + ": a copy of " + m[1]
		}
	}
	return ""
}
