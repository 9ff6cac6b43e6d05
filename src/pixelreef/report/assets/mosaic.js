// Choosing a tile opens its box, also where the browser does not do so by itself, and brings it into sight.
(() => {
  const reveal = (id, focus) => {
    const inside = id && document.getElementById(id);
    const box = inside && inside.closest("details.box");
    if (!box) return;
    box.open = true;
    box.scrollIntoView({ block: "start" });
    if (focus) inside.focus({ preventScroll: true });
  };
  document.addEventListener("click", (event) => {
    const face = event.target.closest("a.face");
    if (face) reveal(face.getAttribute("href").slice(1), true);
  });
  window.addEventListener("hashchange", () => reveal(location.hash.slice(1), false));
  reveal(location.hash.slice(1), false);
})();
