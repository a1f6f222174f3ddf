"""The sentences that tell the games apart."""

from boneyard.engine.presets import PRESETS
from games.wording.taglines import tagline


def test_each_preset_has_a_sentence_of_its_own():
    sentences = [tagline(preset) for preset in PRESETS]
    assert len(set(sentences)) == len(PRESETS)
