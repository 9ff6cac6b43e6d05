/* Filters the pictures of a gallery and opens one at a larger whole multiple. */
(() => {
  "use strict";

  const gallery = (root) => {
    const items = [...root.querySelectorAll(".pictures > li")];
    const images = items.map((item) => item.querySelector("img"));
    for (const image of images) if (image.dataset.same) image.src = images[image.dataset.same].src;
    const part = (name) => root.querySelector(name);
    let shown = items;

    const filter = () => {
      const words = part("input").value.toLowerCase().split(/\s+/).filter(Boolean);
      const groups = pressed();
      shown = items.filter((item) => fits(item, words, groups));
      const seen = new Set(shown);
      for (const item of items) item.hidden = !seen.has(item);
      part(".matches").textContent = `${shown.length.toLocaleString("en")} of ${items.length.toLocaleString("en")}`;
      part(".none").hidden = shown.length > 0;
    };

    // Pressed chips by group: one of each group has to fit.
    const pressed = () => {
      const groups = new Map();
      for (const chip of root.querySelectorAll('.chip[aria-pressed="true"]')) {
        const group = groups.get(chip.dataset.group) || new Set();
        groups.set(chip.dataset.group, group.add(chip.dataset.tag));
      }
      return [...groups.values()];
    };
    const labels = new Map([...root.querySelectorAll(".chip")].map((chip) => [chip.dataset.tag, chip.textContent]));
    const facts = new Map(items.map((item) => {
      const tags = item.dataset.tags.split(" ").filter(Boolean);
      const words = [...item.querySelectorAll(".name, .caption")].map((line) => line.textContent);
      return [item, { tags, words: [...words, ...tags.map((tag) => labels.get(tag))].join("\n").toLowerCase() }];
    }));
    const fits = (item, words, groups) => {
      const fact = facts.get(item);
      return words.every((word) => fact.words.includes(word))
        && groups.every((group) => fact.tags.some((tag) => group.has(tag)));
    };

    if (part(".filter")) {
      let waiting = 0;
      part("input").addEventListener("input", () => {
        cancelAnimationFrame(waiting);
        waiting = requestAnimationFrame(filter);
      });
      part(".filter").addEventListener("click", (event) => {
        const chip = event.target.closest(".chip");
        if (!chip) return;
        chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
        filter();
      });
      filter();  // a browser may have kept the words of an earlier visit
    }
    closer(root, () => shown);
  };

  const closer = (root, shown) => {
    const dialog = root.querySelector(".closer");
    const part = (name) => dialog.querySelector(name);
    let item = null;

    // What the window leaves for the picture; text stands beside it on a wide screen (56rem), else under it.
    const room = (detailed) => {
      const wide = matchMedia("(min-width: 56rem)").matches;
      const across = Math.min(innerWidth, 1024) - 64;
      return [across * (detailed && wide ? 0.62 : 1), innerHeight * (detailed && !wide ? 0.52 : 0.72)];
    };
    const show = (next) => {
      item = next;
      const small = item.querySelector("img");
      const text = (name) => item.querySelector(name)?.textContent || "";
      const [width, height] = small.dataset.size.split(" ").map(Number);
      const [roomX, roomY] = room(Boolean(text(".detail")));
      const scale = Math.max(1, Math.floor(Math.min(roomX / width, roomY / height)));
      const image = part("img");
      image.src = small.src;
      image.alt = small.alt;
      image.width = width * scale;
      image.height = height * scale;
      const list = shown();
      part(".closer-title").textContent = text(".name");
      part(".closer-place").textContent = `${list.indexOf(item) + 1} of ${list.length}`;
      part(".closer-caption").textContent = [text(".caption"), `${width} × ${height}, shown at ${scale}×`].filter(Boolean).join(" · ");
      part(".closer-detail").textContent = text(".detail");
      part(".closer-detail").hidden = !text(".detail");
      part(".closer-body").classList.toggle("detailed", Boolean(text(".detail")));
      part(".closer-detail").scrollTop = 0;
    };
    const go = (step) => {
      const list = shown();
      show(list[(list.indexOf(item) + step + list.length) % list.length]);
    };

    root.querySelector(".pictures").addEventListener("click", (event) => {
      const button = event.target.closest(".look");
      if (!button) return;
      show(button.closest("li"));
      dialog.showModal();
    });
    dialog.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(step);
    });
    dialog.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.go) go(Number(button.dataset.go));
      else if (event.target === dialog || button) dialog.close();
    });
    dialog.addEventListener("close", () => {
      const button = item.querySelector(".look");
      button.focus();
      button.scrollIntoView({ block: "nearest" });
    });
  };

  // What was never scrolled to has not been decoded, and would be blank on paper.
  addEventListener("beforeprint", () => {
    for (const image of document.querySelectorAll(".pictures img")) image.loading = "eager";
  });
  for (const root of document.querySelectorAll(".gallery")) gallery(root);
})();
