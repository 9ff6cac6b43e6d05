/* One cell of a palette takes the Tab key; the arrow keys walk to its neighbours. */
(() => {
  "use strict";
  for (const figure of document.querySelectorAll(".swatches")) {
    const rows = [...figure.querySelectorAll(".ramp-cells")].map((row) => [...row.children]);
    const cells = rows.flat();
    const focus = (cell) => {
      for (const other of cells) other.tabIndex = other === cell ? 0 : -1;
      return cell;
    };
    if (cells.length) focus(cells[0]);
    figure.addEventListener("keydown", (event) => {
      const y = rows.findIndex((row) => row.includes(event.target));
      if (y < 0) return;
      const x = rows[y].indexOf(event.target);
      const step = { ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], ArrowUp: [x, y - 1], ArrowDown: [x, y + 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const row = rows[Math.min(Math.max(step[1], 0), rows.length - 1)];
      focus(row[Math.min(Math.max(step[0], 0), row.length - 1)]).focus();
    });
  }
})();
