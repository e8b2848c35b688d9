"""The settings of the operator, read from the environment and a file."""

from pbem.config.settings import NO_KEY, BadSetting, Settings
from pbem.config.values import SHORTEST_KEY, Listen, UnixListen

__all__ = ["NO_KEY", "SHORTEST_KEY", "BadSetting", "Listen", "Settings", "UnixListen"]
