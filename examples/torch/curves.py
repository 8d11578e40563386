# SPDX-License-Identifier: Apache-2.0
"""Draws curves as SVG, with nothing but Python."""

WIDTH, HEIGHT, LEFT, TOP = 640, 360, 50, 20
#: Later curves are thinner, so that equal ones are all seen.
STYLES = [("#4269d0", 6), ("#efb118", 3.5), ("#d1242f", 1.2)]


def write_curves(path, curves):
    """Writes lists of numbers by name, over their index, to `path`, and returns it."""
    top = max(max(values) for values in curves.values())
    longest = max(len(values) for values in curves.values())

    def x(i):
        return LEFT + (WIDTH - LEFT - 20) * i / max(longest - 1, 1)

    def y(value):
        return HEIGHT - 40 - (HEIGHT - 40 - TOP) * value / top

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
             f'font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for part in range(5):
        value = top * part / 4
        lines.append(f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - 20}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.2f}</text>')
    lines.append(f'<text x="{WIDTH // 2}" y="{HEIGHT - 8}" text-anchor="middle">step, 1 to {longest}; up: loss</text>')
    for row, ((name, values), (colour, width)) in enumerate(zip(curves.items(), STYLES)):
        places = " ".join(f"{x(i):.1f},{y(value):.1f}" for i, value in enumerate(values))
        lines.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
        lines.append(f'<text x="{WIDTH - 150}" y="{TOP + 20 + 18 * row}" fill="{colour}">{name}</text>')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n</svg>\n")
    return path
