"""What these tests share."""

from tests.cast.fixtures import finished as finished
from tests.cast.fixtures import nothing_kept as nothing_kept
from tests.cast.fixtures import round_2 as round_2
from tests.cast.fixtures import table as table
