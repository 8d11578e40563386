#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the reports that memory_report_test.cpp prints as programs would: JSON as JSON, SVG as XML.

usage: memory_report.py PROGRAM
"""
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def printed(form):
    return subprocess.run([sys.argv[1], form], check=True, capture_output=True, text=True).stdout


def check_json(report):
    assert set(report) == {"graph", "levels", "allocations", "devices"}, report.keys()
    lives = report["allocations"]
    assert [a["node"] for a in lives] == [0, 1, 4, 6, 8], lives
    assert [a["ends"] for a in lives] == [3, 2, 5, 7, "stays"], lives
    for a in lives:
        assert a["begins"] == a["node"] and a["first_level"] <= a["last_level"] < report["levels"], a
        assert a["bytes"] <= a["rounded"] < a["bytes"] + 512, a
        assert (int(a["address"], 16) - a["offset"]) == int(lives[0]["address"], 16), a
    device, = report["devices"]
    assert device["peak"] == max(a["offset"] + a["rounded"] for a in lives), device
    assert device["waste"] == device["reserved"] - device["lower_bound"], device
    assert device["exact"] is True, device


def check_svg(root, lives):
    assert root.tag == SVG + "svg", root.tag
    drawn = [r for r in root.iter(SVG + "rect") if r.find(SVG + "title") is not None]
    assert len(drawn) == len(lives), len(drawn)
    boxes = []
    for rect, a in zip(drawn, lives):
        told = rect.find(SVG + "title").text
        assert f"node {a['node']}: {a['bytes']} bytes" in told, told
        assert ("stays" if a["ends"] == "stays" else f"node {a['ends']}") in told, told
        x, y, width, height = (float(rect.get(k)) for k in ("x", "y", "width", "height"))
        boxes.append((x, y, x + width, y + height))
        assert 0 <= x < x + width <= float(root.get("width")), told
        assert 0 <= y < y + height <= float(root.get("height")), told
    # To scale: levels to the right, bytes upwards.
    one_level = (boxes[0][2] - boxes[0][0]) / (lives[0]["last_level"] - lives[0]["first_level"] + 1)
    one_byte = (boxes[1][3] - boxes[1][1]) / lives[1]["rounded"]
    for box, a in zip(boxes, lives):
        assert abs(box[0] - boxes[0][0] - one_level * a["first_level"]) < 0.1, a
        assert abs(boxes[0][3] - box[3] - one_byte * a["offset"]) < 0.1, a
    # Nobody uses the bytes of another at the same time. Corners are rounded to a hundredth.
    for i, a in enumerate(boxes):
        for b in boxes[i + 1:]:
            apart = (a[2] <= b[0] + 0.02 or b[2] <= a[0] + 0.02 or
                     a[3] <= b[1] + 0.02 or b[3] <= a[1] + 0.02)
            assert apart, (a, b)


def main():
    report = json.loads(printed("json"))
    check_json(report)
    check_svg(ElementTree.fromstring(printed("svg")), report["allocations"])
    table = printed("text").splitlines()
    assert len(table) == 2 + len(report["allocations"]) + len(report["devices"]), table
    return 0


if __name__ == "__main__":
    sys.exit(main())
