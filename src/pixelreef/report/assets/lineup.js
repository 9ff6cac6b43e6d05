/* Reads out the label under the pointer in every picture of a row; turns panes to another view; filters rows. */
(() => {
  "use strict";

  const lineup = (root) => {
    const names = JSON.parse(root.querySelector('script[type="application/json"]').textContent);
    const known = Object.keys(names).map((hex) => ({
      hex, rgb: [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)),
    }));
    // A browser may blur what a page reads off a picture, so the nearest colour counts.
    const nearest = (pixel) => {
      let best = null, least = 48;
      for (const one of known) {
        const apart = Math.abs(one.rgb[0] - pixel[0]) + Math.abs(one.rgb[1] - pixel[1]) + Math.abs(one.rgb[2] - pixel[2]);
        if (apart < least) [best, least] = [one.hex, apart];
      }
      return best;
    };
    for (const panes of root.querySelectorAll(".panes")) row(panes, names, nearest);

    const turn = (button) => {
      const group = [...button.parentElement.children];
      if ("tag" in button.dataset) {
        button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
        const asked = group.filter((one) => one.getAttribute("aria-pressed") === "true").map((one) => one.dataset.tag.replaceAll(" ", "-"));
        let seen = 0;
        for (const item of root.querySelectorAll(".lined > li")) {
          const tags = item.dataset.tags.split(" ");
          item.hidden = asked.length > 0 && !asked.some((tag) => tags.includes(tag));
          seen += item.hidden ? 0 : 1;
        }
        root.querySelector(".none").hidden = seen > 0;
        return;
      }
      for (const one of group) one.setAttribute("aria-pressed", String(one === button));
      for (const glass of root.querySelectorAll(".glass")) {
        const images = [...glass.querySelectorAll("img")];
        const shown = images.find((image) => image.dataset.view === button.dataset.view) || images[0];
        for (const image of images) image.hidden = image !== shown;
      }
    };
    root.querySelector(".lineup-bar")?.addEventListener("click", (event) => {
      const button = event.target.closest(".turn");
      if (button) turn(button);
    });
  };

  const row = (panes, names, nearest) => {
    const figures = [...panes.querySelectorAll(".pane")].map((figure) => ({
      glass: figure.querySelector(".glass"), cross: figure.querySelector(".cross"),
      read: figure.querySelector(".read"), image: figure.querySelector("img[data-labels]"),
      name: figure.querySelector(".pane-name").textContent,
    }));
    const aloud = panes.parentElement.querySelector("[aria-live]");
    let place = null;

    // Pictures are read off once, when the row is first pointed at.
    const pixels = (one) => {
      if (one.pixels || !one.image) return one.pixels;
      if (!one.image.complete || !one.image.naturalWidth) {
        one.image.loading = "eager";  // one that was never seen was never loaded
        return null;
      }
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [one.image.naturalWidth, one.image.naturalHeight];
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(one.image, 0, 0);
      one.pixels = context.getImageData(0, 0, canvas.width, canvas.height);
      return one.pixels;
    };
    const label = (one) => {
      const read = pixels(one);
      if (!read) return null;
      const x = Math.min(read.width - 1, Math.floor(place[0] * read.width));
      const y = Math.min(read.height - 1, Math.floor(place[1] * read.height));
      return nearest(read.data.subarray(4 * (y * read.width + x), 4 * (y * read.width + x) + 3));
    };
    const write = (one, hex, truth) => {
      one.read.textContent = "";
      if (hex === null) return;
      const swatch = document.createElement("i");
      swatch.style.background = `#${hex}`;
      one.read.append(swatch, names[hex]);
      one.read.classList.toggle("other", truth !== null && hex !== truth);
    };
    const show = (spoken) => {
      const found = figures.map((one) => (place && one.image ? label(one) : null));
      const truth = found.find((hex) => hex !== null) ?? null;
      figures.forEach((one, number) => {
        one.cross.hidden = !place;
        if (place) [one.cross.style.left, one.cross.style.top] = place.map((share) => `${100 * share}%`);
        write(one, found[number], truth);
      });
      if (spoken) aloud.textContent = figures.map((one, number) => (found[number] ? `${one.name}: ${names[found[number]]}` : "")).filter(Boolean).join("; ");
    };
    const point = (event) => {
      const glass = event.target.closest(".glass");
      if (!glass) return;
      const box = glass.getBoundingClientRect();
      const share = (at, start, size) => Math.min(0.9999, Math.max(0, (at - start) / size));
      place = [share(event.clientX, box.left, box.width), share(event.clientY, box.top, box.height)];
      show(false);
    };
    panes.addEventListener("pointermove", point);
    panes.addEventListener("pointerdown", point);
    panes.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "mouse") return;  // a finger that is lifted leaves its reading
      place = null;
      show(false);
    });
    panes.addEventListener("keydown", (event) => {
      if (event.target !== panes || event.altKey || event.ctrlKey || event.metaKey) return;
      const step = event.shiftKey ? 0.1 : 0.01;
      const way = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
      if (!way && event.key !== "Escape") return;
      event.preventDefault();
      place = way ? (place || [0.5, 0.5]).map((at, axis) => Math.min(0.9999, Math.max(0, at + way[axis]))) : null;
      show(true);
    });
  };

  addEventListener("beforeprint", () => {
    for (const image of document.querySelectorAll(".lineup img")) image.loading = "eager";
  });
  for (const root of document.querySelectorAll(".lineup")) lineup(root);
})();
