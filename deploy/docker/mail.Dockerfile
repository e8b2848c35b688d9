# A container of Postfix and rspamd, with the files of deploy/postfix and deploy/rspamd.
# compose.yaml builds it. Put your own names into these files first (docs/operating.md).
#
# No engine has built it. A test runs its steps, but for the installation, and what it
# starts, in namespaces of its own (tests/reliability/test_containers.py).

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ca-certificates postfix rspamd \
    && rm -rf /var/lib/apt/lists/*
COPY deploy/postfix/main.cf deploy/postfix/pbem_aliases deploy/postfix/pbem_header_checks \
    deploy/postfix/pbem_recipients deploy/postfix/pbem_senders /etc/postfix/
COPY deploy/postfix/master.cf /etc/postfix/master.cf.pbem
COPY deploy/rspamd/local.d /etc/rspamd/local.d
COPY deploy/rspamd/override.d /etc/rspamd/override.d
COPY deploy/docker/start-mail /usr/local/sbin/start-mail
# The containers of compose.yaml, without the bridge's own address: connections from
# outside may seem to come from there.
ARG CONTAINERS=172.30.80.128/25
# Where a machine hands mails to 127.0.0.1, containers hand them to this one. Postfix
# needs no chroot of its own here, and logs to the container's log, as rspamd does.
# Postfix reaches pbem's socket because it is in its group.
RUN cat /etc/postfix/master.cf.proto /etc/postfix/master.cf.pbem >/etc/postfix/master.cf \
    && sed -i 's/^127\.0\.0\.1:10025/10025/' /etc/postfix/master.cf \
    && postconf -F '*/*/chroot=n' \
    && postconf -P "10025/inet/mynetworks=127.0.0.1/32,$CONTAINERS" \
    && postconf -e maillog_file=/dev/stdout \
    && sed -i "s|\"::1/128\"|&, \"$CONTAINERS\"|" /etc/rspamd/override.d/options.inc \
    && sed -i "s|\"::1\"|&, \"$CONTAINERS\"|" /etc/rspamd/local.d/settings.conf \
    && echo 'type = "console";' >/etc/rspamd/local.d/logging.inc \
    && groupadd --gid 10001 pbem \
    && usermod --append --groups pbem postfix \
    && install -d -m 750 -o 10001 -g 10001 /run/pbem
VOLUME ["/var/spool/postfix", "/var/lib/postfix", "/var/lib/rspamd"]
EXPOSE 25 10025
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["bash", "-c", "postfix status && : >/dev/tcp/127.0.0.1/11332"]
CMD ["start-mail"]
