from __future__ import annotations

from collections.abc import Collection

from pbem.workers.alarms import TakeOver


def test_what_a_process_had_is_freed_once_it_was_missed_twice_in_a_row() -> None:
    looks = iter([{"one"}, {"other"}, {"one", "other"}, {"one"}, set[str]()])
    freed: list[list[str]] = []
    told: list[int] = []

    def free(dead: Collection[str]) -> int:
        freed.append(sorted(dead))
        return len(dead)

    take_over = TakeOver(lambda: next(looks), free, lambda: told.append(len(freed)))
    so_far = []
    for _ in range(5):
        assert not take_over.step()
        so_far.append(len(freed))
    assert freed == [["other"], ["one"]]
    assert so_far == [0, 0, 1, 2, 2]
    assert told == [1, 2]
