"""What is drawn by a seed is drawn again by the same one."""

from tests import seeds


def test_key_begins_its_stream_again(tmp_path):
    draw_block = seeds.draw_from(tmp_path)
    seeds.write_key(tmp_path, seeds.derive_key("one"))
    drawn = [draw_block() for _ in range(3)]
    assert len(set(drawn)) == 3
    seeds.write_key(tmp_path, seeds.derive_key("one"))
    assert [draw_block() for _ in range(3)] == drawn
    seeds.write_key(tmp_path, seeds.derive_key("another"))
    assert draw_block() not in drawn


def test_computers_choose_by_the_key_and_draw_no_block(tmp_path):
    computers, draw_block = seeds.SeededRandom(tmp_path), seeds.draw_from(tmp_path)
    seeds.write_key(tmp_path, seeds.derive_key("one"))
    chosen = computers.getrandbits(32)
    first = draw_block()
    assert computers.getrandbits(32) == chosen < 1 << 32
    seeds.write_key(tmp_path, seeds.derive_key("one"))
    computers.getrandbits(32)
    assert draw_block() == first
    seeds.write_key(tmp_path, seeds.derive_key("another"))
    assert computers.getrandbits(32) != chosen
