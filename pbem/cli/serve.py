"""`pbem serve`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
import threading
from asyncio import AbstractEventLoop
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from time import monotonic

import click

from pbem.bootstrap.database import lock_database
from pbem.bootstrap.loops import ROLES
from pbem.bootstrap.processes import Place, Supervisor, worker_processes
from pbem.bootstrap.server import Server
from pbem.cli.output import lasting_output, most_files, read_settings, room_for_web
from pbem.cli.settings import configure_logs
from pbem.config import BadSetting, Listen, Settings
from pbem.mail_in.doors import Door
from pbem.web.admin_commands import AdminCommands
from pbem.web.connections import ConnectionLimits, QuietFaults, WebServer, listening_at
from pbem.web.monitor import LIMITS
from pbem.workers.runner import Loop


def new_event_loop() -> AbstractEventLoop:
    """The fastest event loop available: that of libuv (uvloop) if installed, else Python's own."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def _roles(_context: click.Context, _option: click.Parameter, words: str | None) -> tuple[str, ...]:
    """The named roles, or all; the part behind a colon tells processes of the same roles apart."""
    named = ROLES if words is None else tuple(filter(None, re.split("[,-]", words.lower().partition(":")[0])))
    unknown = [word for word in named if word not in ROLES]
    if unknown or not named:
        raise click.BadParameter(f"must be some of {','.join(ROLES)}")
    return named


@click.command()
@click.option(
    "--only",
    "roles",
    metavar="ROLE,...",
    callback=_roles,
    help=f"Run only these parts: {', '.join(ROLES)}.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    help="Decide in so many processes beside this one; 1: do everything in one. Default: as many as processors.",
)
def serve(roles: tuple[str, ...], processes: int | None) -> None:
    """Run the server until Ctrl-C or SIGTERM."""
    with lasting_output():
        settings = read_settings(serving=True)
        if processes is not None:
            settings = replace(settings, processes=processes)
        run_server(settings, click.echo, roles)


def run_server(settings: Settings, say: Callable[[str], None], roles: Collection[str] = ROLES) -> None:
    """Run the server until SIGTERM or SIGINT.

    Args:
        settings: all of them.
        say: called with each address that the server listens on, and with its warnings.
        roles: the work of this process and those that it starts; others on the same database do the rest.

    Raises:
        BadSetting: the server cannot start with these settings.
        SystemExit: the processes that this one has started have ended.
    """
    configure_logs(settings.log_level, settings.log_format)
    most_files()
    os.umask(0o077)  # waiting letters hold passwords, stored mails hold reply addresses that prove their players
    workers = worker_processes(settings.processes, roles)
    if workers == 0:
        _run_process(settings, say, roles, None)
        return
    lock = lock_database(settings)  # for all of them, until the last one ends
    place = Supervisor(workers).run()
    if place.is_first:
        _run_process(settings, say, [role for role in roles if role != "worker"], place)
    else:
        only_deciding = replace(settings, monitor_listen=None)
        _run_process(only_deciding, lambda _said: None, ["worker"], place)
    del lock


def _run_process(settings: Settings, say: Callable[[str], None], roles: Collection[str], place: Place | None) -> None:
    """Run this process of the server until SIGTERM or SIGINT.

    Raises:
        BadSetting: the server cannot start with these settings.
    """
    settings = _without_doors(settings, roles)
    with contextlib.ExitStack() as stack:
        sockets = {name: stack.enter_context(_listening(name, listen)) for name, listen in _pages(settings, roles)}
        if settings.web_listen is not None and "web" in sockets:
            # links name the port that the system has given where the setting says 0
            settings = replace(settings, web_listen=Listen(settings.web_listen.host, _port(sockets["web"])))
        server = Server(settings, place=place, admin_commands=_admin_commands(settings, roles))
        stack.callback(server.close)
        server.prepare()
        server.introduce(roles)
        lifeline = None if place is None else place.lifeline
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            deadline = runner.run(_serve(server, sockets, say, tuple(server.loops.of(roles)), lifeline))
        wait_for_others(deadline)


def _admin_commands(settings: Settings, roles: Collection[str]) -> AdminCommands | None:
    """The commands that operators may run on the web, if they may."""
    if not settings.admin_commands or "web" not in roles:
        return None
    from pbem.cli.admin.on_web import admin_commands

    return admin_commands()


def wait_for_others(until: float) -> None:
    """Wait for the threads that still answer a page: writes after a moment (`time.monotonic`) are refused."""
    for each in threading.enumerate():
        if each is not threading.current_thread() and not each.daemon:
            each.join(max(0.0, until - monotonic()))


def _pages(settings: Settings, roles: Collection[str]) -> Iterator[tuple[str, Listen]]:
    """The addresses of this process for HTTP."""
    if settings.monitor_listen is not None:
        yield "monitor", settings.monitor_listen
    if settings.web_listen is not None and "web" in roles:
        yield "web", settings.web_listen


def _without_doors(settings: Settings, roles: Collection[str]) -> Settings:
    """The settings without the doors and the mailbox that are not for this process."""
    return replace(
        settings,
        smtp_listen=settings.smtp_listen if "smtp" in roles else None,
        lmtp_listen=settings.lmtp_listen if "lmtp" in roles else None,
        mailbox_url=settings.mailbox_url if "mailbox" in roles else None,
    )


async def _serve(
    server: Server,
    sockets: Mapping[str, socket.socket],
    say: Callable[[str], None],
    loops: Sequence[Loop],
    lifeline: int | None = None,
) -> float:
    """Serve until told to end; return the moment (`time.monotonic`) by which everything must have ended.

    Once the ``lifeline`` comes to its end whoever has started this process has been killed, and it ends at once.
    """
    ending = asyncio.Event()
    if lifeline is not None:
        asyncio.get_running_loop().add_reader(lifeline, os._exit, 1)
    asyncio.get_running_loop().set_exception_handler(QuietFaults())
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    monitor = WebServer(server.monitor(), LIMITS, None) if "monitor" in sockets else None
    web = _web(server, say) if "web" in sockets else None
    async with _serving(monitor, sockets.get("monitor")):
        doors = server.doors()
        await _open(server, doors, say)
        for name, listening in sockets.items():
            say(f"pbem: {name} http://{Listen(listening.getsockname()[0], _port(listening))}")
        async with _serving(web, sockets.get("web")):
            for loop in loops:
                loop.start()
            server.health_check.begin(doors, loops)
            say(_ready(server.settings))
            await ending.wait()
            server.health_check.end()
            say("pbem: ending; letters already accepted are safe")
            deadline = monotonic() + server.settings.drain_seconds
            for loop in filter(attrgetter("ends_slowly"), loops):
                loop.end_soon()  # while letters under way come to their end: all have the same time
            await asyncio.gather(*(door.close(server.settings.drain_seconds) for door in doors.values()))
            for loop in loops:
                await asyncio.to_thread(loop.stop, deadline)
    return deadline


@contextlib.asynccontextmanager
async def _serving(web: WebServer | None, listening: socket.socket | None) -> AsyncGenerator[None, None]:
    """Serve pages meanwhile, if there are any."""
    if web is None or listening is None:
        yield
        return
    serving = asyncio.create_task(web.serve(sockets=[listening]))
    try:
        yield
    finally:
        web.should_exit = True
        await serving


async def _open(server: Server, doors: Mapping[str, Door], say: Callable[[str], None]) -> None:
    """Open the doors for letters."""
    if server.settings.trust_from:
        say("pbem: WARNING: PBEM_TRUST_FROM is on: anyone who can forge a From line can move for anyone else")
    for name, door in doors.items():
        try:
            where = await door.open()
        except OSError as failed:
            for opened in doors.values():
                await opened.close(0)
            raise BadSetting(f"PBEM_{name.upper()}_LISTEN", f"cannot listen on {door.listen}: {failed}") from None
        say(f"pbem: {name} {where}")
    if server.settings.mailbox_url is not None:
        say(f"pbem: mailbox {server.settings.mailbox_url}")


def _ready(settings: Settings) -> str:
    shown = {name: value for name, value, _ in settings.rows()}
    return f"pbem: ready; players write to {settings.address}, mails go to {shown['PBEM_RELAY_URL']}"


def _listening(name: str, listen: Listen) -> socket.socket:
    try:
        return listening_at(*listen)
    except OSError as failed:
        raise BadSetting(f"PBEM_{name.upper()}_LISTEN", f"cannot listen on {listen}: {failed.strerror}") from None


def _port(listening: socket.socket) -> int:
    port: int = listening.getsockname()[1]
    return port


def _web(server: Server, say: Callable[[str], None]) -> WebServer:
    settings, files = server.settings, most_files()
    doors = [settings.smtp_listen, settings.lmtp_listen]
    for_mail = settings.max_connections * len([each for each in doors if each is not None])
    room = room_for_web(files, settings.max_web_connections, for_mail)
    if room < settings.max_web_connections:
        say(f"pbem: WARNING: only {files} files may be open here: the web has room for {room} connections")
    limits = ConnectionLimits(room, settings.max_web_connections_per_host, settings.web_proxies or ())
    return WebServer(server.app(), limits, settings.web_proxies, server.end_following)
