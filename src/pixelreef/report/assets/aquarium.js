/* Draws each aquarium of the page from palette indices. Light walks ramps; no colour is ever mixed. */
(() => {
  "use strict";
  const BAYER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((n) => (n + 0.5) / 16);
  const FRAME = 1000 / 24;
  const bytes = (packed) => Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const night = () => getComputedStyle(document.documentElement).colorScheme === "dark"
    || (document.documentElement.dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);

  for (const figure of document.querySelectorAll(".aquarium")) start(figure);

  function start(figure) {
    const canvas = figure.querySelector("canvas"), button = figure.querySelector(".pause");
    const tank = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
    const { width, height } = canvas, context = canvas.getContext("2d", { willReadFrequently: true });
    const scene = bytes(tank.scene), cells = new Uint8Array(scene.length), image = context.createImageData(width, height);
    const colours = new Uint32Array(tank.rgb.map(([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0));
    const pixels = new Uint32Array(image.data.buffer);
    const swimmers = tank.swimmers.map((one) => ({ ...one, frames: one.frames.map(bytes) }));
    const lamp = { x: width * 0.62, y: height * 0.45, near: 0 };
    let time = 3, last = 0, playing = !calm.matches, visible = true, dark = night();

    const swim = (one) => {
      const count = one.frames.length, lane = width + 2 * one.width;
      const body = one.frames[Math.floor(time / one.seconds + one.x) % count], rows = body.length / one.width;
      const still = one.speed === 0;
      const x0 = still ? Math.round(one.x) : Math.round(((one.x + one.speed * time) % lane + lane) % lane - one.width);
      const y0 = Math.round(one.y + (still ? 0 : 2.5 * Math.sin(time * 0.9 + one.x)));
      for (let x = 0; x < one.width; x++) {
        const from = one.speed < 0 ? one.width - 1 - x : x, px = x0 + x;
        if (px < 0 || px >= width) continue;
        // Of one frame: the tail beats, the head stays: a wave along the body that fades towards the front.
        const beat = count > 1 ? 0
          : Math.round(1.4 * Math.max(0, 0.7 - from / one.width) * Math.sin(time * 9 + one.y + from * 0.35) * 1.6);
        for (let y = 0; y < rows; y++) {
          const cell = body[y * one.width + from], py = y0 + y + beat;
          if (cell !== tank.clear && py >= 0 && py < height) cells[py * width + px] = cell;
        }
      }
    };

    const light = () => {
      const reach = 0.14 * width, walks = tank.walks, base = -tank.darkest;
      const gain = (dark ? 2.6 : 1.5) * lamp.near;
      for (let y = 0, at = 0; y < height; y++) {
        const depth = y / height, rows = (y & 3) << 2;
        const dusk = dark ? 1 + Math.min(1, Math.max(0, 2.2 * depth - 0.7)) : 0;
        for (let x = 0; x < width; x++, at++) {
          const ripple = Math.sin(x * 0.13 + Math.sin(y * 0.09 + time * 0.7) * 1.8 + time * 0.8)
            + Math.sin(x * 0.07 - y * 0.16 - time * 0.55);
          const dx = x - lamp.x, dy = y - lamp.y, glow = Math.max(0, 1 - Math.sqrt(dx * dx + dy * dy) / reach);
          let walk = base - dusk + 0.42 * Math.max(0, ripple - 0.75) * (1.15 - 0.6 * depth) + gain * Math.sqrt(glow);
          walk = Math.floor(walk + BAYER[rows | (x & 3)]);
          walk = walk < 0 ? 0 : walk >= walks.length ? walks.length - 1 : walk;
          pixels[at] = colours[walks[walk][cells[at]]];
        }
      }
    };

    const draw = () => {
      cells.set(scene);
      for (const one of swimmers) swim(one);
      light();
      context.putImageData(image, 0, 0);
    };
    const step = (now) => {
      if (!playing || !visible) { last = 0; return; }
      if (now - last >= FRAME) {
        time += last ? Math.min(0.1, (now - last) / 1000) : 0;
        last = now;
        draw();
      }
      requestAnimationFrame(step);
    };
    const wake = () => { if (playing && visible) requestAnimationFrame(step); else draw(); };
    const label = () => { button.textContent = playing ? "Pause" : "Play"; button.setAttribute("aria-pressed", String(!playing)); };
    const fit = () => {
      const room = figure.clientWidth, ratio = window.devicePixelRatio || 1;
      const whole = Math.max(1, Math.floor(room * ratio / width));
      canvas.style.width = `${room * ratio < width ? room : whole * width / ratio}px`;
    };

    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      lamp.x = (event.clientX - box.left) / box.width * width;
      lamp.y = (event.clientY - box.top) / box.height * height;
      lamp.near = 1;
      if (!playing) draw();
    });
    canvas.addEventListener("pointerleave", () => { lamp.near = 0; if (!playing) draw(); });
    canvas.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: [-6, 0], ArrowRight: [6, 0], ArrowUp: [0, -6], ArrowDown: [0, 6] }[event.key];
      if (!move) return;
      event.preventDefault();
      lamp.x = Math.min(width, Math.max(0, lamp.x + move[0]));
      lamp.y = Math.min(height, Math.max(0, lamp.y + move[1]));
      lamp.near = 1;
      if (!playing) draw();
    });
    button.addEventListener("click", () => { playing = !playing; label(); wake(); });
    document.addEventListener("theme", () => { dark = night(); draw(); });
    new IntersectionObserver(([entry]) => { visible = entry.isIntersecting; wake(); }).observe(canvas);
    new ResizeObserver(fit).observe(figure);
    fit();
    label();
    draw();
  }
})();
