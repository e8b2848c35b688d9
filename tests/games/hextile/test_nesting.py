from collections import deque

from hypothesis import given, settings

from pbem.diagrams.parse import read
from pbem.games.hextile.board import Board, survey
from pbem.games.hextile.grid import Cell, Point, corners, neighbours, white_points
from pbem.games.hextile.nesting import around, eyes, parents
from pbem.games.hextile.position import Position
from pbem.games.hextile.tiles import Colour
from tests.games.hextile.playing import STATES, figure, positions, turned

Node = frozenset[Point | Cell]


def nodes(board: Board) -> dict[Point | Cell, Node]:
    """For every region and space what it lies together with: open ones with the empty area they touch."""
    together: dict[Point | Cell, set[Point | Cell]] = {}
    together.update({name: {name} for name in board.regions.by_name})
    together.update({space: {space} for space in board.spaces})
    for space in board.spaces:
        names = board.regions.names
        others: list[Point | Cell] = [cell for cell in neighbours(space) if cell in board.spaces]
        others += [names[point] for point in corners(space) + white_points(space) if point in names]
        for other in others:
            if together[other] is not together[space]:
                merged = together[other] | together[space]
                together.update(dict.fromkeys(merged, merged))
    return {thing: frozenset(parts) for thing, parts in together.items()}


def borders(board: Board, where: dict[Point | Cell, Node]) -> dict[Node, set[Node]]:
    """What meets what along the three borders on each tile."""
    names, meets = board.regions.names, dict[Node, set[Node]]()
    for cell, state in board.tiles.items():
        one, _ = state.ends
        tip, bridge = corners(cell)[state.tip_at], corners(cell)[one]
        white_tip, white_bridge = white_points(cell)[state.tip_at], white_points(cell)[one]
        for left, right in ((tip, white_bridge), (white_bridge, bridge), (bridge, white_tip)):
            a, b = where[names[left]], where[names[right]]
            if a != b:
                meets.setdefault(a, set()).add(b)
                meets.setdefault(b, set()).add(a)
    return meets


def parents_from_outside(board: Board) -> dict[Point, Point | None]:
    """Walk inwards from the outer sea: what is met from outside lies directly inside."""
    where = nodes(board)
    meets = borders(board, where)
    outermost = where[min(board.spaces, key=lambda cell: cell.q)]
    met_from: dict[Node, Node | None] = {outermost: None}
    to_visit = deque([outermost])
    while to_visit:
        here = to_visit.popleft()
        for inner in meets.get(here, ()):
            if inner not in met_from:
                met_from[inner] = here
                to_visit.append(inner)
    found: dict[Point, Point | None] = {}
    for name in board.regions.by_name:
        outer = met_from[where[name]]
        found[name] = None if outer is None else _bordering(board, where, outer, where[name])
    return found


def _bordering(board: Board, where: dict[Point | Cell, Node], outer: Node, inner: Node) -> Point:
    """The region of the outer node that meets the inner one."""
    names = board.regions.names
    for cell, state in board.tiles.items():
        one, _ = state.ends
        tip, bridge = corners(cell)[state.tip_at], corners(cell)[one]
        white_tip, white_bridge = white_points(cell)[state.tip_at], white_points(cell)[one]
        for pair in ((tip, white_bridge), (white_bridge, bridge), (bridge, white_tip)):
            for left, right in (pair, pair[::-1]):
                if where[names[left]] == outer and where[names[right]] == inner:
                    return names[left]
    raise AssertionError("nodes that meet have a border")


@given(positions(most_steps=60))
@settings(max_examples=60)
def test_a_region_lies_in_the_one_met_on_the_way_inwards(position: Position) -> None:
    board = position.board
    assert parents(board.regions, board.spaces) == parents_from_outside(board)


def test_the_winning_group_of_the_figure_has_one_eye() -> None:
    board = survey(read(figure("superbo/o_wins_eye"), STATES))
    (group,) = (region for region in board.regions.closed if region.bridges)
    assert group.colour is Colour.O
    assert [eye.bridges for eye in eyes(board.regions, group)] == [0]


def test_the_white_around_a_closed_group_is_no_eye_of_it() -> None:
    board = survey(read(figure("superbo/o_wins_eye"), STATES))
    (group,) = (region for region in board.regions.closed if region.bridges)
    outside = around(board.regions, group)
    assert outside is not None
    assert not outside.closed


@given(positions(most_steps=60))
@settings(max_examples=20)
def test_turning_the_table_leaves_eyes_and_nesting_as_they_are(position: Position) -> None:
    assert _summary(position.board) == _summary(survey(turned(dict(position.board.tiles))))


def _summary(board: Board) -> list[tuple[str, int, int, int, bool]]:
    inside = parents(board.regions, board.spaces)
    return sorted(
        (
            str(region.colour),
            region.bridges,
            region.ways_out,
            len(eyes(board.regions, region)) if region.closed else 0,
            inside[name] is None,
        )
        for name, region in board.regions.by_name.items()
    )
