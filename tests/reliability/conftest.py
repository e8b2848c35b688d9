import pytest

pytest.register_assert_rewrite("tests.reliability.load")
