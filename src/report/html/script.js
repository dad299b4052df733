"use strict";
// Shows the findings that have all the words and one of the levels. The address keeps both, so that a link to
// a selection can be passed on: report.html#words=disk&levels=must
const form = document.getElementById("filters");
if (form) {
  const words = document.getElementById("words");
  const levels = [...form.querySelectorAll("input[name=level]")];
  const findings = [...document.querySelectorAll(".finding")];
  const texts = findings.map((finding) => finding.textContent.toLowerCase());
  const open = document.getElementById("open");

  const select = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = levels.filter((level) => level.checked).map((level) => level.value);
    let shown = 0;
    findings.forEach((finding, at) => {
      const fits = chosen.includes(finding.dataset.level) && wanted.every((word) => texts[at].includes(word));
      finding.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    for (const section of document.querySelectorAll(".findings")) {
      section.querySelector(".none").hidden = section.querySelector(".finding:not([hidden])") !== null;
    }
    document.getElementById("shown").textContent = `${shown} of ${findings.length}`;
    const all = chosen.length === levels.length;
    const kept = new URLSearchParams();
    if (words.value) kept.set("words", words.value);
    if (!all) kept.set("levels", chosen.join(","));
    const hash = kept.toString();
    if (hash || location.hash.includes("=")) history.replaceState(null, "", hash ? `#${hash}` : " ");
  };

  const recall = () => {
    // A link to one finding opens it.
    const linked = location.hash.startsWith("#f-") && document.getElementById(location.hash.slice(1));
    if (linked) {
      linked.open = true;
      linked.scrollIntoView();
    }
    const kept = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    words.value = kept.get("words") ?? "";
    const chosen = kept.has("levels") ? kept.get("levels").split(",") : null;
    levels.forEach((level) => { level.checked = !chosen || chosen.includes(level.value); });
    select();
  };

  form.hidden = false;
  form.addEventListener("input", select);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", recall);
  open.addEventListener("click", () => {
    const opens = findings.some((finding) => !finding.hidden && !finding.open);
    findings.filter((finding) => !finding.hidden).forEach((finding) => { finding.open = opens; });
    open.textContent = opens ? "Close all" : "Open all";
  });
  recall();
}
