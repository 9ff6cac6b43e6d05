/* Light and dark, and the section that is being read. Tells the rest of the page of a change by the event `theme`. */
(() => {
  "use strict";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  // A page opened from disk may have no storage at all: then the choice lasts as long as the page.
  const store = (theme) => { try { localStorage.setItem("pixelreef-theme", theme); } catch { /* not kept */ } };
  const theme = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const tell = () => document.dispatchEvent(new Event("theme"));

  const button = document.querySelector(".theme");
  const label = () => button.setAttribute("aria-label", `Switch to ${theme() === "dark" ? "light" : "dark"}`);
  button.hidden = false;
  label();
  button.addEventListener("click", () => {
    root.dataset.theme = theme() === "dark" ? "light" : "dark";
    store(root.dataset.theme);
    label();
    tell();
  });
  dark.addEventListener("change", () => { label(); tell(); });

  // Paper is white.
  let before;
  addEventListener("beforeprint", () => { before = root.dataset.theme; root.dataset.theme = "light"; tell(); });
  addEventListener("afterprint", () => {
    if (before) root.dataset.theme = before; else delete root.dataset.theme;
    tell();
  });

  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  if (!links.size) return;
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target.id);
    const current = [...links.keys()].findLast((id) => seen.has(id));
    for (const [id, link] of links) {
      if (id === current) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-64px 0px -55% 0px" });
  for (const id of links.keys()) watcher.observe(document.getElementById(id));
})();
