"""Reading, checking and scoring replies, end to end, on one core; figures are rates and ratios of one run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from threadpoolctl import threadpool_limits

from pixelreef.draw.drawing import batch_from_drawings
from pixelreef.draw.encodings import encoding
from pixelreef.draw.find import find_subjects
from pixelreef.draw.score import score_replies
from pixelreef.draw.subject import Subject
from pixelreef.metrics.profile import score
from pixelreef.runs.replies import Reply

REPLIES = 1675  # as many as the public source results have


def best_of(repeats: int, work: Callable[[], object]) -> float:
    """CPU seconds, so that a busy machine does not count."""
    seconds = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


def check_all(subjects: list[Subject]) -> None:
    for subject in subjects:
        for other in subjects:
            if subject.check:
                subject.check(other.reference)


def main() -> None:
    subjects = list(find_subjects("draw-1"))
    texts = {subject.id: encoding("rows").encode(subject.reference) for subject in subjects}
    ids = list(texts)
    replies = [Reply("m", ids[n % len(ids)], texts[ids[n % len(ids)]], attempt=n) for n in range(REPLIES)]
    with threadpool_limits(1):
        score_replies(replies[:100])
        parse = best_of(3, lambda: [json.loads(reply.text) for reply in replies])
        whole = best_of(3, lambda: score_replies(replies))
        checks = best_of(3, lambda: check_all(subjects))
        batch = batch_from_drawings([subject.reference for subject in subjects] * 20)
        profile = best_of(3, lambda: score(batch.cells, batch.rgb, batch.colours)) / len(batch)
    checked = sum(one.check is not None for one in subjects)
    one_check = checks / (checked * len(subjects))
    own = best_of(3, lambda: [one.check(one.reference) for one in subjects if one.check]) / checked
    figures = {
        "benchmark": f"read, measure by both profiles and check {REPLIES:,} replies",
        "seconds": round(whole, 2),
        "replies_per_s": round(REPLIES / whole),
        "ratio_over_json_loads": round(whole / parse, 1),
        "profile_drawings_per_s": round(1 / profile),
        "profile_with_checks_per_s": round(1 / (profile + own)),
        "checks_of_any_drawing_per_s": round(1 / one_check),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
