"""What a process counts and times, for Prometheus: one registry a process, made by bootstrap and handed to its parts.

Nothing about players is in a name or a label: labels are roles, doors, classes of errors, routes.
"""

from pbem.meters.depths import DepthsCollector
from pbem.meters.meters import DoorMeters, Meters
from pbem.meters.readings import CONTENT_TYPE, exposition, summary

__all__ = ["CONTENT_TYPE", "DepthsCollector", "DoorMeters", "Meters", "exposition", "summary"]
