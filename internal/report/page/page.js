(function () {
  "use strict";
  var tools = document.getElementById("tools");
  if (!tools) { return; }
  tools.hidden = false;
  var boxes = tools.querySelectorAll("input[type=checkbox]");
  var search = document.getElementById("search");
  var toggle = document.getElementById("toggle");
  var shown = document.getElementById("shown");
  var findings = Array.prototype.slice.call(document.querySelectorAll(".finding"));
  var texts = findings.map(function (f) { return f.textContent.toLowerCase(); });
  function set(el, hide) { if (hide) { el.setAttribute("data-hidden", ""); } else { el.removeAttribute("data-hidden"); } }
  function apply() {
    var want = {};
    boxes.forEach(function (b) { want[b.value] = b.checked; });
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    var n = 0;
    findings.forEach(function (f, i) {
      var hide = !want[f.parentElement.dataset.severity] || !words.every(function (w) { return texts[i].indexOf(w) >= 0; });
      set(f, hide);
      if (!hide) { n++; }
    });
    document.querySelectorAll(".group").forEach(function (g) { set(g, !g.querySelector(".finding:not([data-hidden])")); });
    shown.textContent = n === findings.length ? "" : n + " of " + findings.length + " shown";
  }
  boxes.forEach(function (b) { b.addEventListener("change", apply); });
  search.addEventListener("input", apply);
  toggle.addEventListener("click", function () {
    var open = toggle.textContent === "Open all";
    findings.forEach(function (f) { f.open = open; });
    toggle.textContent = open ? "Close all" : "Open all";
  });
  function reveal() {
    var f = location.hash && document.getElementById(location.hash.slice(1));
    if (f && f.classList.contains("finding")) { f.open = true; f.scrollIntoView(); }
  }
  window.addEventListener("hashchange", reveal);
  reveal();
})();
