"""The settings of the operator, read from the environment and a file."""

from pbem.config.settings import NO_KEY, BadSetting, Settings
from pbem.config.values import DELETE, FLAG, SHORTEST_KEY, Folder, ImapUrl, Listen, UnixListen, Webhook

__all__ = [
    "DELETE",
    "FLAG",
    "NO_KEY",
    "SHORTEST_KEY",
    "BadSetting",
    "Folder",
    "ImapUrl",
    "Listen",
    "Settings",
    "UnixListen",
    "Webhook",
]
