"""Delivery reports in the manner of several mail systems, about a mail that the postbox has got."""

from __future__ import annotations

from email.utils import make_msgid

from tests.support.mail import Mail


def _head(mail: Mail, sender: str, subject: str, *more: str) -> list[str]:
    return [
        "Return-Path: <>",
        f"From: {sender}",
        f"To: {mail.envelope_sender}",
        f"Subject: {subject}",
        f"Message-ID: {make_msgid(domain='mx.example.net')}",
        "Date: Sat, 02 May 2026 12:00:00 +0000",
        *more,
    ]


def _returned_head(mail: Mail) -> str:
    return mail.raw.partition(b"\r\n\r\n")[0].decode()


def _bytes(lines: list[str]) -> bytes:
    return "\r\n".join("\r\n".join(lines).splitlines()).encode() + b"\r\n"


def _multipart(mail: Mail, words: str, fields: list[str], returned: str, boundary: str) -> list[str]:
    """The parts of an RFC 3462 report."""
    return [
        "MIME-Version: 1.0",
        f'Content-Type: multipart/report; report-type=delivery-status; boundary="{boundary}"',
        "",
        f"--{boundary}",
        "Content-Type: text/plain; charset=us-ascii",
        "",
        words,
        "",
        f"--{boundary}",
        "Content-Type: message/delivery-status",
        "",
        *fields,
        "",
        f"--{boundary}",
        f"Content-Type: {returned}",
        "",
        _returned_head(mail),
        "",
        f"--{boundary}--",
    ]


def by_postfix(mail: Mail, *, delayed: bool = False, address: str | None = None) -> bytes:
    """As Postfix reports, at once or after hours of trying."""
    failed = address or mail.recipient
    status, action = ("4.4.1", "delayed") if delayed else ("5.1.1", "failed")
    code = "451 4.4.1 connection timed out" if delayed else "550 5.1.1 User unknown"
    fields = [
        "Reporting-MTA: dns; mx.example.net",
        "X-Postfix-Queue-ID: 3F2A41C0D",
        "",
        f"Final-Recipient: rfc822; {failed}",
        f"Original-Recipient: rfc822;{failed}",
        f"Action: {action}",
        f"Status: {status}",
        f"Diagnostic-Code: smtp; {code}",
    ]
    words = f"I'm sorry to have to inform you that your message could not be delivered.\r\n\r\n<{failed}>: {code}"
    subject = "Delayed Mail (still being retried)" if delayed else "Undelivered Mail Returned to Sender"
    head = _head(mail, "MAILER-DAEMON@mx.example.net (Mail Delivery System)", subject, "Auto-Submitted: auto-replied")
    return _bytes([*head, *_multipart(mail, words, fields, "message/rfc822", "3F2A41C0D.1777/mx")])


def by_exim(mail: Mail) -> bytes:
    """As Exim reports."""
    words = (
        "This message was created automatically by mail delivery software.\r\n\r\n"
        "A message that you sent could not be delivered to one or more of its\r\nrecipients. This is a permanent "
        f"error. The following address(es) failed:\r\n\r\n  {mail.recipient}\r\n    Unrouteable address"
    )
    fields = [
        "Reporting-MTA: dns; mail.example.net",
        "",
        "Action: failed",
        f"Final-Recipient: rfc822;{mail.recipient}",
        "Status: 5.0.0",
    ]
    head = _head(
        mail,
        "Mail Delivery System <Mailer-Daemon@mail.example.net>",
        "Mail delivery failed: returning message to sender",
        f"X-Failed-Recipients: {mail.recipient}",
        "Auto-Submitted: auto-replied",
    )
    return _bytes([*head, *_multipart(mail, words, fields, "message/rfc822", "1777723200-eximdsn-1")])


def by_exchange(mail: Mail) -> bytes:
    """As Exchange reports."""
    words = (
        "Delivery has failed to these recipients or groups:\r\n\r\n"
        f"{mail.recipient}\r\nThe email address you entered couldn't be found."
    )
    fields = [
        "Reporting-MTA: dns;EX01.corp.example.net",
        "Received-From-MTA: dns;mx.example.net",
        "Arrival-Date: Sat, 2 May 2026 11:59:58 +0000",
        "",
        f"Original-Recipient: rfc822;{mail.recipient}",
        f"Final-Recipient: rfc822;{mail.recipient}",
        "Action: failed",
        "Status: 5.1.10",
        "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
        "X-Display-Name: Bob",
    ]
    head = _head(
        mail,
        "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@corp.example.net>",
        "Undeliverable: " + mail.subject,
        "X-MS-Exchange-Message-Is-Ndr:",
    )
    return _bytes([*head, *_multipart(mail, words, fields, "text/rfc822-headers", "_000_ndr_")])


def by_qmail(mail: Mail) -> bytes:
    """As qmail reports: plain text, no MIME."""
    head = _head(mail, "MAILER-DAEMON@qmail.example.net", "failure notice")
    return _bytes(
        [
            *head,
            "",
            "Hi. This is the qmail-send program at qmail.example.net.",
            "I'm afraid I wasn't able to deliver your message to the following addresses.",
            "This is a permanent error; I've given up. Sorry it didn't work out.",
            "",
            f"<{mail.recipient}>:",
            "Sorry, no mailbox here by that name. (#5.1.1)",
            "",
            "--- Below this line is a copy of the message.",
            "",
            _returned_head(mail),
        ]
    )


def vacation(mail: Mail) -> bytes:
    """As a vacation program answers, to whoever the envelope names (RFC 3834)."""
    head = _head(mail, mail.recipient, "Out of office", "Auto-Submitted: auto-replied")
    return _bytes([*head, "", "I am on leave until May 10th. resign"])


def receipt(mail: Mail) -> bytes:
    """As a mail program tells that a mail was displayed (RFC 8098)."""
    head = _head(mail, mail.recipient, "Read: " + mail.subject)
    parts = _multipart(mail, "Your mail was read.", [], "text/rfc822-headers", "mdn")
    fields = (
        f"Final-Recipient: rfc822;{mail.recipient}\r\nDisposition: automatic-action/MDN-sent-automatically; displayed"
    )
    lines = [
        line.replace("delivery-status", "disposition-notification") if "Content-Type" in line else line
        for line in parts
    ]
    lines.insert(lines.index("Content-Type: message/disposition-notification") + 2, fields)
    return _bytes([*head, *lines])


def delivered(mail: Mail) -> bytes:
    """As a mail system tells that a mail has arrived."""
    fields = [
        "Reporting-MTA: dns; mx.example.net",
        "",
        f"Final-Recipient: rfc822; {mail.recipient}",
        "Action: delivered",
        "Status: 2.1.5",
    ]
    head = _head(mail, "MAILER-DAEMON@mx.example.net", "Successful Mail Delivery Report")
    return _bytes([*head, *_multipart(mail, "It has arrived.", fields, "text/rfc822-headers", "ok")])
