/* Sorts a board by the numbers in `data-sort`. A cell without one is missing and stays last, whichever way. */
(() => {
  "use strict";
  const compare = (column, sign, place) => (a, b) => {
    const x = a.cells[column].dataset.sort, y = b.cells[column].dataset.sort;
    if (x === undefined || y === undefined) {
      return (x === undefined) - (y === undefined) || place.get(a) - place.get(b);
    }
    return sign * (Number(x) - Number(y)) || place.get(a) - place.get(b);
  };

  for (const table of document.querySelectorAll(".board table")) {
    const body = table.tBodies[0];
    const place = new Map([...body.rows].map((row, index) => [row, index]));
    table.tHead.addEventListener("click", (event) => {
      const head = event.target.closest("button")?.closest("th");
      if (!head) return;
      const other = { ascending: "descending", descending: "ascending" };
      const order = other[head.getAttribute("aria-sort")] || head.dataset.first;
      for (const cell of head.parentNode.cells) cell.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      body.append(...[...body.rows].sort(compare(head.cellIndex, order === "ascending" ? 1 : -1, place)));
    });
  }
})();
