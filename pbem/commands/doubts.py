"""Words below a move that take it back, and those below a resignation that only say goodbye.

A move alone on its line is made at once, whatever is said below it, unless these words doubt it, call it a joke or
an accident, put it off, or carry on the sentence that it is part of. To be asked needlessly costs a player one mail;
a move made against their will costs them a game. So a phrase that people use both ways belongs here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.commands import small_talk
from pbem.commands.small_talk import LatePattern

CELL_SIGN = "§"
_LONGEST_CLAUSE = 120
_MOST_CLAUSES = 80
_MOST_CHARACTERS = 4000
"""The part of a comment that is searched for doubts."""
_WHOLE = {"m": "am", "ll": "will", "d": "would", "ve": "have", "s": "is"}
_SHORTENED = re.compile(r"(?:(?<=\bi)|(?<=\bit)|(?<=\bwe)|(?<=\bthat))'(m|ll|d|ve|s)\b")
_CELLS = re.compile(r"(?<![^\W_])[a-z]{1,2}[0-9]{1,2}(?:[-,>]+[a-z]{1,2}[0-9]{1,2})*(?![^\W_])")
_BEGINS_LOW = re.compile(r"[\s\"'(*_\u2018-\u201f\u00ab]*[a-zà-öø-ÿœ]")
_CAPITAL = re.compile(r"\b(?:I\b|[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿœ'\u2019])")
_DOTS = re.compile(r"\.\.+|\u2026")
_CARRIES_DOTS = re.compile(r"\s*(?:\.\.+|\u2026)\s*\w")


def _any_of(text: str) -> LatePattern:
    """A pattern for each line, which may occur anywhere between words."""
    return LatePattern("|".join(rf"\b(?:{line.strip()})\b" for line in text.splitlines() if line.strip()))


_REFUSING = LatePattern(
    r"""
    (?:nope|nah|nein|nee|nö|ach\ nein|oh\ nein|oh\ no|ah\ non|eh\ non|mais\ non|ben\ non|euh\ non|ach\ was
        |ach\ quatsch
    |von\ wegen|denkste|nicht\ doch|doch\ nicht|haha\ nein|haha\ no|lol\ no
    |u+pp?s+i?|o+ps+i?|oops|w?h?oops(?:ie|y)?|oopsie|oups|houps|hoppla|huch|huc?h|uff\ nein|argh+|aargh+|aah\ nein
    |halt(?!\ dich)|stop(?!p?ing)|stopp|wart|warte|wait(?!\ and\ see)|attends|attendez|une\ seconde|une\ minute
        |un\ instant
    |moment(?!\ (?:of|des|der|de)\b)|momentchen|momentito|augenblick|sekunde|minute\ papillon|hang\ on|hold\ on
    |hold\ it|hold\ your\ horses|one\ (?:sec|second|moment|minute)|just\ a\ (?:sec|second|moment|minute)|quatsch
    |mince|zut|flûte|punaise|mist|verdammt|verflixt|verflucht|damn(?!\ good)|dammit|shit|scheiße|merde|crap|darn|psych
    |never\ ?mind|scratch|correction|korrektur|rectification|errata|erratum|erreur|irrtum
    |pardon,?\ (?:erreur|non|je\ me|mauvais)|sorry,?\ (?:no(?!\ time\b)|wrong|nein|falsch|non|mistake|error|my\ mistake
        |i\ meant))\b
    |(?:no|non)\ *(?:[,.!\u2013\u2014\u2026-]|(?:no|non|wait|not|sorry|i|je|j'|actually|attends|pas)\b)
    |not\ *[!.]|nicht\ *[!.]|pas\ *[!.]
    """,
    re.VERBOSE,
)
"""Beginnings of sentences that refuse or regret what was done."""

_LACKING_SUBJECT = LatePattern(
    r"""
    (?:looks?|seems?|appears?|sounds?|feels?|tempts?|tempted|beckons|might|could(?!\ not)|may|should|would|wouldn't
        |isn't|wasn't
    |is|was|were|has|had|wins|loses|gives|gets|makes|leaves|comes|came|crossed|occurred|occurs|deserves|attracts
    |appeals|strikes|struck|says|said|suggests|suggested|recommends|recommended|thinks|thought|played|to\ play
    |to\ be|fits|works|goes|needs|ought|won't|doesn't|didn't|cannot
    |sieht|sah|sähe|klingt|klänge|scheint|schien|wäre|hätte|ist|war|könnte|würde|dürfte|müsste|gefällt|gefiele|reizt
    |juckt|lacht|lockt|verlockt|kam|kommt|ging|geht|ginge|fiel|fällt|schwebt|bietet|drängt|spricht|hat|hatte|fühlt
    |hört|wirkt|steht|stand|gehört|täte|tut|macht|passt|brächte|bringt|verliert|gewinnt|meint|meinte|sagt|sagte|rät
    |riet|empfiehlt|empfahl|schlägt|schlug|überzeugt|taugt|lohnt|sollte|soll|gespielt
    |gesetzt|gelegt|gezogen|zu\ spielen|zu\ setzen|zu\ legen|zu\ ziehen
    |(?:wollte|hatte|habe|hab|würde|hätte|könnte|möchte|sollte|soll|kann|darf|mag|finde|fand|fände|halte|hielt|dachte
    |denke|glaube|überlege|überlegte|erwäge|plane|plante|wähle|sah|sehe|spare|spar|erwog|meine|meinte|rate|traue)\ ich
    |serait|est|était|semble|semblait|paraît|parait|paraissait|aurait|avait|a\ (?:l'air|été|traversé|de\ quoi
        |du)|pourrait|peut|devrait|doit|fait|ferait
    |donne|vaut|valait|gagne|perd|va|irait|vient|irrite|disait|dit|dirait|suggère|suggérait|conseille|propose
    |risque|marche|marcherait|tient|joué|jouer|à\ jouer|n'est|n'était|ne\ (?:va|serait|me|semble|marche)
    |(?:me|m'|nous|te|t')\ ?(?:tente|tentait|plaît|plairait|plait|plaisait|semble|semblait|paraît|parait|attire
        |attirait
    |irait|intéresse|a|avait|est|était|trotte|démange|fait|inspire|conviendrait|inquiète|suggère|dit|vient)
    |se\ (?:défend|discute|tente|joue)|s'impose)\b
    """,
    re.VERBOSE,
)
"""Verbs that need the move as their subject or object: ``would tempt me``, ``reizt mich``, ``hatte ich vor``."""

_OWN_SUBJECT = LatePattern(
    r"""
    (?:could|may|would|will|should|might|is|was|were|has|had|can't|isn't|wasn't|wouldn't|won't|doesn't|didn't)
        \ (?:you|your|we|they|he|she|there|anyone|anybody|everyone|everything\ (?:ok|well))\b
    |(?:is|was|has)\ (?:it|the)\b(?!\ (?:legal|allowed|ok|okay|good|right|wise|possible|move|any|a\ good|mistake))
    |(?:is|was|has)\ (?:it|the)\b.*\b(?:weather|there|raining|snowing|cold|hot|warm|holiday|weekend)\b
    |(?:ist|war|hat|wird|kann|könnte|würde|hätte|soll|sollte|darf|will|macht|geht|gehört|kommt|wäre|sieht|sah|steht)
        \ (?:du|ihr|dein|deine|bei\ (?:dir|euch)|dir|euch|man|jemand|es\ (?:dir|euch|bei)|es\ schon\ (?:spät
        |warm|kalt))\b
    |(?:ist|war)\ das\ (?:\w+\ )?(?:spannend|wetter|kalt|warm|heiß|schön|ein\ (?:\w+\ )?(?:spiel|kampf|krimi))\b
    |(?:hat|macht)\ (?:\w+\ )?(?:spaß|freude|gedauert)|hat\ mich\ (?:sehr\ )?gefreut|geht's|geht\ (?:doch|es\ dir)
    |(?:is|was|war|had|hatte|avait)\ (?:\w+\ )?(?:away|ill|sick|busy|offline|travelling|traveling
        |on\ (?:holiday|vacation)
        |a\ (?:great|good|nice|busy|lovely|long|wonderful)\ (?:time|day|week|weekend|holiday|evening|trip|game)
        |weg|krank
        |verreist|unterwegs|im\ urlaub|beschäftigt|viel\ (?:los|zu\ tun|um\ die\ ohren)|fun|lange\ (?:weg|nicht))\b
    |(?:war|was)\ (?:ein|eine|a)\ (?:\w+\ )?(?:spiel|partie|wochenende|urlaub|woche|tag|game|week|weekend|pleasure)\b
    |was\ (?:für|sagst|machst|meinst|hältst|denkst|tust|nun|jetzt|soll|willst|hast|spielst|bleibt|sagt|kommt
        |macht|ich)\b
    |(?:looks?|seems?|sounds?|feels?)\ (?:like\ )?(?:i|you|you're|we|it|it's|winter|summer|spring|autumn|rain|snow)\b
    |(?:a|va)\ (?:bientôt|plus|tout|toi|vous|demain|la\ prochaine)|est-ce|jouer\ (?:avec|contre)|a\ (?:nice|good|great
        |fine|tough|hard|fun|lovely|very|bit|little|pleasure|tricky|close|close|long|risky|bold|gamble|surprise)\b
    |thought\ (?:you|about|long|hard)\b|(?:fits|works|goes|comes|gives|makes|leaves|gets|needs)\ (?:me|you|us)\b
    |(?:would|würde|wäre|serait)\ (?:you|love|like|be\ (?:nice|great)|mich|gern|gerne|schön(?!\ gewesen)|nett
        |bien|sympa)\b
    |to\ be\ (?:honest|fair|frank)|played\ (?:fast|quickly|well)|will\ (?:be|have)\b.*\bsee\b
        |tut\ mir\ (?:echt\ )?leid
    |will\ (?:jemand|noch\ jemand)|come\ on|may\ the\b|meine\ ich\ das\b|soll\ ich\ dir\b
    """,
    re.VERBOSE,
)
"""Such verbs at the beginning of a sentence of its own, as a question or about somebody else."""

_SUBORDINATE = LatePattern(
    r"""
    (?:unless|except|provided|assuming|supposing|in\ case|as\ long\ as|once|as\ soon\ as|until|instead|before|or|else
    |sofern|falls|sobald|solange|außer|es\ sei\ denn|bis(?!\ (?:bald|dann
        |später|morgen
    |demnächst|nachher|denn|die|zum|dahin|neulich|gleich|nächste))|statt|anstatt|vorausgesetzt|oder|bevor|ehe|nachdem
    |à\ moins|sauf|dès|jusqu'à|quand|pourvu|à\ condition|ou|au\ lieu|plutôt|avant)\b
    """,
    re.VERBOSE,
)
"""Words that make a clause a condition, or another choice beside the move above, if no main clause follows."""

_ANOTHER = re.compile(rf"(?:and|und|et|then|dann|puis|or|oder|ou)\b[^.!?]{{0,20}}{CELL_SIGN}")
_CONDITION = re.compile(r"(?:if(?! only)|when|wenn(?! nur)|si(?! (?:seulement|fort|si)))\b")

_CORRECTING = LatePattern(
    rf"\b(?:meant?|instead(?! of)|sorry|apologies|oops|correction|sondern|lieber|meinte|entschuldigung|pardon"
    rf"|verzeihung|voulais dire|plutôt(?! que)|rather(?! than))\b,?(?: [^\s.!?]+){{0,3}} {CELL_SIGN}"
    rf"|\b(?:actually|no|nope|nicht|nein|non),? {CELL_SIGN}"
    rf"|\b(?:make (?:that|it)|edit|my mistake|doch),?:? {CELL_SIGN}(?= ?[.!]*$)"
    rf"|(?:^|[.!?,] ?){CELL_SIGN},? not {CELL_SIGN}"
    rf"|(?:^|[.!?] ?){CELL_SIGN} (?:instead of|statt|anstatt|au lieu de|plutôt que) {CELL_SIGN}(?= ?[.!]*$)"
    rf"|(?:^|[.!?,] ?){CELL_SIGN},? (?:[^\s.!?]+ ){{0,2}}"
    r"(?:instead|sorry|statt|anstatt|sondern|pardon|plutôt|rather|i meant)\b"
)
"""Another move, and words that may put it in place of the one above."""
_BRANCHING = LatePattern(
    r"\b(?:if|when|whenever|once|as soon as|given|in case|after|wenn|falls|sobald|nach|si|s'ils?|lorsqu'?|dès que?"
    rf"|au cas où|après)\b.*{CELL_SIGN}.*{CELL_SIGN}"
    r"|\b(?:if|when|once|should|wenn|falls|si|s'ils?)\b.{0,40}\b(?:pass(?:es|t|en|e)?|swaps?|tausch\w*|échang\w*)\b"
    rf".{{0,80}}{CELL_SIGN}"
    r"|\b(?:whatever|no matter|regardless|egal was|quoi qu|(?:my|mein\w*|ma) (?:reply|answer|response|antwort|réponse)"
    rf")\b.{{0,80}}{CELL_SIGN}"
    rf"|\b(?:in response|responding|replying) to {CELL_SIGN}.{{0,80}}{CELL_SIGN}"
    rf"|\b(?:else|otherwise|sonst|ansonsten|andernfalls|sinon|autrement)\b.*{CELL_SIGN}"
    rf"|\b(?:en cas d|should (?:you|he|she|they)\b).{{0,80}}{CELL_SIGN}.{{0,80}}{CELL_SIGN}"
    rf"|\b(?:on|upon|against|vs|auf|bei|gegen|sur|contre) {CELL_SIGN}.{{0,80}}{CELL_SIGN}|{CELL_SIGN} ?/ ?{CELL_SIGN}"
    rf"|\b(?:any (?:other|move)|in any case|in jedem fall|auf jeden fall|dans tous les cas)\b.{{0,80}}{CELL_SIGN}"
    r"|\b(?:pre-?move|queue|vormerken|vorgemerkt|en attente|conditionals?|bedingt\w*|conditionnels?"
    rf"|(?:my|mein|mon) plan)\b.{{0,80}}{CELL_SIGN}|{CELL_SIGN}.{{0,40}} (?:vormerken|vor|en attente)$"
    r"|(?<!your )(?<!dein )(?<!ton )(?<!votre )\b(?:next (?:move|turn)|nächster zug|prochain coup)\b"
    rf".{{0,80}}{CELL_SIGN}"
    rf"|\b(?:resign|give up|gebe? (?:ich )?auf|aufgeben|abandonne\w*) (?:if|wenn|falls|si)\b.{{0,80}}{CELL_SIGN}"
    r"|\b(?:if|wenn|falls|si) \*(?: |,|$)"
    rf"|(?:\b(?:if|wenn|falls|si)\b.{{0,40}}{CELL_SIGN}.{{0,20}}|^(?:else|otherwise|sonst|sinon),? (?:(?:i|je) )?)"
    r"\b(?:resign|pass|give up|gebe? ich auf|aufgeben|abandonne\w*)\b"
    rf"|{CELL_SIGN} (?:if|when|wenn|falls|si)\b.*{CELL_SIGN}|{CELL_SIGN} ?(?:[-=]*>|[→⇒]) ?(?:\w+ )?{CELL_SIGN}"
    rf"|{CELL_SIGN}(?:,? (?:then|dann|alors|-)|:) (?:\w+ )?{CELL_SIGN}"
    rf"|^(?:my |mein |mon )?(?:plan|queue)\b[^:]{{0,20}}:? (?:\w+ ){{0,2}}{CELL_SIGN}"
)
"""A move for a case: a plan, perhaps, which is for nobody else."""
_REST = re.compile(
    r"(?:^|\n)[ >*-]*(?:and |und |et |or |oder |ou )?(?:else|otherwise|sonst|ansonsten|andernfalls|sinon|autrement)\b"
)
"""A line about all other cases that is no sentence of its own: below a plan it may be the last of its branches."""
_MOVES_ALONE = re.compile(rf"(?:^|\n)[ >*-]*{CELL_SIGN}(?:[ ,;|=&-]+{CELL_SIGN})+[ .!]*(?:\n|$)")
"""A line of several moves and nothing else: theirs and a reply, perhaps."""
_PAST = LatePattern(
    r"\b(?:had|was|were|wasn't|would(?: not)? have|could(?: not)? have|played|took|saw|did|didn't|hätte\w*|hatte\w*"
    r"|war|waren|wäre\w*|hast|habe|haben|avai\w+|aurai\w+|étai\w+|serai\w+|j'ai|tu as|vous avez|(?:il|elle|on) a)\b"
)
"""Words of a sentence about what has been, or could have been."""
_AHEAD = LatePattern(
    r"\b(?:will|i (?:play|take|go|move|answer|reply|lay|resign|pass)|is (?:played|taken|laid)|wird|werde"
    r"|(?:spiele|nehme|lege|ziehe|setze|antworte|gebe|passe|habe) ich|ich (?:spiele|nehme|lege|ziehe|setze|antworte)"
    r"|je (?:joue|prends|pose|réponds|vais|jouerai|prendrai|répondrai|passe|abandonne))\b"
    rf"|\b(?:then|dann|alors) {CELL_SIGN}"
    r"|\b(?:if|when|once|after|as soon as)\b.{0,15}(?:'ve|'s| has| have| is) (?:been )?(?:played|taken|laid|moved)\b"
)
"""Words of a sentence about what is to come, whatever others in it are about the past."""
_OWN_NOTE = (
    r"(?:(?:p\.? ?s\.?:?|my|own|private?|meine|ma|mes) +)*(?:notes?|notiz(?:en)?|study|studie|étude)"
    r"(?: +\(?(?:private?|privée?s?|secret|geheim|(?:to|for) (?:me|myself|self)|(?:nur )?(?:für|an) mich"
    r"|pour moi)\)?)?"
    r"[\s*]*(?:[:\u2013\u2014]|-\s)"
)
"""The head of a line like ``note: the corner is weak``; ``note that`` and ``note 1:`` are words for others."""
_TO_OTHERS = (
    r"\b(?:you|your|du|dir|dich|dein\w*|ihr|euch|tu|te|toi|ton|ta|tes|vous|votre|vos|away|absent\w*"
    r"|on holiday|on vacation|im urlaub|verreist|unterwegs|nicht da|en vacances"
    r"|i(?:['\u2019](?:m|ll be)| am| will be| can't| cannot)|ich (?:bin|kann)|je (?:suis|serai|pars|ne))\b"
)
"""Words that nobody writes to themselves: ``Note: I will be away``."""
_TO_ONESELF = LatePattern(
    r"\b(?:private notes?|notes? to (?:self|myself)|private notiz"
    r"|(?:notiz|anmerkung|memo) (?:für mich|an mich)|note (?:privée|pour moi)|for my eyes only"
    r"|(?:share|keep|drop) my plan)\b"
    rf"|(?:^|\n|[.!?] )[ (*[-]*{_OWN_NOTE}(?![^\n]*{_TO_OTHERS})"
    r"|(?:^|\n)[ (*[-]*(?:private?|privé|secret|confidential|geheim|vertraulich|confidentiel|memo"
    r"|(?:just |only )for (?:me|myself)|for (?:me|myself) only|nur für mich|pour moi(?: seule?)?)[ *]*[]:)\u2013\u2014]"
)

_TEMPTING = LatePattern(
    r"(?:tempting|tentant|verlockend|reizvoll|tempted|plausible|perhaps|maybe|possibly|peut-être|vielleicht|eventuell"
    r"|hypothetical(?:ly)?|hypothetisch|theoretical(?:ly)?|theoretisch|theorie|théoriquement|en théorie|in theory"
    r"|in theorie|spaß|scherz|witz|joke|jk|kidding|test|testing|blague|essai|thinking|considering|pondering|looking at"
    r"|overthinking|undecided|unsure|unsicher|à voir|mal überlegen|mal schauen, ob|mal sehen, ob|even better|or rather"
    r"|better|besser|lieber|plutôt|mieux|instead|suggested|suggestion|vorschlag|idee|idea|idée"
    r"|example|beispiel|exemple|draft|entwurf|brouillon)\b(?!-)"
)
"""Beginnings of texts about a move that is only being considered."""

_ANYWHERE = _any_of(
    r"""
    (?<!no )kidding|joking|teasing you|messing with you|pulling your leg|fooled you|got you there|april fools?'?|jk
    (?:a|my|just|only|little|bad|silly|of) joke|for (?:a laugh|laughs|the fun of it|fun only)|not serious(?:ly)?
    (?:only|just|merely|purely) (?:a |an |for )?(?:test|testing|trial|draft|experiment|example|sketch|practice|try)
    (?:this|that|it) (?:is|was) (?:a |an |my )?(?:test|testing|trial|draft|experiment|example|sketch|practice|joke)
    (?:just|only) (?:trying|to try|to see|to check|checking|wondering|dreaming|brainstorming|thinking aloud|asking)
    (?:thinking|think) (?:out loud|aloud)|as a test|test (?:mail|message|move|run|only)|trial (?:run|balloon)
    (?:does|do|should|will|must)(?:n't| not) count|not count(?:ed|ing)?|don't (?:count|take|use|accept|record|process)
    (?:please )?(?:ignore|disregard|discard|cancel|delete|revoke|retract|undo|scrap|void|withdraw|forget) \
        (?:this|that|it|my|the|what|everything|above|last|about)
    (?:meant|intended|was|is) for (?:board|(?:another|the other|my other|a different) (?:game|board|match))
    (?:war|ist|galt) (?:\w+ ){0,2}(?:andere|falsche)[ns]? (?:partie|spiel|brett)|(?:est|était) pour (?:\w+ ){0,2}autre \
        (?:partie|plateau|damier)
    strike (?:that|this|it)|(?:do not|don't) (?:send|submit|post)|not (?:yet|now)(?: though)?(?=[.!]?$)
    (?:actually|on reflection),? no(?! (?:problem|worries|hurry|rush))|, not this (?:one|mail|move|letter|message)
    please disregard|disregard(?=[.!]?$)|tenir compte|cancel(?=[.!]?$)|annulez?(?=[.!]?$)
    tippfehler|schreibfehler|faute de frappe
    by mistake|by accident|accident|accidental(?:ly)?|unintentional(?:ly)?|unintended|inadvertently|in error
    not (?:on purpose|intended|intentional|meant|what i|my (?:real|final|actual)|the (?:real|final)|final\
        |a (?:real )?move)
    (?:did not|didn't|do not|don't|never) (?:mean|want|intend|wish) (?:to|that|it|this)
    fat[- ]?finger(?:ed|s)?|wrong (?:button|key|window|game|board|mail|move|thread|line|person|way|cell|tile|one)
    mistyped|misclick(?:ed)?|mis-?sent|typo|premature(?:ly)?
    (?:sent|send|pressed|hit|clicked|mailed|gone|went|off|out|fired|touched|enter|return|button)\b.{0,40}\
        \b(?:too (?:early|soon|fast|quickly)|before i|by itself|on its own|already)
    (?:hit|pressed|touched|clicked)(?: on)?(?: the)? (?:send|enter|return|wrong)\b.{0,30}
    (?:cat|kid|dog|toddler|son|daughter|child|baby|phone|autocorrect) (?:walked|pressed|typed|sent|hit|did\
        |jumped|stepped)
    sleep (?:on|over)|slept on it yet|(?:decide|think|decision|know|choose) \w*\s?(?:tomorrow|tonight|overnight|later)
    more (?:later|tonight|tomorrow|to come|to follow|soon|this evening|follows|comes)|to be continued|later tonight
    (?:will|to|shall) (?:follow|confirm|decide|tell you|let you know)|follows? (?:later|tonight|tomorrow|shortly|soon)
    let you know (?:later|tonight|tomorrow|soon|when|if)|get back to you|final (?:move|decision|answer|choice)
    (?:real|actual|proper|true|official|final|right|correct|definitive) (?:move|one|turn|answer|choice)\b(?! by)
    (?:still|not yet|haven't|have not|hasn't|must|need to|should|gotta|want to|have to|going to|got to)\b.{0,25}\
        \b(?:decid\w*|ponder\w*|consider\w*|check\w*|analy[sz]e\w*|calculate\w*|think|look at)
    (?:on the fence|in two minds|of two minds|second thoughts?|undecided|hesitat(?:e|ing))
    not (?:yet |quite |really |so |entirely |completely |totally |at all |fully )*(?:decided|convinced|certain\
        |my move\
        |ready|there yet|settled|committed)
    not (?:yet |quite |really |so |entirely |completely |too |all that )*sure(?: yet| about| if| whether| i| it| that\
        | this|$)(?!.*\b(?:was|here goes|see)\b)
    (?:i'm|am|i|will|i'll|better|we|are) (?:still |just |rather |now |only )*(?:wait|waiting|holding off|hold off) \
        ?(?:for|until|till|to see|on|what|a|and|with|before)?(?! your\b| you\b| patiently| eagerly| to hear from you)
    first (?:thought|idea|instinct|impulse|reaction|inclination|choice|plan|intuition)|initial (?:thought|idea|plan)
    (?:would|might) (?:rather|prefer|sooner|not)\b|better not|rather not|perhaps not|maybe not
    changed? my mind|take (?:it|that|this|the move) back|taking (?:it|that|this) back|(?:should\
        |shall) i(?: \w+){0,3} ?\?
    (?:don't|do not|never|please don't|won't|will not|not going to|not gonna|no plan to) \
        (?:play|make|do|move|lay|place|execute|carry|submit|register|go there|that|this|it)\b(?! (?:fast|often|well\
        |much|very|here often))
    (?:would|could|can|did|might) (?:that|this|it|i)\b.{0,25}\?|is (?:this|that|it) (?:legal|ok|okay|allowed|right\
        |any good|good|a good|wise|possible|better|correct|the right)\b
    (?:are|is) (?:\w+ )?(?:suggest|recommend|propos)\w*|(?:suggest|recommend|propos|advis)(?:ed|es|s) (?:by|that|this\
        |me|it)|as \w+ (?:suggest|recommend|said|says|play)\w*|(?:if|unless|provided) (?:you|nobody|no one|alice|i|it\
        |that) (?:agree|agrees|don't|do not|object|objects|mind|minds|like|let|allow|allows|approve|insist|promise)\w*
    (?:what|how) (?:do|would|did) you (?:think|feel|play)(?: (?:of|about) (?:it|this|that|my))?\b(?=.*\?)
    hypothetical(?:ly)?|only in theory|wishful thinking|in my dreams|had i the|if i (?:were|was|had|could|dared)\b
    let me (?:confirm|check|ask|verify|ponder)|might regret|(?:that|this|it) was (?:the|my) (?:dog|cat|kid|phone)
    (?:wait|waiting) (?:with|until|till)|das war (?:der hund|die katze|das kind|mein (?:hund|sohn\
        |kater|handy))
    finger\b.{0,20}rutscht|nicht (?:überzeugt|abschicken|absenden|senden|speichern)|schlafe?n? (?:mal \
        |nochmal )?(?:dar|d)rüber
    ob (?:das|es|so) (?:geht|erlaubt|stimmt|richtig)|das (?:wäre|würde)(?!.*(?: gewesen|gegangen))|me tâte\
        |ordinateur|n'ose
    (?:faut|dois|veux|vais) (?:que je )?(?:demande\w*|vérifi\w*|regarde\w*|consulte\w*)|(?:hold|keep|save\
        |park) (?:this|that|it|my move)\b|(?:is|was) my (?:plan|idea|hope|dream|guess)\b\
        |to see (?:if|whether)
    (?:wife|husband|son|daughter|friend|computer|engine|colleague|brother|sister) (?:would|wanted|wants|thinks\
        |played|says)
    (?:wanted|want|wants|would like|tried|trying) to (?:try|test|see if|check|know if)|copying|copy and paste\
        |copied|your move last|my previous|last turn|from (?:our|the) (?:last|other|previous) game
    (?:nur|bloß|kleiner|aus|zum|als|ein|war|alles) spaß\b(?! gemacht)|spaß beiseite|spaßeshalber|jux|ulk|gag
    scherz\w*|aprilscherz|witz|witzchen|veräppel\w*|verarsch\w*|reingelegt|reingefallen|veralber\w*|flachs|ätsch\w*
    quatsch|blödsinn|unsinn|unfug|schmarrn|käse geschrieben|april,? april
    (?:zum|nur|ein|kleiner|als|bloß|der|reiner|das|mein|testweise) (?:ein |mal |so ein |zum )?(?:test|testen\
        |probieren|ausprobieren|versuch|probe|üben|übung|spielen gedacht)|testweise|probehalber|versuchsweise|probezug
    testzug|testmail|test(?:e|en)? (?:ich )?(?:nur|mal|bloß|ob)|ausprobieren|probier(?:e|en)?(?: ich)? (?:nur\
        |mal|das|hier)
    (?:zählt|gilt|stimmt|gelte|zähle)(?: \w+){0,2} nicht|ungültig|nicht (?:werten|zählen|gelten|ernst|ausführen\
        |so gemeint|gemeint|mein zug|gewertet|übernehmen|eintragen|verbuchen|absichtlich|mit absicht|beachten|gelten\
        |bewerten|gezählt|endgültig|verbindlich|der richtige|das richtige|annehmen|buchen|gewollt|beabsichtigt)
    ignorier\w*|vergiss (?:das|es|den|ihn|bitte|meinen|die)|vergesst|vergessen sie|streich(?:e|t)? (?:das|den|es)
    lösch(?:e|en|t)? (?:das|den|es|bitte|die)|storn\w*|nicht beachten|gegenstandslos|hinfällig|unverbindlich
    aus versehen|versehentlich|verklick\w*|vertipp\w*|verrutsch\w*|abgerutscht|vertan|verschrieben|verschickt
    (?:ungewollt|unabsichtlich|keine absicht|unbeabsichtigt|falsche taste|falsches (?:brett|feld|spiel|fenster)\
        |falscher (?:zug|knopf|stein|empfänger)|falschen (?:zug|knopf|stein|mail))
    zu (?:früh|schnell|hastig|voreilig) (?:abge|ge|los|auf|raus|weg|verschickt)\w*|voreilig|senden gedrückt|auf senden
    (?:senden|enter|return|abschicken|knopf)\b.{0,30}\b(?:gekommen|gedrückt|geklickt|getippt|geraten|erwischt)
    (?:katze|kater|hund|kind|sohn|tochter|kleine|kleiner|baby|handy|autokorrektur)\b.{0,40}\
        \b(?:tastatur|gedrückt|getippt|gelaufen|gespielt|abgeschickt|geschrieben)
    nacht (?:dar|d)rüber|(?:dar|d)rüber schlafen|überschlafen|schlafe? (?:noch )?(?:ein|dar|d)\w*|beschlafen
    (?:mehr|genaueres|näheres|weiteres|rest|antwort|entscheidung|zug|auflösung) (?:dazu )?(?:heute|morgen\
        |später|folgt\
        |kommt|gibt|nachher|gleich|am|bald|erst)|(?:heute abend|später|morgen|nachher|heute nacht|gleich|demnächst)\
        (?: \w+){0,3} (?:mehr|weiter|entscheid\w*|endgültig\w*|richtig\w*|zug|überleg\w*|bescheid|verrat\w*|sag\w*)
    fortsetzung|folgt (?:heute|morgen|später|noch|gleich|bald|nachher|in kürze)|kommt (?:noch|gleich|später\
        |morgen|heute\
        |nachher|erst|in kürze)(?! drauf)|gleich kommt|(?:richtige|echte|eigentliche|endgültige|wirkliche\
        |tatsächliche\
        |korrekte|finale|gültige|ernste)[rns]? (?:zug|zuges|antwort|entscheidung|stein|steine)
    noch (?:nicht|un|offen|am|kurz|mal|ein(?:mal|e|en)?|etwas|was|ganz|genau|eben|länger|in ruhe|darüber|drüber\
        |zu|erst)\
        (?: \w+){0,3} ?(?:sicher|entschieden|schlüssig|entschlossen|fertig|endgültig|überleg\w*|nachdenk\w*|grübel\w*\
        |nachrechn\w*|durchrechn\w*|prüf\w*|anschau\w*|ansehen|klar|abwart\w*|spielen|ziehen|setzen|legen\
        |meiner|mein zug)
    unschlüssig|unentschlossen|unentschieden, ob|am überlegen|am grübeln|hin und her|hin- und hergerissen|unsicher
    (?:ich|bin|muss|will|werde|möchte|sollte) (?!musste|habe|hatte|hab)(?:\w+ ){0,3}(?:überlege|überlegen\
        |grüble|schwanke|zögere|zögern\
        |zweifle\
        |nachdenken|nachrechnen|abwarten|warten|nachschauen|nachsehen|durchrechnen|prüfen)\b(?! müssen| lassen)
    (?:ich )?wart(?:e|en)(?: ich| wir)?(?: aber| noch| erst| lieber| mal| jetzt| nun| hier| da| doch)* (?:ab\
        |auf|bis|was\
        |ob|noch|lieber|erst)\b(?! dich| deine[nr]?| ihre[nr]?| eure[nr]?)
    (?:erste[rn]?|spontane[rn]?|erste|anfängliche[rn]?) (?:gedanke|gedanken|idee|einfall|impuls|reflex|intuition|plan)
    nur (?:so )?(?:eine?|mal eine?|als)? ?(?:idee|gedanke|vorschlag|beispiel|überlegung|gedankenspiel|anregung|frage\
        |entwurf|theorie)|zum beispiel|hypothetisch\w*|rein theoretisch|angenommen|entwurf
    (?:entscheid|überleg|schau|guck|melde|seh)\w*(?: ich)?(?: \w+){0,3} (?:morgen|später|heute abend|nachher\
        |heute nacht\
        |am wochenende|erst|demnächst|nochmal|noch mal|noch einmal)|anders überlegt|umentschieden|überleg'?s? mir
    nehm\w* .{0,30}zurück|zurück(?:nehmen|ziehen|genommen|gezogen|treten)|zieh\w* .{0,20}zurück|widerruf\w*|rückgängig
    (?:lieber|besser|eher|doch|wohl|vielleicht) nicht(?! (?:so|zu|ganz|schlecht|dumm|leicht))\
        |traue? (?:ich )?mich nicht
    (?:was|wie) (?:meinst|hältst|denkst|sagst|findest|haltet|meint) (?:du|ihr)\b(?=.*\?)(?! (?:nun|jetzt|dazu nun))
    (?:soll|sollte|darf|kann|dürfte) ich(?: \w+){0,4} ?\?|(?:geht|ginge|wäre|ist|lohnt sich|darf man) (?:das\
        |so)\b.{0,30}\?
    (?:ist|war) mein plan|mal so|überlege ich mir|(?:woll\w+|will|möchte\w*) (?:nur )?(?:mal )?(?:sehen|testen\
        |probieren|wissen)
    wie (?:es )?(?:alice|bob|carol|mein \w+|meine \w+) (?:sagt|meint|vorschlägt)|hätte ich(?: \w+){0,2} (?:fast\
        |beinahe\
        |gern|lieber|gespielt)|(?:fast|beinahe) (?:geschrieben|gespielt|gesagt)|war(?:'s| es)? nicht ernst
    (?:wenn|falls|sofern) (?:du|ihr|sie|niemand|keiner|ich|es) (?:\w+ ){0,3}(?:einverstanden|recht|dagegen|zustimm\w*\
        |erlaub\w*|einwände|magst|mutig|wäre|hätte|könnte|dürfte|möchtest)
    blague\w*|rigole|rigolais|rigolo non|plaisante|plaisantais|plaisanter|plaisanterie|poisson d'avril|déconne|canular
    farce|pour (?:rire|rigoler|de rire|plaisanter|de faux|du beurre|la blague|le fun)|te fais marcher|t'ai eue?
    (?:juste|seulement|simplement|uniquement|c'est|c'était|qu'un|que|comme) (?:pour )?(?:un |une |d'|l')?(?:essai\
        |essayer|test|tester|voir|exemple|idée|brouillon|hypothèse|proposition|réflexion)
    pour (?:essayer|tester|voir|l'exemple|m'amuser|m'entraîner)|brouillon|par exemple|admettons|supposons|hypothèse
    (?:ne |n')(?:le |la |l')?(?:compte|comptez|comptes|comptera|valide|validez|tiens|tenez|tient|prends|prenez\
        |enregistre|enregistrez|vaut|joue|jouez|jouerai|jouerais|fais|ferai|sais|suis)\b.{0,20}\b(?:pas|jamais\
        |plus)(?! (?:souvent|beaucoup|bien|vite|assez|trop|très|depuis|mal|la peine)\b)
    compte pas|pas (?:compter|pris en compte|valable|valider|sérieux|fait exprès|voulu|définitif|le bon\
        |mon coup|encore\
        |maintenant|tout de suite|si vite|cette fois|mon vrai|celui)(?! (?:perdu|mort|fini|dit))
    ignore(?:r|z|s)?|oublie(?:r|z|s)? (?:ça|ce|cela|le|tout|mon|ma|la)|annule(?:r|z|s)?|laisse(?:z)? tomber\
        |efface(?:r|z)?
    par (?:erreur|accident|mégarde|inadvertance|distraction|réflexe)|sans (?:faire exprès|le vouloir|réfléchir)
    (?:envoy\w*|parti\w*|cliqu\w*|appuy\w*|valid\w*|expédi\w*)\b.{0,40}\b(?:trop (?:tôt|vite)|tout seul|toute seule\
        |avant|sans)|trop (?:tôt|vite) (?:envoy|parti|cliqu|appuy|valid)\w*|appuyé sur envoyer\
        |clic (?:malheureux|trop)
    mauvais (?:bouton|clic|plateau|coup|doigt|message)|mauvaise (?:touche|case|partie|fenêtre|manip\w*)\
        |fausse (?:manip\w*\
        |manœuvre|manoeuvre|touche)|doigt (?:a|qui)|chat (?:a|qui|sur)|me suis (?:trompée?|plantée?|gourée?|emmêlée?)
    (?:fait une|c'est une|c'était une|est une|une petite) (?:erreur|bêtise|fausse)|erreur de (?:clic|ma|frappe\
        |manip\w*\
        |plateau|case|touche|destinataire)|faute de frappe|malentendu
    nuit porte|nuit (?:là-)?dessus|dormir (?:là-)?dessus|(?:j'y|y) réfléchi\w*|réfléchir\
        |réfléchis(?! (?:toujours )?trop)|en réflexion|cogite
    suite (?:ce soir|demain|plus tard|au|bientôt|tout à l'heure|dans|à venir|arrive|suit|viendra)|la suite\b.{0,12}
    (?:vrai|véritable|bon|définitif|réel|officiel) coup|coup (?:définitif|final|officiel|suit|arrive|viendra|ce soir)
    (?:réponse|décision|choix|verdict) (?:ce soir|demain|plus tard|définitive?|finale?|bientôt|suit|dans)|à suivre
    (?:ce soir|demain|plus tard|cette nuit|tout à l'heure|bientôt),? (?:je|j'|peut-être|mon|le|la|plus|on)
    je (?:te |vous |le |la |me |m')?(?:confirme\w*|dirai|déciderai?|décide|tranche\w*|verrai|regarderai|reviens\
        |laisse)\b\
        .{0,30}(?:ce soir|demain|plus tard|bientôt|après|quand|dès|si|réfléchir|la nuit)|j'aviserai|on verra demain
    j'attends(?! (?:ta|ton|tes|votre|vos|avec|de tes|la suite avec))|avant de (?:jouer|me décider|décider|choisir)
    pas (?:encore |tout à fait |très |vraiment |totalement |si |trop |bien )*(?:sûre?(?! que)|certaine?|décidée?\
        |convaincue?|fixée?)
    j'hésite\w*|hésitation|je doute|dubitati\w+|indécis\w*|premi(?:er|ère) (?:idée|pensée|réflexion|réaction\
        |intuition\
        |instinct|jet|envie)|changé d'avis|me ravise|reprend(?:s|re) (?:mon|ce|le|ça)|retire (?:mon|ce|le|ça)\
        |désolée? non
    traversé l'esprit|effleuré l'esprit|passé par la tête|(?:me|m'a) (?:tente|tenté|tentait)|si (?:tu|vous\
        |personne|j'avais\
        |j'étais|je pouvais|j'osais) (?:es|êtes|veux|voulez|permets|permettez|ne|n'|le|la|l')?.{0,25}(?:d'accord|bien\
        |accept\w*|objection|inconvénient|vois|oppose|courage|malin)|si (?:j'avais|j'étais|j'osais|je pouvais)
    qu'en (?:penses|pensez|dis|dites)\b.*|(?:t'en|tu en|vous en) (?:penses?|dis|pensez)\b.{0,10}\?|ton avis|votre avis
    (?:ça|cela|ce) (?:irait|passe|passerait|marche|marcherait|va marcher|se joue|peut marcher|est)\b.{0,25}\?
    c'est (?:bon|permis|légal|jouable|possible|une bonne idée|valable|le bon|autorisé|correct|risqué|bien)\b.{0,15}\?
    (?:je|j'|puis-je|dois-je)\b.{0,6}(?:peux|devrais|dois|pourrais|joue)\b.{0,30}\?|comme (?:le )?(?:dit|disait\
        |conseille)
    je (?:le|la|les) (?:garde|réserve|note|mets de côté)|la nuit (?:me|nous|va)|(?:voul\w+|veux|veut\
        |voudrais) (?:essayer|tester|voir)
    j'allais (?:jouer|écrire|dire)|j'ai (?:failli|presque)|presque (?:joué|écrit)|(?:was|almost\
        |nearly) (?:going to|about to\
        |wrote|written|played)|i almost|i nearly|almost (?:fell|there, but)|as if\b.*
    """.replace("\\\n        ", "")
)
"""Phrases that take a move back, or put it off, in any place."""

_TAGS = LatePattern(
    r"\b(?:right|ok|okay|agreed|eh|no|yes|oder|ja|nein|richtig|nicht|non|oui|d'accord|hein|n'est-ce pas|nicht wahr|gell"
    r"|isn't it|or not|ou pas|oder nicht|wouldn't it|doesn't it|einverstanden|allowed|legal)\s*\?|\?\?|\?!|!\?"
)
"""A question added to the sentence before it."""

_OWN_CLAUSE = LatePattern(
    r"(?:i|i'm|i've|i'll|we|you|you're|it|it's|that|that's|this|these|he|she|they|ich|du|wir|ihr|das|es|dies|man|je"
    r"|j'\w+|tu|t'\w+|nous|vous|on|il|elle|c'\w+|ça|ce|now|then|and|so|but|aber|und|also|et|mais|jetzt|nun|da|dann|here"
    r"|hier|let's|lets|let|what|wie|how|comment|well|tja|na|hm+|ha+|haha\w*|hehe|lol|ah|oh|oha|puh|mal|sorry|hope|hoffe"
    r"|espère|greetings|yours|your|dein|deine|ton|ta|love|see|bis|have|viel|sent|gesendet|envoyé|from|mit|avec|with"
    r"|schöne[nrsm]?|gute[nrsm]?|liebe|herzliche|bonne|bon|bien|à|nice|great|good|thx|thanks?|danke|merci|congrats?"
    r"|leider|endlich|finally|enfin|puh|phew|ouch|uff|wow|no|alles|all|long|lange|schon|already|déjà|ganz|very|quite"
    r"|really|wirklich|vraiment|echt|heute|today|aujourd'hui|gestern|yesterday|hier|jetzt|ps|p\.s|btw|fyi|by|übrigens"
    r"|best|beste|kind|warm|xx?x?|lg|vg|mfg|gg|glhf|gl|hf|take|mach|macht's|mach's|pass|enjoy|viele|freue|looking|hoping"
    r"|hopefully|hoffentlich|your|du|dir|auf|interesting|spannend|interessant|intéressant|super|cool|welcome|willkommen"
    r"|happy|frohe[sn]?|joyeux|joyeuse|meilleur\w*|amicalement|cordialement|bises?|bisous|désolée?|entschuldigung|pardon"
    r"|lots|tough|hard|schwer|schwierig|difficile|dur|my|mein|meine|mon|ma|our|unser|unsere|notre|the|der|die|a|an|ein"
    r"|eine|le|la|les|un|une|there|still|cheers|tschüss|ciao|salut|coucou|hi|hey|hello|hallo|bonjour|bonsoir|moin|servus"
    r"|bye|go|come|at|in|im|am|on|for|für|pour|after|nach|après|next|nächste\w*|prochain\w*|always|immer|toujours)\b"
)
"""Beginnings of independent clauses, in lower case, too; other words in lower case carry on the one above."""


def may_be_plan(comment: str, *, has_plan: bool = False) -> bool:
    """Return True if words for others may be meant for a plan.

    Below a plan, whatever names a move or all other cases may be more of it. Sentences about the past are none.
    """
    if has_plan and _REST.search(comment[:_MOST_CHARACTERS]):
        return True
    text = folded(comment[:_MOST_CHARACTERS])
    if _MOVES_ALONE.search(text):
        return True
    said = _DOTS.sub(" ", " ".join(text.split()))
    sentences = [each for each in re.split(r"[.!?]", said) if _AHEAD.search(each) or not _PAST.search(each)]
    return any(_BRANCHING.search(each) or (has_plan and CELL_SIGN in each) for each in sentences)


def may_be_private(comment: str, *, has_plan: bool = False) -> bool:
    """Return True if words for others may be meant for a plan or a note, which are for nobody else."""
    return is_for_oneself(comment) or may_be_plan(comment, has_plan=has_plan)


def is_for_oneself(text: str) -> bool:
    """Return True if a text calls itself a note, or private."""
    return _TO_ONESELF.search(text[:_MOST_CHARACTERS].lower()) is not None


def takes_back(comment: str) -> bool:
    """Return True if the words below a move deny it, doubt it, or put it off, so that it is better asked about."""
    comment = comment[:_MOST_CHARACTERS]
    first, *_ = [line.strip() for line in comment.split("\n") if line.strip()] or [""]
    if not first:
        return False
    said = " ".join(folded(comment).split())
    begun = re.split(r"[.!?]", said.lstrip(". \u2026\"'(*_"), maxsplit=1)[0].strip(" ,")[:_LONGEST_CLAUSE]
    if said.strip(" .!\u2026") in small_talk.ALONE_IN_DOUBT or _carries_on(comment, first, said, begun):
        return True
    if any(_REFUSING.match(each) for each in _sentences(comment)):
        return True
    if _ANYWHERE.search(said) or _CORRECTING.search(said) or _asks_after(said) or may_be_private(comment):
        return True
    parts = [each for text in (said, folded(comment)) for each in clauses(text)][:_MOST_CLAUSES]
    return any(small_talk.DENYING.fullmatch(each) or small_talk.DOUBTING.fullmatch(each) for each in parts)


def _carries_on(comment: str, first: str, said: str, begun: str) -> bool:
    """Return True if the first sentence below a move is the end of the one that contains the move."""
    is_low = _BEGINS_LOW.match(first) is not None
    if is_low and small_talk.CARRYING_ON.fullmatch(begun):
        return True
    said = said.lstrip(". \u2026\"'(*_")
    if _LACKING_SUBJECT.match(said) and not _OWN_SUBJECT.match(said):
        return True
    is_half = "," not in begun
    if _TEMPTING.match(said) or (_SUBORDINATE.match(said) and (is_low or is_half)):
        return True
    if _ANOTHER.match(said) or (_CONDITION.match(said) and is_half):
        return True
    has_capitals = _CAPITAL.search(comment) is not None
    return (_CARRIES_DOTS.match(first) is not None or (is_low and has_capitals)) and not _OWN_CLAUSE.match(said)


def _asks_after(said: str) -> bool:
    """Return True if a question is added to a sentence, and is not one that only asks how somebody is."""
    asked = re.findall(r"[^.!?]*\?[?!]*", said)
    asked = [each.strip(" ?") for each in asked if _TAGS.search(each)]
    kind = {" ".join(phrase) for phrase in small_talk.ASKED_KINDLY | small_talk.PRAISE}
    return any(each not in kind and each.rpartition(",")[0] not in kind for each in asked)


def _sentences(text: str) -> Iterator[str]:
    """The texts behind the end of a sentence, or on a line of their own, in lower case."""
    for each in re.split(r"(?<=[.!?:;\u2026])\s+|\n", text.lower().replace("\u2019", "'")):
        yield each.strip(" \t\"'(*_-\u2013\u2014\u2026.")


def folded(text: str) -> str:
    """A text in lower case, with a sign in place of each cell."""
    text = _SHORTENED.sub(lambda match: f" {_WHOLE[match[1]]}", text.lower().replace("\u2019", "'"))
    return _CELLS.sub(CELL_SIGN, text)


def clauses(text: str) -> list[str]:
    """The sentences of a text, and their parts between commas, without the signs around their words."""
    sentences = re.split(r"[.!?;:\n()\u2013\u2014\u2026]+", text)
    parts = [part for each in sentences for part in (each.replace(",", " "), *each.split(","))]
    tidy = (" ".join(re.findall(r"[\w'-]+|" + CELL_SIGN, part)) for part in parts)
    return [each for each in dict.fromkeys(tidy) if each and len(each) <= _LONGEST_CLAUSE]
