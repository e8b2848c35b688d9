"""Lines that can be sent as they stand: those of the language, and the examples of its grammar."""

from __future__ import annotations

import re

from tests.commands.examples import READ as EXAMPLES

LENIENT = {
    "explore superbo, b3 c4, k5 / d1 , e2": "the comma behind the game is a slip",
    "note 101 remove": "delete is the word",
    "study 101 private.": "unshare is the word",
    "study 101 fsmith secret publish": "share is the word",
    "Change Password: 1234": "the colon is a slip",
    "CHANGE addresses fsmith secret a@example.org b@x": "the table of other names has it",
    "move 101 lay b2>b3 move e5-e7#17.": "the full stop is a slip",
    "show to": "the word says nothing",
    "plan 101 fsmith secret Cancel.": "the full stop is a slip",
    "plan 101#12 if a1 then b2 (else c3); else d4": "the number stands alone in the form",
    "study 101 fsmith secret Title: Corners": "the colon is a slip",
    f"study https://pbem.example.org/studies/{'0123456789ABCDEF' * 2}": "small letters are as good",
    "vacation fsmith secret 2 weeks": "days are what the page tells",
    **dict.fromkeys(
        (
            "subscribe fsmith secret to bob carol",
            "unsubscribe fsmith secret To bob",
            "block fsmith secret to bob",
            "unblock fsmith to to bob",
            "message fsmith secret to bob",
            "report fsmith secret to bob 101",
        ),
        "`to` belongs to the short form",
    ),
}
"""Lines that are read, and that no form needs to show."""

OF_THE_LANGUAGE = """
signup alice secret · signup alice secret a@example.org b@example.org · signup alice · add alice secret a@example.org
add a@example.org b@example.org · change password alice secret better · change password better · change address
change address alice secret · change address alice secret a@example.org · change address a@example.org b@example.org
forgot alice · set · set alice secret · set alice secret mail=text digest=daily · set timezone=Europe/Paris
vacation alice secret · vacation 2030-12-31 · vacation alice secret 2030-12-31 · vacation alice secret off
vacation off · block alice secret bob · block to bob · unblock alice secret bob · unblock bob
report alice secret bob · report bob · report alice secret bob 101 · report bob 101 · data alice secret · data
signoff alice secret · delete alice secret · help · help tutorial · help superbo move · superbo help · list
list superbo mamba · superbo list · who · who bob · message alice secret bob carol · message to bob carol
message bob · broadcast alice secret · broadcast · all show alice next · all show alice active · all show alice
superbo challenge bob · superbo challenge carol bob · superbo challenge -adjacent_pair bob
superbo challenge --adjacent_pair --totaltime=30 alice bob · superbo challenge · mamba challenge alice bob carol
mamba challenge -random alice bob carol dave · mamba challenge bob carol dave -teams · superbo challenge alice alice
superbo challenge --pair bob · superbo challenge -kill_own · superbo chall bob · superbo move 101 alice secret a1,j12
superbo move 101 alice secret a1,j12#17 · move 101 a1,j12 · move 101 a1,j12#17 · mvoe 101 alice secret a1
superbo board 101 alice secret a1 · mamba move 101 alice secret lay b3>c4 move e5-e7
mamba move 101 alice secret pass · superbo move 101 alice secret swap · superbo move 101 alice secret resign#7
move 101 propose · move 101 alice secret undo · move 101 alice secret accept · move 101 reject · move 101#7 a1,j12
queue 101 alice secret a1 · superbo qmove 101 alice secret a1,j12#5 · moveq 101 a1 · queue 101 alice secret cancel
submit 101 alice secret a1,j12 · submit 101#3 a1 · subm 101 a1 · confirm 101 alice secret · confirm 101
confirm 101#4 · preview 101 a1 b2,c3 · superbo preview 101#7 a1 · superbo preview new a1 b2,c3
mamba preview new 3 -teams pass · preview 101 lay b2>b3 / pass · superbo prev new -single a1 · preview 101
superbo resign 101 alice secret · resign 101 · resign 101 alice secret #7 · resign 101#7 alice secret
superbo swap 101 alice secret · pass 101 · undo 101 #7 · propose 101 alice secret · accept 101 alice secret
reject 101 · superbo show 101 · show 101#7 102 · show 101 102#7 · superbo show alice bob all · show alice inactive
show alice next · show alice tournament · show alice standard · superbo showas alice secret
showas alice secret 101 102 · showas alice secret next · showas 101 · all showas · superbo games
superbo games alice bob next · games all · all games alice · superbo chat 101 alice secret · chat 101
superbo export 101 · export 101 · superbo accept alice secret · superbo accept · superbo reject alice secret
superbo limit alice secret 5 · superbo limit 5 · superbo limit alice secret accept · superbo limit reject
superbo limit · superbo limit alice secret 0 · superbo seek alice secret 2 -single · superbo seek
superbo seek -pace=3 · superbo seek 0 · mamba seek 2 -players=3 -teams · superbo notify alice secret 101 102
superbo notify alice secret · notify 101 · superbo notify 101 alice secret · superbo subscribe 101
superbo subscribe 101 alice secret · subscribe alice secret 101 102 · superbo subscribe all
superbo subscribe all alice secret · subscribe alice secret all · subscribe alice secret bob carol · subscribe to bob
sub 101 · unsubscribe alice secret 101 · superbo unsubscribe all · unsub 101 · unsubscribe to bob · superbo standings
superbo ratings · standings · all standings · superbo history · superbo history alice · all history
superbo tournament · superbo tournament show · superbo tournament show spring · superbo tournament join spring
superbo tournament create alice secret spring -swiss -rounds=3 · superbo tournament create spring --roundrobin
superbo tournament create -swiss spring · superbo tournament join alice secret spring
superbo tournament start spring · superbo tournament withdraw alice secret spring · mailed 101 · again 101
mailed 101 alice secret · resend alice secret 101
"""
"""The forms of the language as COMMANDS.md has them, with words."""

SENDABLE = [*re.split(" · |\n", OF_THE_LANGUAGE.strip()), *(line for line in EXAMPLES if line not in LENIENT)]
