"""A structure as PNG, for a model that can see."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import io

from grafico.views.picture import EDGES, Scene

WIDTH, HEIGHT, MARGIN = 480, 360, 20.0


def png(view: Scene) -> bytes:
    """Draw a scene as balls and sticks with the symbols of the elements and their numbers."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    xs, ys = ([point[axis] for point in (*view.points, *view.corners)] for axis in (0, 1))
    widest = max(view.radii)
    spans = [max(values) - min(values) + 2 * widest for values in (xs, ys)]
    scale = min((WIDTH - 2 * MARGIN) / spans[0], (HEIGHT - 2 * MARGIN) / spans[1], 1.2)
    middle = [(max(values) + min(values)) / 2 for values in (xs, ys)]

    def at(point: tuple[float, float, float]) -> tuple[float, float]:
        x, y, _ = point
        return WIDTH / 2 + scale * (x - middle[0]), HEIGHT / 2 - scale * (y - middle[1])

    for i, j in EDGES if view.corners else ():
        draw.line([at(view.corners[i]), at(view.corners[j])], fill=(170, 170, 170), width=2)
    for i, j, _, _ in view.bonds:
        draw.line(
            [at(view.points[i]), at(view.points[j])],
            fill=(110, 110, 110),
            width=max(2, round(12 * scale)),
        )
    font = ImageFont.load_default(max(9.0, 16 * scale))
    for index in sorted(range(len(view.points)), key=lambda n: view.points[n][2]):
        (x, y), radius = at(view.points[index]), scale * view.radii[index]
        colour = view.colours[index]
        box = (x - radius, y - radius, x + radius, y + radius)
        draw.ellipse(box, fill=colour, outline=(30, 30, 30), width=2)
        dark = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 110
        ink = "black" if dark else "white"
        draw.text((x, y), f"{view.symbols[index]}{index + 1}", fill=ink, font=font, anchor="mm")
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
