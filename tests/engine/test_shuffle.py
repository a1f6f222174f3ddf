import hashlib
import hmac
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boneyard.engine.matches import begin
from boneyard.engine.presets import PRESETS
from boneyard.engine.shuffle import chain, is_preimage, published_keys, shuffled
from boneyard.engine.tiles import NAMES

from .positions import SECRET, names_of

ENTROPY = "a1b2."


def test_shuffle_vectors_of_the_docs():
    keys = chain(SECRET)
    assert keys.seal == "45cd0d40a72c806c4b78bbeca7a52d9fa6f25751fea57cf1564e7b70b9519db4"
    assert keys.key(1).hex() == "b7b81dbeec01f0eee02e43da4988dafb5ecc56a90080555aff89bcbc92ba59c8"
    assert keys.key(2).hex() == "2d5d58a6d7ab7eec12448c0c38f03c4d90f999bce0e0b5d23292fd5594d58380"
    assert keys.key(1000) == SECRET
    assert names_of(shuffled(6, keys.key(1), "lots", 1, 0, ENTROPY)[:2]) == "6-1 5-4"
    assert names_of(shuffled(6, keys.key(1), "deal", 1, 0, ENTROPY)) == (
        "3-3 6-3 4-1 5-3 4-4 1-1 4-2 5-0 5-2 6-6 6-4 4-0 2-2 6-1 0-0 2-1 5-5 4-3 5-1 1-0 6-5 3-0 3-2 6-0 2-0 "
        "6-2 3-1 5-4"
    )
    assert names_of(shuffled(6, keys.key(2), "deal", 2, 0, ENTROPY)[:10]) == (
        "5-4 5-3 4-3 6-6 6-4 5-1 4-1 1-1 3-0 5-5"
    )
    nines = names_of(shuffled(9, keys.key(1), "deal", 1, 0, ENTROPY))
    assert nines.startswith("9-4 9-6 8-1 8-0 7-5 8-8 4-2 6-1 8-2 3-0 ")
    assert hashlib.sha256(nines.encode()).hexdigest() == (
        "9671a8b138b96511b67141b3ecb42bf11fb153445592634d938359d32849b318"
    )


def test_match_deals_the_vector():
    round_ = begin(PRESETS["all-fives"].rules, 2, SECRET, ENTROPY).round
    assert round_.lots is not None
    assert names_of(round_.lots) == "6-1 5-4"
    # 5-4 is heavier than 6-1.
    assert round_.leader == 1
    assert names_of(round_.deal.hands[0]) == "3-3 6-3 4-1 5-3 4-4 1-1 4-2"
    assert names_of(round_.deal.hands[1]) == "5-0 5-2 6-6 6-4 4-0 2-2 6-1"
    assert names_of(round_.boneyard) == "0-0 2-1 5-5 4-3 5-1 1-0 6-5 3-0 3-2 6-0 2-0 6-2 3-1 5-4"


@given(
    highest=st.sampled_from([6, 9, 12]),
    key=st.binary(min_size=32, max_size=32),
    purpose=st.sampled_from(["deal", "lots"]),
    number=st.integers(1, 1000),
    attempt=st.integers(0, 50),
    entropy=st.text("0123456789abcdefghijklmnopqrstuvwxyz.", max_size=200),
)
def test_shuffle_follows_the_documented_steps(highest, key, purpose, number, attempt, entropy):
    """Compare with a direct implementation of docs/record.md, "The sealed shuffle"."""
    words = []
    for block in range(40):
        message = f"{purpose}:{number}:{attempt}:{entropy}:{block}"
        digest = hmac.new(key, message.encode("ascii"), hashlib.sha256).digest()
        words += [int.from_bytes(digest[start : start + 4], "big") for start in range(0, 32, 4)]
    order = [f"{high}-{low}" for high in range(highest + 1) for low in range(high + 1)]
    for i in range(len(order) - 1, 0, -1):
        while (word := words.pop(0)) >= 2**32 - 2**32 % (i + 1):
            pass
        order[i], order[word % (i + 1)] = order[word % (i + 1)], order[i]
    assert [NAMES[tile] for tile in shuffled(highest, key, purpose, number, attempt, entropy)] == order


def test_biased_words_are_discarded(monkeypatch):
    # Forced here: about one word in 10^8 is biased.
    from boneyard.engine import shuffle

    words = [2**32 - 1, 2**32 - 1, *range(7, 1000)]
    blocks = [struct.pack(">8I", *words[start : start + 8]) for start in range(0, 992, 8)]
    monkeypatch.setattr(
        shuffle,
        "_blocks",
        lambda key, message, numbers: b"".join(blocks[int(number)] for number in numbers),
    )
    kept = list(range(28))
    draws = iter(range(7, 1000))
    for i in range(27, 0, -1):
        j = next(draws) % (i + 1)
        kept[i], kept[j] = kept[j], kept[i]
    # 2^32 - 1 would bias a choice among 28 and among 27.
    assert shuffle.shuffled(6, bytes(32), "deal", 1, 0, "") == tuple(kept)


def test_each_key_leads_back_to_the_seal():
    keys = chain(bytes(range(1, 33)))
    assert is_preimage(keys.key(1), bytes.fromhex(keys.seal))
    assert all(is_preimage(keys.key(k + 1), keys.key(k)) for k in range(1, 1000))
    assert not is_preimage(keys.key(3), keys.key(1))


def test_unpublished_key_raises_lookup_error():
    keys = chain(SECRET)
    known = published_keys(keys.seal, [keys.key(1).hex()])
    assert known.key(1) == keys.key(1)
    for number in (0, 2, -1, 1001):
        with pytest.raises(LookupError):
            known.key(number)


def test_repr_hides_the_secret():
    assert SECRET.hex() not in repr(chain(SECRET))
    assert repr(SECRET) not in repr(chain(SECRET))


def test_secret_must_have_32_bytes():
    with pytest.raises(ValueError, match="32 bytes"):
        begin(PRESETS["all-fives"].rules, 2, b"short", ENTROPY)
