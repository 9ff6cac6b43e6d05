"""`reef-scenes`: several creatures of the procedural reef; classes are water, sea floor and the six categories.

Scenes are drawn at 128 pixels a side and enlarged by a whole factor, so every pixel of the truth is exact. A seed that
no one has used before gives pictures that no one has seen.
"""

from __future__ import annotations

from pixelreef.core.palette import rgb_from_hex
from pixelreef.core.reef import reef_palette
from pixelreef.corpus.reef.scene import CLASSES, make_scene
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.dataset import MadeDataset, Rgb, Task
from pixelreef.metrics.overlap import Labels

COLOURS = "000000 ffffff ee00ff 007700 ff6600 00aaff 00ee00 0000cc"  # palette_make.make(8)
TASK = Task(
    1,
    """The picture is pixel art: a scene under the sea with several creatures. Paint every pixel in the colour of what
it shows. A creature is all of its class, with its fins, arms, threads and lights, and with the outline around it; a
stone that a coral stands on is part of the coral. Where creatures overlap, the one in front counts.
- water: the water behind, with all that drifts in it
- sea floor: the ground
- reef-fish: fish of the reef, also eels, rays and seahorses
- grazer: what crawls and grazes, such as crabs, shrimps, snails, slugs, starfish, urchins, sea cucumbers and turtles
- coral: corals, anemones, sea fans and sea pens
- jellyfish: jellyfish, comb jellies and siphonophores
- cephalopod: squid, cuttlefish, octopus and nautilus
- abyssal: creatures of the deep, such as anglers, viperfish, dragonfish, gulpers, giant isopods and tube worms""",
)


class ReefScenes(MadeDataset):
    """Many creatures, one class for each category."""

    name = "reef-scenes"
    version = 1
    title = "reef scenes"
    classes = Classes(
        tuple(
            MaskClass(name, rgb_from_hex(colour), index)
            for index, (name, colour) in enumerate(zip(CLASSES, COLOURS.split(), strict=True))
        ),
        "reef-scenes",
        "index",
    )
    task = TASK
    side = 128

    def drawn(self, seed: int, number: int) -> tuple[Rgb, Labels]:
        """Scene `number` of the seed."""
        scene = make_scene(seed, number, self.side, self.side)
        return reef_palette().rgb[scene.cells], scene.classes


DATASET = ReefScenes()
