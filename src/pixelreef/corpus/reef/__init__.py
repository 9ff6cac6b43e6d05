"""The procedural reef: creatures drawn as a pixel artist would, with the part of every pixel known.

    make.py      make_reef(seed, per_cell, size, cells), make_sprite(category, zone, seed, number, size, species_name)
    zones.py     what a zone does to a creature: Traits, the ramps by name (SLATE … KELP), pick
    animal.py    Species: name, category, draw, zones
    species/     one file per species, in the folder of its category, found by itself
    canvas.py    Canvas: pose, paint, mark, erase; the one light
    shape.py     Shape: mask, lit, u (along), v (across); `shape & mask` and `shape - mask` cut it
    shapes.py    ellipse, profile, stroke, line(s), polygon, fan, rays, curve
    limbs.py     limbs (many at once), dots
    patterns.py  skin (the pattern that the traits ask for), bands, spots
    details.py   eye, mouth, lights, glow, spine, organ
    fins.py      tail, fin, sail, crest, membrane, spikes, thread
    fish.py      spindle, face, open_mouth, photophores, insides, trailing, lure
    jelly.py     swim, bell, gel, coat, tentacles, frill: jellies, drawn upwards along +x
    cephalopod.py  arm, curl, gaze, siphon: arms with suckers, eyes that are never lost
    sessile.py   base, polyps, heading: what corals share
    finish.py    outline, then no specks and no orphans, centred

How to write a species
----------------------
Add `species/<category>/<name>.py` with a `draw` and one declaration:

    def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
        canvas.pose(traits.facing, traits.tilt)
        body = ellipse(canvas, 0, 0, 0.6, 0.4 - 0.2 * traits.slender)
        canvas.paint(body, "body", traits.body, traits.low, traits.high)
        pattern = skin(canvas, random, traits, body, length=1.2, height=0.8)
        eye(canvas, traits, 0.35, -0.1, 0.11)
        return {"view": "side", **pattern}

    SPECIES = Species("bean", "reef-fish", draw)

Call `canvas.pose` first. Draw in units (−1 to 1, y down; `canvas.pixel` is one pixel) inside about ±0.9; what does
not fit is drawn again, smaller, from the same random numbers. Draw from back to front: `paint(…, edge=1.6)` sets a
limb off from what is behind it, `behind=True` paints only where nothing is. `paint` sets tones from `low` in shadow to
`high` in light; `mark` changes label, ramp or tone of what is there. Leave the outline to `finish`, and paint threads
with `bare=True`, which keeps it off them.

- Side view: head at +x, parts `eye`, `fin`, `limb`. From above: head at −y, and its own left is at −x. From the front,
  facing us: its own left is at +x. Only these two carry `left …` and `right …`. Mirroring keeps left left.
- The zone acts through the traits: `slender`, `eye`, `gape`, `trail`, `lights`, `clear`, `low` and `high`. Use as many
  as the animal has organs for, so that its silhouette differs from zone to zone, and draw the insides when
  `traits.clear` is above 0.5.
- Vary the silhouette (proportions, curves, counts, pose), not only the colours, and return what you drew as JSON
  values. All chance comes from `random`; `random.random()`, `random.uniform(a, b)` and `pick(random, items)` are
  fast, `random.choice` is not.
- Two pixels of a colour together at least; marks and bands two pixels wide (in units `2 * canvas.pixel`). A single one
  is an orphan, and `finish` merges it into its surroundings.
- Cost, at 32 pixels on a busy core: ellipse 30 µs, profile 60, fan or polygon 45, stroke 100 to 150, line 30, limbs
  120, `paint` 8 (16 with an edge), `mark` 6, eye 25, skin 40; seed, traits, outline and finish take 200 together. A
  sprite has 1,500 in all, so a species should stay under 1,200: ten shapes or so, and many thin things in one call
  (`lines`, `limbs`, a `polygon` of several contours).
- `tests/corpus/reef` checks every species that it finds: it draws in each of its zones at 16 to 64 pixels, parts lie
  where colours do, orphans, margin, one light. Look at it too, at a scale of five.
"""
