/* Judges the cards of a deck by single keys, keeps the decisions in the browser and saves them as a file. */
(() => {
  "use strict";
  const KEYS = "123456789abcdefghijklmnopqrstuvwxyz";
  const ACTIONS = { k: "keep", d: "drop", r: "relabel", w: "weight", u: "undo", ArrowLeft: "back", ArrowRight: "next", " ": "next" };
  const count = (number) => number.toLocaleString("en");

  const start = (root, first) => {
    const part = (name) => root.querySelector(name);
    const deck = JSON.parse(part("script[type='application/json']").textContent);
    const cards = deck.cards.map(([id, x, y, width, height, title, caption, group, near], number) =>
      ({ id, x, y, width, height, title, caption, group, near, number }));
    const atlas = part(".deck-atlas"), storage = `pixelreef-deck-${deck.key}`;
    const ids = new Set(cards.map((card) => card.id));
    let decided = new Map(), undone = [], current = cards[0], list = cards, kept = true;

    /* What was decided */
    const fine = (one) => one && typeof one === "object" && (one.do === "keep" || one.do === "drop")
      && (one.relabel === undefined || (one.relabel && typeof one.relabel === "object"))
      && (one.weight === undefined || (Number.isFinite(one.weight) && one.weight >= 0));
    const taken = (document) => new Map(Object.entries(document?.decisions || {}).filter(([, one]) => fine(one)));
    const made = () => {
      const here = cards.filter((card) => decided.has(card.id)).map((card) => card.id);
      const elsewhere = [...decided.keys()].filter((id) => !ids.has(id)).sort();
      return { ...deck.header, decisions: Object.fromEntries([...here, ...elsewhere].map((id) => [id, decided.get(id)])) };
    };
    const keep = () => {
      try { localStorage.setItem(storage, JSON.stringify(made())); } catch { kept = false; }
      if (!kept) note("This browser keeps nothing for a page from disk: save before you close it.");
    };
    const note = (words) => { part(".deck-note").textContent = words; part(".deck-note").hidden = !words; };

    const states = (card) => {
      const one = decided.get(card.id);
      if (!one) return ["undecided"];
      return [one.do === "drop" ? "dropped" : "kept", ...(one.relabel ? ["relabelled"] : []), ...(one.weight === undefined ? [] : ["reweighted"])];
    };
    const words = (card) => {
      const one = decided.get(card.id);
      if (!one) return "";
      if (one.do === "drop") return "Dropped";
      const label = one.relabel && (deck.titles[deck.labels.findIndex((value) => same(value, one.relabel))] || Object.values(one.relabel).join("/"));
      return ["Kept", ...(label ? [`as ${label}`] : []), ...(one.weight === undefined ? [] : [`with weight ${one.weight}`])].join(" ");
    };
    const same = (a, b) => Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);

    /* What is seen */
    const draw = (canvas, card, roomX, roomY) => {
      const scale = Math.max(1, Math.floor(Math.min(roomX / card.width, roomY / card.height)));
      canvas.width = card.width;
      canvas.height = card.height;
      canvas.style.width = `${card.width * scale}px`;
      canvas.getContext("2d").drawImage(atlas, card.x, card.y, card.width, card.height, 0, 0, card.width, card.height);
    };
    const neighbour = (card) => {
      const button = document.createElement("button"), canvas = document.createElement("canvas");
      button.type = "button";
      button.dataset.card = card.number;
      button.dataset.state = states(card).join(" ");
      button.title = [card.title, words(card)].filter(Boolean).join(": ");
      button.setAttribute("aria-label", button.title);
      draw(canvas, card, 98, 98);
      button.append(canvas);
      return button;
    };
    const show = () => {
      const there = list.length > 0;
      for (const name of [".deck-mat", ".deck-side"]) part(name).hidden = !there;
      part(".deck-none").hidden = there;
      tally();
      if (!there) return;
      const mat = part(".deck-mat"), canvas = part(".deck-big");
      draw(canvas, current, mat.clientWidth - 16, Math.max(256, 0.48 * innerHeight));  // so that the keys are in sight below it
      canvas.setAttribute("aria-label", current.title);
      part(".deck-place").textContent = `${count(list.indexOf(current) + 1)} of ${count(list.length)}`;
      part(".deck-title").textContent = current.title;
      part(".deck-caption").textContent = current.caption;
      part(".deck-verdict").textContent = words(current);
      part(".deck-table").dataset.state = states(current).join(" ");
      part(".deck-near").replaceChildren(...current.near.map((number) => neighbour(cards[number])));
      part(".deck-like").hidden = !current.near.length;
    };
    const tally = () => {
      const counts = { kept: 0, dropped: 0, relabelled: 0, reweighted: 0, undecided: 0 };
      for (const card of cards) for (const state of states(card)) counts[state]++;
      part("progress").value = cards.length - counts.undecided;
      part(".deck-counts").textContent = [
        ...["kept", "dropped", "relabelled", "reweighted"].map((state) => `${count(counts[state])} ${state}`),
        `${count(counts.undecided)} of ${count(cards.length)} to go`,
      ].join(" · ");
    };

    /* Moving on */
    const fits = (card) => {
      const group = part(".deck-group").value, state = part(".deck-state").value;
      return (!group || card.group === Number(group)) && (!state || states(card).includes(state));
    };
    const relist = () => { list = cards.filter(fits); };
    const filter = () => {
      relist();
      if (!list.includes(current)) current = list.find((card) => card.number > current.number) || list[0] || current;
      show();
    };
    const go = (step) => {
      if (!list.length) return;
      const place = list.indexOf(current);
      current = list[(place + step + list.length) % list.length];
      show();
    };
    const decide = (change) => {
      if (!list.length) return;
      const before = decided.get(current.id);
      undone.push([current.number, before]);
      decided.set(current.id, change(before));
      const next = list[(list.indexOf(current) + 1) % list.length];
      relist();
      // In a list of the undecided this card has just left; then the one after it comes, else the first that is left.
      current = list.includes(next) ? next : list[0] || current;
      keep();
      show();
    };
    const kin = (before) => (before?.do === "keep" ? before : {});
    const actions = {
      keep: () => decide((before) => ({ ...kin(before), do: "keep" })),
      drop: () => decide(() => ({ do: "drop" })),
      relabel: () => choose("relabel"),
      weight: () => choose("weight"),
      next: () => go(1),
      back: () => go(-1),
      undo: () => {
        const last = undone.pop();
        if (!last) return;
        current = cards[last[0]];
        if (last[1]) decided.set(current.id, last[1]); else decided.delete(current.id);
        if (!fits(current)) for (const name of [".deck-group", ".deck-state"]) part(name).value = "";
        relist();
        keep();
        show();
      },
      save: () => {
        const link = document.createElement("a"), file = made();
        link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1) + "\n"], { type: "application/json" }));
        link.download = deck.file;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
        note(`${count(Object.keys(file.decisions).length)} decisions saved as ${deck.file}, where your browser keeps downloads.`);
      },
      open: () => part("input[type='file']").click(),
    };
    const choose = (what) => { if (list.length) part(`[data-choose="${what}"]`)?.showModal(); };
    const chosen = (what, number) => {
      const change = what === "relabel" ? { relabel: deck.labels[number] } : { weight: deck.weights[number] };
      decide((before) => ({ ...kin(before), do: "keep", ...change }));
    };

    /* Hands */
    document.addEventListener("keydown", (event) => {
      const at = document.activeElement;
      const ours = root.contains(at) || (first && at === document.body);
      if (!ours || event.altKey || event.ctrlKey || event.metaKey || root.querySelector("dialog[open]")) return;
      if (at.matches("input, select, textarea") || (event.key === " " && at.matches("button"))) return;
      const action = ACTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      event.preventDefault();
      if (root.getBoundingClientRect().bottom > innerHeight) root.scrollIntoView();
      actions[action]();
    });
    root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.card) { current = cards[button.dataset.card]; if (!list.includes(current)) list = [...list, current].sort((a, b) => a.number - b.number); show(); }
      else if (button.dataset.choice) { const dialog = button.closest("dialog"); dialog.close(); chosen(dialog.dataset.choose, Number(button.dataset.choice)); }
      else actions[button.dataset.do]?.();
      // So that the space bar moves on, and does not press the same button again.
      if (!root.querySelector("dialog[open]")) root.focus({ preventScroll: true });
    });
    for (const dialog of root.querySelectorAll("dialog")) {
      dialog.addEventListener("keydown", (event) => {
        const number = event.key.length === 1 ? KEYS.indexOf(event.key.toLowerCase()) : -1;
        const button = number < 0 ? null : dialog.querySelector(`[data-choice="${number}"]`);
        if (!button || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        button.click();
      });
      dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    }
    for (const name of [".deck-group", ".deck-state"]) {
      part(name).addEventListener("change", () => { filter(); root.focus({ preventScroll: true }); });
    }
    part("input[type='file']").addEventListener("change", async (event) => {
      const file = event.target.files[0];
      event.target.value = "";
      if (!file) return;
      let document = null;
      try { document = JSON.parse(await file.text()); } catch { /* said below */ }
      if (!document?.decisions || ["format", "version"].some((key) => document[key] !== deck.header[key])) {
        note(`${file.name} is no file of decisions.`);
        return;
      }
      const found = taken(document);
      for (const [id, one] of found) decided.set(id, one);
      undone = [];
      const strange = [...found.keys()].filter((id) => !ids.has(id)).length;
      keep();
      note(`${count(found.size)} decisions opened${strange ? `, ${count(strange)} of them about pictures that are not on this page` : ""}.`);
      filter();
    });
    addEventListener("resize", show);

    try { decided = taken(JSON.parse(localStorage.getItem(storage))); } catch { /* nothing was kept */ }
    for (const name of [".deck-group", ".deck-state"]) part(name).value = "";  // a browser may have kept an earlier choice
    current = cards.find((card) => !decided.has(card.id)) || cards[0];
    atlas.decode().then(show, show);
  };

  [...document.querySelectorAll(".deck")].forEach((root, number) => start(root, number === 0));
})();
