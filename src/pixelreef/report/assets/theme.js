/* Runs before anything is painted, so that a page kept dark does not flash light. */
(() => {
  "use strict";
  // A page opened from disk may have no storage at all: then the system decides.
  try {
    const kept = localStorage.getItem("pixelreef-theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch { /* nothing was kept */ }
})();
