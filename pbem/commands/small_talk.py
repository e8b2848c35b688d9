"""Words that may accompany a move in a letter, by language: data for `pbem.commands.lenient`.

Before adding a phrase, ask what it says with a move in front of it and behind it. It must never be part of a sentence
that takes the move back, asks about it, puts it off, or speaks of somebody else's.
"""

from __future__ import annotations

import re
from functools import cached_property


class LatePattern:
    """A large pattern that is compiled when it is first used: that takes long, and many processes read no sentences."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern, self._flags = pattern, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    def match(self, text: str) -> re.Match[str] | None:
        """As the method of `re.Pattern`."""
        return self._compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As the method of `re.Pattern`."""
        return self._compiled.fullmatch(text)

    def search(self, text: str) -> re.Match[str] | None:
        """As the method of `re.Pattern`."""
        return self._compiled.search(text)


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in text.split(",") if phrase.strip())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _patterns(text: str) -> LatePattern:
    """One pattern a line, or several that end in a backslash; ``<name>`` stands for the words of `_CLAUSE`."""
    for name, words in _CLAUSE.items():
        text = text.replace(f"<{name}>", f"(?:{words.replace(', ', '|')})")
    text = re.sub(r"\\\n\s*", "", text.replace("<leads>", f"(?:(?:{_CLAUSE['lead'].replace(', ', '|')}) )*"))
    return LatePattern("|".join(line.strip() for line in text.splitlines() if line.strip()))


GREETINGS = _phrases(
    """
    hi, hi there, hi again, hey, hey there, hello, hello there, hello again, hiya, howdy, dear, greetings,
    good morning, good afternoon, good evening, good day, morning, evening, happy new year, merry christmas,
    hallo, hallo zusammen, hallihallo, moin, moin moin, servus, grüß gott, grüezi, grüß dich, tag, guten tag,
    guten morgen, guten abend, liebe, lieber, lieber herr, liebe frau, sehr geehrter, sehr geehrte, frohes neues,
    frohe weihnachten, frohe ostern,
    bonjour, salut, coucou, bonsoir, re bonjour, cher, chère, bonne année, joyeux noël,
    hola, buenos días, buenas, buenas tardes, buenas noches, estimado, querido, querida, ciao, buongiorno, buonasera,
    salve, caro, cara, goedemorgen, goedemiddag, goedenavond, goedendag, hoi, beste, dag,
    """
)
"""A name may follow them."""

THANKS = _phrases(
    """
    thanks, thank you, thx, ty, tx, many thanks, thanks a lot, thanks again, thanks so much, thank you very much,
    thank you so much, cheers, much appreciated, thanks in advance, danke, danke schön, dankeschön, danke sehr,
    vielen dank, besten dank, herzlichen dank, tausend dank, dank, merci, merci beaucoup, merci bien, mille mercis,
    merci encore, un grand merci, gracias, muchas gracias, grazie, grazie mille, dank je, dank je wel, bedankt,
    hartelijk dank, obrigado, obrigada,
    """
)
"""A name may follow them, too."""

ASKING = _phrases(
    """
    please, pls, plz, bitte, bitte schön, svp, stp, s'il vous plaît, s'il te plaît, s'il vous plait, s'il te plait,
    por favor, per favore, alsjeblieft,
    """
)
"""Phrases beside a request."""

ONES_MOVE = _phrases(
    """
    my move, my last move, the move, the last move, that move, this move, last move, that, it, this, meinen zug, den
    zug, meinen letzten zug, das, mon coup, mon dernier coup, le coup,
    """
)
EXCUSES = {
    "confirm": _phrases(
        """
        yes, ja, oui, i'm sure, i am sure, looks good, looks right, it looks good, that's it, sieht gut aus, passt,
        c'est bon,
        """
    ),
    "undo": _phrases(
        """
        sorry, i'm sorry, i am sorry, so sorry, apologies, my apologies, my mistake, my bad, my fault, oops, ooops,
        slip of the pen, slip of the finger, typo, i mistyped, i made a mistake, i have made a mistake, that was a
        mistake, it was a mistake, i pressed send too early, i pressed send too soon, i hit send too early, i hit send
        too soon, i clicked too fast, i sent it too early, i sent that too early, sent too early, sent too soon, wrong
        move, wrong tile, wrong space, that was the wrong move, i have sent the wrong move, i sent the wrong move, i
        misread the board, i misclicked, tut mir leid, entschuldigung, entschuldige, verzeihung, ups, hoppla, mein
        fehler, vertippt, ich habe mich vertippt, ich hab mich vertippt, hab mich vertippt, verklickt, ich habe mich
        verklickt, das war ein fehler, das war ein versehen, versehen, falscher zug, falscher stein, falsches feld,
        ich habe zu früh gesendet, zu früh gesendet, zu früh abgeschickt, ich habe zu früh abgeschickt, pardon,
        désolé, désolée, je suis désolé, je suis désolée, excuse-moi, excusez-moi, oups, mon erreur, c'est mon erreur,
        c'était une erreur, je me suis trompé, je me suis trompée, mauvais coup, mauvaise tuile, erreur de frappe,
        faute de frappe, envoyé trop tôt, envoyé trop vite, j'ai envoyé trop tôt,
        """
    ),
}
"""Phrases beside a word that need not be alone: it gives nothing up, and others can still decline it."""

SAID_FOR = {
    "pass": _phrases("je passe, ich passe, i pass, ich muss passen, je dois passer, i have to pass, i skip"),
    "undo": _phrases(
        """
        take back my, taking back my, retract, nehme meinen, zug zurücknehmen, zurück nehmen, take this back,
        reprendre mon dernier, annuler mon dernier, take that back, take it back, take back, slip of the pen,
        my mistake, zurücknehmen,
        nehme zurück, zug zurück, reprendre mon coup, reprendre le coup, annuler mon coup, reprendre ce coup,
        """
    ),
    "resign": _phrases(
        "ich gebe auf, gebe auf, i give up, i surrender, i concede, j'abandonne, je donne la partie, je me rends"
    ),
    "propose": _phrases(
        "remis, unentschieden, nulle, partie nulle, match nul, a draw, draw, offer a draw, call it a draw, égalité"
    ),
}
"""Phrases beside a word that has to be alone; their senders are told so, and nothing is done."""

CHALLENGING = _words(
    """
    challenge challenging play playing game match against versus vs spiel spielen spiele partie match gegen fordere
    herausfordern herausforderung jouer joue partie contre défi défie défier affronter jugar partida contra giocare
    partita contro spelen tegen
    """
)
"""Words of a sentence that asks for a board against somebody."""

DENIED = _words(
    """
    not no never none nothing without dont don't doesnt doesn't cannot cant can't wont won't isnt isn't if unless
    instead what when wait ignore nicht nichts nein kein keine keinen nie niemals ohne wenn falls statt was pas non ne
    ni jamais rien sans si sinon quand no nunca sin si niente senza se niet geen nooit zonder als
    """
)
"""Words that may not occur above a command that is not the first line: they could take the command back."""

OPENERS = _phrases(
    """
    for me, für mich, pour moi, my choice, my choice is, meine wahl, meine wahl ist, mon choix, mon choix est,
    i'll start with, i start with, i begin with, i'll begin with, here goes nothing,
    first tile, ich beginne mit, ich fange an mit, ich starte mit, ich fang an mit, erster stein, je commence par,
    je commence avec, et hop, hop, première tuile,
    my move, my move is, my turn, my turn is, my play, my play is, my next move, my next move is, next move,
    my first move, my first move is, my opening move, my answer, my answer is, my reply, my reply is, my response,
    move, turn, play, i play, i now play, i move, i lay, i place, i put, i choose, i pick, i take, i go, i go for,
    i am playing, i'm playing, im playing, i am going with, i'm going with, i go with, i play my tiles, i play tiles,
    i play on, i lay on, i place on, i answer, i answer with, i reply with, i respond with, i continue with,
    this is my move, that is my move, that's my move, thats my move, it's my move, its my move,
    here is my move, here's my move, heres my move, here is my turn, here is mine, here's mine, here comes my move,
    here it is, here goes, here we go, here i go, there we go, here you go, here you are, please, please play,
    please move, please lay, please place, let me play, let's play, lets play, let's try, lets try, let's go,
    lets go, i want to play, i decided on, i have decided on, i settle for, the move is, the move, move is, tile,
    tiles, the tiles, two tiles, my tiles, my tiles are, on, at, for this turn, this turn, for my turn, for my move,
    as my move, for now, board, game, move no, move number, sent from my phone,
    mein zug, mein zug ist, mein zug lautet, mein nächster zug, mein nächster zug ist, nächster zug, zug,
    mein erster zug, mein erster zug ist, meine antwort, meine antwort ist, meine antwort lautet, meine steine,
    ich spiele, ich ziehe, ich setze, ich lege, ich nehme, ich wähle, ich antworte, ich antworte mit, ich mache,
    ich spiele auf, ich lege auf, ich setze auf, ich entscheide mich für, ich spiele mal, ich lege mal,
    dann spiele ich, dann lege ich, dann setze ich, dann ziehe ich, jetzt spiele ich, nun spiele ich, da spiele ich,
    spiele ich, setze ich, lege ich, ziehe ich, nehme ich, spiele, setze, lege, ziehe, nehme, hier mein zug,
    hier ist mein zug, hier kommt mein zug, anbei mein zug, das ist mein zug, mein spielzug,
    hier ist er, hier kommt er, los gehts, los geht's, auf geht's, bitte, bitte sehr, bitte schön, auf, brett,
    partie, der zug ist, der zug, steine, zwei steine, für diesen zug, so dann, also dann, na dann, dann mal,
    dann also,
    je déplace, je bouge, j'avance, ich bewege, ich verschiebe,
    mon coup, mon coup est, mon coup suivant, mon prochain coup, mon premier coup, mon tour, ma réponse, coup,
    je joue, je place, je pose, je mets, je choisis, je prends, je réponds, je réponds par, je joue en, je joue sur,
    alors je joue, donc je joue, j'ai choisi, j'ai décidé de jouer, j'opte pour, c'est mon coup, c'est mon tour,
    voici mon coup, voilà mon coup, voici, voilà, voici ma réponse, le coup, s'il vous plaît, s'il te plaît, svp,
    stp, pour ce tour, mes tuiles, tuiles, tuile, plateau, partie, c'est parti, allez, allons y, en, sur,
    mi jugada, mi jugada es, mi movimiento, mi movimiento es, juego, jugada, movimiento, aquí va,
    aquí está mi jugada, la mia mossa, la mia mossa è, mossa, gioco, io gioco, ecco la mia mossa, ecco, mijn zet,
    mijn zet is, zet, ik speel, ik leg, ik zet, hier is mijn zet,
    """
)
"""Phrases that present one's own move, in front of it or behind."""

FILLERS = _phrases(
    """
    ok, okay, o.k, so, well, and, now, then, right, alright, all right, hmm, hm, mm, ah, aha, oh, ha, haha, hahaha,
    hehe, lol, wow, yay, phew, also, again, just, today, finally, at last, let me see, let's see, lets see,
    sorry for the delay, sorry for the wait, sorry for the late reply, sorry for being slow, apologies for the delay,
    und, nun, jetzt, dann, na, tja, so so, naja, nun denn, na gut, gut, schön, endlich, heute, mal,
    entschuldige die verspätung, entschuldigung für die verspätung, sorry für die verspätung, entschuldige, et,
    alors, donc, bon, bien, eh bien, voyons, voyons voir, enfin, aujourd'hui, désolé pour le retard,
    désolée pour le retard, y, e, bueno, pues, allora, dunque, goed,
    """
)

CHEERS = _phrases(
    "let's go, lets go, here we go, auf geht's, los geht's, los gehts, und los geht's, c'est parti, allons y"
)
"""Phrases to the others, too, if they are a sentence of their own."""
APOLOGIES = _phrases(
    """
    accept my apologies, accept my apologies for the delay, accept my apologies for being late, accept my excuses,
    please accept my apologies, please accept my apologies for the delay, accept our apologies, accept my thanks,
    """
)
"""Phrases that begin with a word that would have to be alone to be a command."""

WISHES = _phrases(
    """
    good luck, gl, hf, glhf, gl hf, best of luck, good luck to you, good luck to us, good luck to all, have fun,
    have a good game, have a nice game, enjoy, enjoy the game, good game, gg, have a nice day, have a good day,
    have a great day, have a good one, have a nice evening, have a good evening, have a nice weekend,
    have a good weekend, have a great weekend, happy weekend, happy easter, hope you are well, hope you're well,
    i hope you are well, i hope you're well, hope all is well, hope all's well, hope this finds you well,
    i hope this finds you well, hope you had a nice weekend, hope you had a good weekend, nice to meet you,
    pleased to meet you, nice to play you, regards, best regards, kind regards, warm regards, best wishes,
    all the best, yours sincerely, sincerely, yours truly, see you, see you soon, see ya, bye, bye bye,
    bye for now, take care, talk soon, xx, xxx, xoxo, br, with best regards, with kind regards, many greetings,
    kind greetings, rgds, thx and bye, viel glück, viel spaß, viel erfolg, gutes spiel, auf ein gutes spiel,
    schönes spiel, gruß, grüße, viele grüße, liebe grüße, beste grüße, schöne grüße, herzliche grüße,
    freundliche grüße, mit freundlichen grüßen, mit besten grüßen, mit freundlichem gruß, lieben gruß, liebe grüsse,
    viele grüsse, viele gruesse, liebe gruesse, gruss, lg, vg, mfg, bg, hg, schönen tag, schönen tag noch,
    schönen abend, schönen abend noch, schönes wochenende, schönen sonntag, bis bald, bis dann, bis demnächst,
    tschüss, tschüß, tschau, mach's gut, machs gut, gute nacht, gesundheit, ich hoffe es geht dir gut,
    auf wiedersehen, sonnige grüße, bonne chance, bonne partie, bon jeu, bonne journée, bonne soirée, bonne nuit,
    bon week-end, bon weekend, bon dimanche, à bientôt, à plus, à plus tard, a+, amitiés, amicalement, cordialement,
    bien cordialement, bises, bisous, bien à toi, bien à vous, salutations, meilleures salutations,
    sincères salutations, au revoir, amuse-toi bien, bon courage, que le meilleur gagne, j'espère que tu vas bien,
    j'espère que vous allez bien, tchao, bye, biz, suerte, buena suerte, saludos, un saludo, un abrazo, hasta luego,
    hasta pronto, adiós, atentamente, buona fortuna, buona partita, saluti, cordiali saluti, un saluto, a presto,
    arrivederci, succes, veel succes, veel plezier, groet, groeten, groetjes, met vriendelijke groet,
    met vriendelijke groeten, tot ziens, may the better player win, may the best player win, may the best win,
    möge der bessere gewinnen,
    """
)
"""Wishes and closings: anywhere. A name may follow them, too."""

OF_THE_GAME = frozenset(
    phrase
    for phrase in WISHES
    if not _words(
        """
        luck gl hf glhf fun game enjoy gg glück spaß erfolg spiel chance partie jeu amuse-toi courage gagne suerte
        fortuna partita succes plezier win gewinnen
        """
    ).isdisjoint(phrase)
)
"""Those of them that are no closings."""

ASKED_KINDLY = _phrases(
    """
    how are you, how are you doing, how are things, how is it going, how's it going, hows it going, how do you do,
    all well, everything ok, wie geht's, wie gehts, wie geht es dir, wie geht's dir, wie gehts dir, alles gut,
    alles klar, ça va, comment ça va, comment vas-tu, comment vas tu, comment allez-vous, tu vas bien, cómo estás,
    qué tal, come stai, come va, hoe gaat het, hoe gaat het met je, rematch, another game, one more game, another one,
    revanche, revanche gefällig, noch eine partie, noch ein spiel, noch eine, on remet ça, une revanche, une autre,
    une autre partie, on en refait une, a rematch, fancy a rematch, fancy another game, shall we play again,
    play again, wie wär's mit revanche, lust auf revanche, tu veux ta revanche, tu me donnes ma revanche, revancha,
    rivincita,
    """
)
"""Questions that ask for nothing; the question mark belongs to them."""

SAID_WITH = {
    "undo": _words(
        """
        sorry mouse slipped slip finger mistake error oops ops whoops ups oups hoppla typo wrong pressed hit clicked
        sent send button too early soon fast mistyped misclick misclicked misread saw thought didn't see meant cell tile
        space please if possible allow may take back kind move last vertippt verklickt versehen fehler falsch falsches
        feld falscher stein zu früh gedrückt abgeschickt maus verrutscht übersehen bitte wenn möglich entschuldigung
        pardon erreur clic mauvaise mauvais case désolé désolée trompé trompée souris glissé doigt tôt s'il te plaît
        possible n'avais vu pas from by by my aus mein meine mir habe habe hab d'avance
        """
    ),
    "propose": _words(
        """
        about shall draw fair result peace agree agreed ok okay deal even equal call let's think seems balanced
        honourable
        accept would please one what do remis unentschieden einverstanden ergebnis gerecht ausgeglichen frieden wollen
        nulle partage d'accord équilibré équilibrée paix remise match nul ça va gleich stehen steht denkst was
        penses qu'en est
        """
    ),
}
"""Phrases allowed below a request that the other still has to agree to, besides kind words."""

PONDERING = _words("hm hmm hmmm hmmmm mm mmm um umm uh er erm tja puh pfff euh heu ben bof hum ah oh aha well naja")
"""Sounds of people who do not know what to do."""

BEHIND_ALONE = _phrases(
    """
    is my move, ist mein zug, best, love, yours,
    your turn, your move, it's your turn, its your turn, it is your turn, now your turn, over to you, back to you,
    you're next, your go, the ball is in your court, now it's your turn, now it is your turn, now you, you are next,
    du bist dran, du bist am zug, jetzt bist du dran, jetzt du, dein zug, nun du, nun bist du dran, sie sind dran,
    sie sind am zug, ihr seid dran, und jetzt du, der ball liegt bei dir, à toi, à toi de jouer, à ton tour,
    c'est à toi, c'est ton tour, à vous, à vous de jouer, c'est à vous, à votre tour, te toca, tu turno, es tu turno,
    tocca a te, jij bent aan de beurt, jouw beurt,
    """
)
"""Phrases only for behind a move: in front of it, they would be about it, or about the other's."""

GIVING_UP = _phrases(
    """
    sorry, i am sorry, i'm sorry, so sorry, tut mir leid, es tut mir leid, leider, désolé, désolée, je suis désolé,
    je suis désolée, no time, no time at the moment, i have no time, too busy, i am too busy, i'm too busy, you win,
    you have won, you've won, i can't win this, i cannot win this, i can't win, you were too strong,
    too hard for me, this is too hard for me, sorry no time,
    you were too good, you were too good for me, too strong for me, no chance, i have no chance, that's it,
    that is it, i give up, keine zeit, keine zeit mehr, ich habe keine zeit, leider keine zeit, zu viel zu tun,
    du hast gewonnen, du gewinnst, du warst zu stark, du warst besser, keine chance, das war's, ich gebe auf,
    da ist nichts mehr zu machen, pas le temps, je n'ai pas le temps, tu as gagné, tu gagnes, tu étais trop fort,
    tu étais trop forte, trop fort pour moi, j'abandonne, je ne peux plus gagner, aucune chance,
    """
)
"""Phrases below ``resign``."""

ASSURANCES = _phrases(
    """
    no worries, no worries at all, no problem, no problem at all, not a problem, don't worry, no hard feelings,
    of course, sure, fair enough, you got me, happens to me too, it happens to me too, happens to us all,
    happens to all of us, happens to everybody, happens to everyone, my pleasure, with pleasure,
    kein problem, gar kein problem, keine ursache, gern geschehen, gerne, gern, macht nichts, kein ding, natürlich,
    na klar, passiert mir auch, kann passieren, kann jedem passieren,
    pas de souci, pas de soucis, pas de problème, aucun problème, aucun souci, bien sûr, avec plaisir, de rien,
    ça m'arrive aussi, ça arrive à tout le monde, il n'y a pas de mal, pas grave, ce n'est pas grave,
    """
)
"""Kind answers to what the other has done or asked for: below a word that gives in, they take nothing back."""

PRAISE = _phrases(
    """
    nice, nice one, nice move, nice game, nice play, great, great move, great game, good one, good move, good play,
    well played, wp, well done, clever, clever move, strong move, tough one, tricky, interesting, interesting game,
    cool, cool move, excellent, fun game, wonderful, brilliant, beautiful, beautiful move, ouch, touché, fantastic,
    thanks for the move, thanks for your move, thank you for the move, thank you for your move, thanks for the game,
    thank you for the game, thanks for playing, thank you for playing, thanks for the quick reply,
    thanks for waiting, thanks for the quick move, thanks for your quick reply, thanks for the challenge,
    thank you for the challenge, thanks for your patience, thank you for your patience, very nice,
    that was a nice move, that was a good move, guter zug, schöner zug, toller zug, starker zug, gut gespielt,
    sehr gut, super, klasse, toll, nicht schlecht, schöne partie, schön gespielt, danke für die partie,
    danke für das spiel, danke für den zug, danke für deinen zug, danke für die herausforderung,
    danke für die einladung, danke für die geduld, danke für deine geduld, prima, interessante partie, spannend,
    spannende partie, raffiniert, knifflig, au weia, oha, bien joué, joli, joli coup, beau coup, bon coup,
    belle partie, bravo, super, génial, merci pour la partie, merci pour le coup, merci pour ton coup,
    merci pour votre coup, merci de ta patience, merci de votre patience, merci pour ta patience, merci pour le défi,
    pas mal, intéressant, excellent coup, aïe, bien jugado, buena jugada, bella mossa, ben giocato, goede zet,
    mooie zet, goed gespeeld, fine, i'm fine, i am fine, doing fine, fine thanks, i'm good, all good, not bad,
    very well, very well thanks,
    great game so far, good game so far, nice game so far, well played so far, mir geht's gut, mir gehts gut,
    mir geht es gut, gut danke, sehr schön, bisher eine schöne partie, ça va bien, très bien, tout va bien,
    belle partie jusqu'ici, nice to play you again, congratulations, congrats, impressive, respekt, glückwunsch,
    chapeau, magnifique, félicitations, parfait, perfekt, perfect, amazing, wow, awesome,
    """
)
"""Phrases about the other's move or the game: in a sentence of their own, or they could be about this one."""

KIND = _words(
    """
    well nicely good great nice fine strong stronger strongest better best brilliant brilliantly beautiful beautifully
    lovely superb excellent outstanding amazing awesome impressive fantastic wonderful fun pleasure enjoyed enjoyable
    congratulations congrats thanks thank thx cheers bravo respect deserved won win gg wp luck sorry apologies welcome
    interesting exciting clever regards greetings wishes soon
    gut stark stärker stärkste besser beste schön klasse super toll prima großartig hervorragend wunderbar brillant
    überragend beeindruckend spannend spannende verdient gewonnen glückwunsch glückwünsche gratuliere gratulation danke
    dank spaß freude hut respekt schöne schönes gute gutes tolle tolles starkes starke entschuldigung grüße gruß bald
    bien bon bonne beau belle bravo félicitations chapeau merci fort forte meilleur meilleure excellent excellente
    superbe joli jolie magnifique mérité méritée plaisir gagné désolé désolée génial géniale intéressante passionnante
    bientôt cordialement amitiés bises
    """
)
"""Words of which a sentence of goodbye has at least one."""
AROUND_KIND = _words(
    """
    you your u i me my we us it that this the a an of for at fair in on to with and so too very much really
    just simply far
    square way such quite truly always again next time were was are have had been is played play playing game
    match end endgame
    opening middle beginning finish move moves job all many lot everything everybody everyone both am today here there
    victory strategy attack defence defense see catch until way today's whole entire last
    du dich dir dein deine deinem deiner deinen ihr euch euer ich mich mir wir uns es das dies die der den dem ein eine
    einen einer und so zu sehr viel wirklich einfach heute immer mal wieder für am im an in zum zur auf vor warst war
    wart bist hast habt hat habe gespielt gespielte spiel partie endspiel sieg gegen mit ab alle alles ganz echt
    herzlichen herzliche herzlich besten vielen tausend zug züge eröffnung strategie gemacht war's nächstes nächste bis
    tu toi ton ta tes vous votre vos je j'ai me moi nous on c'est c'était ce cette la le les un une de du des pour et
    très trop vraiment tout toute étais es as a été avez étiez joué jouée partie jeu coup coups fin finale fin début
    victoire encore à prochaine fois au aux en l'as l'avez l'ouverture d'avoir beaucoup si
    """
)
"""Words that may accompany them; there is no denial among them, no doubt and no joke."""

DOUBTS = _words(
    """
    not no nope never none neither nor without nothing cannot cant dont doesnt didnt isnt wasnt wont wouldnt
    shouldnt couldnt havent hasnt if unless whether would could might may should maybe perhaps possibly probably
    suppose assuming provided otherwise else or instead rather versus vs when until after before will shall gonna
    going tomorrow tonight later soon eventually next yet you your yours yourself u ur ya wait oops cancel ignore
    disregard forget scratch undo mistake mistaken error typo correction except stop hold kidding joke nicht nichts
    nein kein keine keinen keinem keiner nie niemals weder noch ohne wenn falls sofern ob würde würdest würden
    könnte könntest könnten hätte hättest wäre vielleicht eventuell möglicherweise wahrscheinlich oder sonst statt
    stattdessen lieber eher sobald bevor nachdem bis wie wird werde werden wirst morgen später nachher bald nächste
    nächsten nächstes du dein deine deinen deinem deiner dir dich ihr euch euer eure sie ihnen ihre ihren warte
    stopp halt irrtum fehler falsch versehen ups außer hast zurück korrektur eigentlich scherz pas non ne ni jamais
    rien aucun aucune sans si sinon sauf peut-être peut peux pourrais pourrait voudrais devrais serait aurait ou
    plutôt quand lorsque après avant jusqu'à où demain ensuite bientôt prochain prochaine vais vas allons tu toi ton
    tes tien tienne vous votre vos attends attendez attendre erreur faute faux annule annuler oublie oubliez nunca
    jamás sin quizá quizás mañana luego después tú usted ustedes espera niente senza forse domani dopo tuo tua
    aspetta niet geen nooit zonder misschien straks jij jouw jullie wacht
    """
)
"""Negations, conditions, the future, "you", and what takes words back: a move anywhere beside them is only offered.

A question is known by its mark. Other words that are not known are a doubt only above a move and on its line.
"""
DOUBTFUL_ENDS = ("n't", "'ll", "'d", "'re")
DOUBTFUL_BEGINNINGS = ("n'", "qu'", "s'", "t'")

STEPS = dict.fromkeys(("pose", "lege", "leg", "posons", "lays", "laying"), "lay") | dict.fromkeys(
    ("déplace", "deplace", "bouge", "avance", "ziehe", "zieh", "bewege", "beweg", "moves", "moving"), "move"
)
"""Other words for a step of a turn."""

JOINING = _words("and und et then dann puis plus y e ensuite danach anschließend après afterwards")
"""Words between the placements of one move."""

TO = _words("to nach zu auf bis vers à en jusqu'à naar")
"""Words between the two cells of a move."""
FROM = _words("from von vom de da desde van")
"""Words in front of the first of them."""
DROPPING = _words("not never than of nicht statt anstatt pas non ni lieu que")
"""Words right in front of a placement that is not meant, because another is: ``C3 (not C4)``, ``instead of C4``."""
_CLAUSE = {
    "lead": (
        "sorry, but, and, no, oh, well, hmm, so, please, wait, actually, really, hey, aber, doch, nein, na, "
        "also, und, ja, ach, mais, et, non, ah, désolé, désolée, donc, alors, bon, oui, entschuldigung, "
        "bitte, currently, just, now, jetzt"
    ),
    "self": "i, we",
    "wont": (
        "don't, do not, won't, will not, wouldn't, would not, can't, cannot, shouldn't, should not, mustn't, "
        "am not, not, never, will never, would never, dare not, daren't, refuse to"
    ),
    "do": (
        "play, do, make, lay, place, send, want, going, to, playing, doing, making, "
        "laying, placing, dare, intend, plan, like, count, mean"
    ),
    "it": (
        "§, it, that, this, so, there, here, this one, that one, this move, that move, the move, my move, das, "
        "es, ihn, den, dies, dieses, diesen, diesen zug, den zug, dort, da, hier, dahin, dorthin, ça, cela, "
        "ce coup, celui-ci, celui-là, là, ici"
    ),
    "tail": (
        "yet, now, today, though, anyway, of course, obviously, certainly, either, just yet, after all, "
        "please, just now, at all, here, there"
    ),
    "sure": (
        "certainly, definitely, surely, really, probably, rather, obviously, of course, just, still, am, do, "
        "would, will, most"
    ),
    "thinking": (
        "about, it, this, that, longer, more, again, first, a, bit, little, over, some, while, harder now, yet"
    ),
    "tun": (
        "mache, mach, spiele, spiel, setze, lege, ziehe, tue, tu, nehme, will, werde, möchte, würde, wage, traue mich"
    ),
    "nie": "nicht, nie, niemals, keinesfalls, nimmer, auf keinen fall, keineswegs",
    "sicher": (
        "sicher, aber, hier, jetzt, natürlich, bestimmt, lieber, da, garantiert, ganz, doch, noch, wohl, besser, mal"
    ),
    "noch": ("mehr, jetzt, heute, so, hier, dort, machen, spielen, tun, setzen, legen, ziehen, natürlich, noch, oder"),
    "jouer": (
        "joue, jouerai, fais, ferai, pose, poserai, mets, mettrai, prends, prendrai, place, placerai, jouer, "
        "faire, poser, mettre, placer, prendre, veux, vais, jouerais, ferais"
    ),
    "pas": "pas, jamais, point, surtout pas, certainement pas",
    "surement": "sûrement, certainement, surtout, bien sûr, évidemment, vraiment, absolument, donc",
    "encore": "encore, maintenant, tout de suite, ici, là, aujourd'hui, ce tour, non plus, évidemment, bien sûr",
}
"""Words and phrases for the patterns below."""

DENYING = _patterns(
    r"""
    <leads>(?:no |but )?<self> (?:<sure> )*<wont> (?:<sure> )*(?:<do> )+(?:to )?(?:<do> )*<it>(?: <tail>)*
    <leads>(?:<it> )?<self> (?:<sure> )*(?:won't|wouldn't|shouldn't|will not|would not|should not|am not)\
        (?: <do>)*(?: <tail>)*
    <leads><it> <self> (?:<sure> )*<wont> (?:<sure> )*<do>(?: <tail>)*
    <leads>(?:<it> )<tun> ich (?:\w+ ){0,4}?<nie>(?: <noch>)*
    <leads><tun> ich (?:<it> )?(?:<sicher> )*<nie>(?: <noch>)*
    <leads>ich <tun> (?:<it> )?(?:<sicher> )*<nie>(?: <it>)?(?: <noch>)*
    <leads>ich <tun> <it> (?:\w+ ){0,3}?<nie>(?: <noch>)*
    <leads>je (?:ne |n')?(?:le |la |l'|y )?(?:<jouer> )+(?:<surement> )*<pas>\
        (?: <surement>)*(?: <jouer>)?(?: <it>)?(?: <encore>)*
    <leads><it>,? je (?:ne |n')?(?:le |la |l')?(?:<jouer> )+(?:<surement> )*<pas>\
        (?: <surement>)*(?: <jouer>)?(?: <encore>)*
    <leads>je (?:ne |n')?(?:le |la |l')?(?:vais|veux|peux|voudrais\
        |dois) (?:<surement> )*<pas>(?: <encore>)*(?: (?:le|la))? (?:<jouer>)(?: <it>)?(?: <encore>)*
    """
)
"""Clauses that deny a move: the one above, or the cell in the clause, written as ``it``."""

DOUBTING = _patterns(
    r"""
    <leads>(?:don't|do not|never|not) (?:<do> )+<it>(?: <tail>)*
    <leads>(?:<self> )?never <do> <it>(?: <tail>)*
    <leads>(?:just |quite )?not (?:just )?(?:yet|now)
    <leads>(?:of course|certainly|definitely|surely|rather|better|probably|obviously) not
    no way
    <leads>(?:(?:<self> )?am )?still (?:thinking|undecided|considering|pondering|deciding|looking(?! forward)\
        |hesitating)\b.*
    <leads>let me (?:just )?think(?: .*)?
    <leads><self> (?:still |just |really )?(?:need|want|have|will|would like|would prefer|would rather|prefer|must\
        |should)(?: to)? (?:first )?think(?: <thinking>)*
    <leads><self> (?:still |just )?need (?:some |a little |a bit |a bit of |a lot )?(?:more )?(?:time|days?\
        |hours?)(?: to (?:think|decide)\b.*)?
    <leads>give me (?:some |a little |a bit |a )(?:more )?(?:time|moment|minute|day|hour)
    <leads><self> (?:have not|haven't|am not) (?:really |quite )?(?:yet )?decided(?: yet)?
    undecided
    <leads>(?:<self> )?am not sure (?:yet )?(?:if|whether) <self>.*
    <leads><self> (?:will |am going to )?(?:play|move|decide|send|do|make)(?: <it>\
        | my move)?(?: <tail>)* (?:tomorrow|later|tonight)
    (?:wait|hold on|hang on)(?: (?:a|one) (?:moment|minute|second|sec|bit)|no)?
    stop
    scratch (?:that|it)
    ignore <it>
    (?:please |no )*(?:ignore|disregard|forget|cancel|discard|scratch) (?:<it>|my move)(?: please)?
    never ?mind
    on second thoughts?
    <leads><self> (?:have )?changed my mind
    <self> take <it> back
    <leads>wrong (?:board|move|game|cell|space)
    (?:this is |that is |that was |that's |it's |it was )?(?:just|only) (?:a |an )?(?:test|joke|idea|example|kidding)
    <leads>(?:is|was|would) <it> (?:even |really )?(?:be )?(?:legal|allowed|possible|valid|permitted)
    (?:can|may|should) <self> (?:even |really )?<do> <it>
    <leads><it> would (?!have )(?:\w+ ){0,4}(?:mistake|blunder|error|bad|wrong|stupid|foolish|terrible|losing\
        |suicide)\b.*
    <leads>(?:<it> )?(?:auf keinen fall|keinesfalls|keineswegs)(?: <it>)?
    <leads>(?:natürlich|lieber|doch|noch|sicher|ganz sicher|bestimmt|jetzt|besser|wohl|eher) nicht
    nicht jetzt
    oder (?:doch|besser|lieber) nicht
    <leads>(?:spiel|spiele|zieh|setz|leg|mach|nimm) <it> (?:\w+ ){0,2}?<nie>
    <leads>(?:ich )?(?:denke|überlege|überleg|grüble|grübel|schaue|schau|gucke|guck\
        |rechne)(?: ich)?(?: \w+){0,2} (?:noch|erst|lieber|nochmal)(?: (?:mal|einmal|etwas|ein|bisschen|kurz|weiter\
        |darüber|drüber|daran|dran|nach|hin))*
    <leads>(?:ich )?(?:denke|überlege|grüble)(?: ich)? (?:mal |etwas |kurz |darüber |drüber )*(?:nach|weiter)
    <leads>(?:(?:ich|da) )?(?:muss|möchte|will|werde|sollte|darf)(?: ich)?(?: \w+){0,4} (?:nachdenken|überlegen\
        |drüber schlafen|darüber schlafen|durchdenken)(?: .*)?
    <leads>(?:lass|lasst) mich (?:\w+ ){0,4}(?:nachdenken|überlegen|schauen)
    <leads>ich brauche(?: \w+){0,2} (?:zeit|bedenkzeit)
    ich bin (?:mir )?(?:noch )?(?:unschlüssig|unentschlossen)
    <leads>ich (?:habe |hab )?(?:mich )?(?:noch )?nicht entschieden
    <leads>ich habe mich (?:noch )?nicht entschieden
    <leads>(?:ich )?(?:ziehe|spiele|entscheide|mache|setze)(?: ich)?(?: (?:mich|das|es|den zug|aber|dann|erst\
        |lieber|wohl)){0,3} (?:morgen|später|heute abend)
    moment(?: mal)?
    augenblick
    warte(?: (?:mal|noch|kurz))?
    halt
    stopp
    vergiss (?:es|das|den zug)
    ignorier(?:e|en sie)? <it>
    <leads>(?:falsches|falscher) (?:brett|zug|feld|spiel)
    <leads>ich nehme <it> zurück
    <leads>ich (?:habe|hab) (?:mich|es mir) (?:vertippt|verschrieben|geirrt|anders überlegt)
    (?:das |es )?(?:ist |war )?(?:nur|bloß) (?:ein |eine )?(?:test|scherz|witz|beispiel|idee|gedanke)
    war ein scherz
    <leads>(?:geht|ginge|darf ich|soll ich|kann ich) <it>(?: (?:überhaupt|so|denn|machen|spielen))*
    <leads>(?:ist|wäre) <it> (?:\w+ ){0,2}(?:erlaubt|möglich|legal|zulässig|gültig)
    <leads><it> (?:wäre|würde)(?!.* gewesen)(?: \w+){0,5} (?:fehler|patzer|schlecht|dumm|falsch|verlieren\
        |verlust|unsinn|blödsinn|quatsch|schlimm)\b.*
    <leads>(?:ne )?(?:le |la )?(?:joue|jouez|fais|faites|pose|posez) <pas>(?: <it>)?(?: <encore>)*
    <leads><pas> (?:encore|maintenant|tout de suite|<it>)
    <leads>(?:surtout|certainement|sûrement|plutôt) <pas>
    bien sûr que non
    <leads>je (?:dois |vais |veux |voudrais |préfère )?(?:encore )?(?:y )?réfléchi(?:s|r)?(?: (?:encore|toujours|un\
        |peu|bien|y|à|ce|coup|avant|de|jouer))*
    laisse-moi (?:y )?réfléchir\b.*
    <leads>j'hésite(?: (?:encore|toujours|un peu))*
    <leads>je (?:n'ai|ai) (?:pas|rien) (?:encore )?décidé
    je suis encore en train de réfléchir
    <leads>je (?:ne )?(?:suis|sais) pas (?:encore )?(?:décidée?|si je)\b.*
    <leads>(?:il me faut|j'ai besoin)(?: \w+){0,3} (?:temps|réflexion)\b.*
    attends
    attendez
    (?:attends )?(?:un instant|un moment|une minute|une seconde)
    <leads>je (?:le |la )?(?:joue|jouerai|décide|déciderai|ferai)(?: \w+){0,2} (?:demain|plus tard|ce soir)
    oublie(?:z)?(?: ça| cela| ce coup)?
    <leads>je me suis trompée?(?: de (?:plateau|partie|case|coup))?
    <leads>mauvais(?:e)? (?:plateau|coup|case|partie)
    j'ai changé d'avis
    je reprends (?:ce|mon) coup
    (?:c'est (?:juste |seulement )?|juste |seulement |ce n'est qu')(?:un |une )(?:test|essai|blague|exemple\
        |idée)
    <leads>(?:est-ce|c'est|serait-ce) (?:que c'est )?(?:permis|légal|possible|autorisé|valable)
    (?:puis-je|je peux|est-ce que je peux|dois-je) (?:jouer|faire) <it>
    <leads>(?:<it>|ce) serait (?:\w+ ){0,4}(?:erreur|gaffe|bourde|faute|bêtise|mauvais|mauvaise|suicide|idiot\
        |stupide)\b.*
    (?:or|oder|ou|no|nein|non|rather|better|lieber|besser|plutôt|instead|sorry|i mean|ich meine\
        |je veux dire)(?: (?:i|i mean|rather|doch|lieber|besser|plutôt|ich|je|play|spiele|joue|better|instead\
        |no))* §(?: .*)?
    """
)
"""Clauses below a move that doubt it or put it off.

Before adding one, ask if people also say it of anything else: "I did not see that" says nothing against a move.
"""

CARRYING_ON = _patterns(
    r"""
    (?:would|wouldn't|wäre|würde|serait|ne serait)\b(?! (?:you|love|like|be nice|be great|mich|gern|gerne|du|ihr|sie\
        |tu|vous|schön|nett|bien|sympa)\b)(?!.* gewesen).*
    (?:unless|except|provided|sofern|außer|es sei denn|à moins|sauf)\b.*
    (?:if|wenn|falls|si)(?! only\b| nur\b| seulement\b)(?: [^\s,]+){1,4}
    (?:is|was|isn't|wasn't|ist|war|est|était|n'est|n'était)\b.*\b(?:not|n't|isn't|wasn't|nicht|kein|keine|pas)\
        (?: \w+)? (?:my move|allowed|legal|possible|option|mein zug|erlaubt|möglich|mon coup|permis|autorisé)\b.*
    (?:is|ist|est) (?:too|zu|trop) (?:risky|dangerous|riskant|gefährlich|risqué|dangereux)\b.*
    (?:is|ist|was|war) what .* if\b.*
    (?:kommt|geht) (?:\w+ ){0,2}nicht(?: in frage)?
    (?:is )?out of the question|(?:est )?hors de question
    """
)
"""Clauses in lower case that seem to carry on the sentence of the move above: the move would be a mistake."""

ALONE_IN_DOUBT = _words(
    """
    ? ?? ??? no nope nein non not nicht pas or oder ou maybe perhaps possibly vielleicht eventuell peut-être tomorrow
    later morgen später demain undo back zurück annuler
    """
)
"""Texts that doubt a move if nothing else is written below it."""

GOING = _words("zieht geht moves goes va gaat")
"""Words that may come in front of them."""
COUNTING = _words("second tile zweiter stein deuxième tuile en")
"""More words that may come between the placements of one move."""

CHEERFUL = frozenset("🙂😀😃😄😁😆😅😂🤣😊😇😉😌😎🤓🥳👍🙏👋🎲🎉✌👌💪🍀🙃😜😛😋🤞☺♥❤🔥🤝👏🎯")
"""Faces and signs that say nothing about a move."""

ASSENTING = "yes yeah yep yup ja jo jawohl oui ouais si sí sim"
"""Words that say yes to a question whatever follows, if nothing raises a doubt."""
AGREEING = "y j ok okay sure confirm confirmed agree agreed accept d'accord einverstanden gerne volontiers certainly"
"""Words that say yes alone, or with `AGREEING_TOO` beside them: machines begin with some of them, too."""
AGREEING_TOO = _phrases(
    """
    please, yes please, please do, go ahead, please go ahead, do it, do so, do that, just do it, play it, make it,
    play that, make that move, play that move, that is me, that's me, thats me, this is me, it is me, it's me, its
    me, that was me, it was me, i am sure, i'm sure, i confirm, i confirm it, i confirm that, i agree, i do, i did,
    i mean it, i meant it, i meant that, that is what i meant, that's what i meant, thats what i meant, that's what
    i mean, that is what i mean, that is right, that's right, thats right, that is correct, that's correct, thats
    correct, correct, right, exactly, absolutely, of course, indeed, definitely, that is it, that's it, thats it,
    that's the move, that is the move, that is my move, that's my move, thats my move, this is my move, that one, no
    problem, no problem at all, no worries, no doubt, with pleasure, gladly, fine, perfect, great, bitte, ja bitte,
    mach das, mach mal, mach es, tu das, nur zu, das bin ich, ich bin's, das war ich, ich war das, genau, genau so,
    genau das, richtig, das ist richtig, stimmt, das stimmt, so ist es, das meine ich, das meinte ich, so war's
    gemeint, genau so war's gemeint, so war es gemeint, so meine ich das, so meinte ich das, das ist mein zug, das
    ist der zug, gern, gerne, sehr gern, sehr gerne, natürlich, klar, na klar, sicher, selbstverständlich,
    unbedingt, kein problem, keine sorge, in ordnung, passt, das passt, ich bestätige, ich bestätige das, hiermit
    bestätige ich das, das will ich, c'est moi, c'est bien moi, c'est ça, c'est bien ça, c'est cela, exactement,
    tout à fait, bien sûr, évidemment, absolument, vas-y, vas y, allez-y, allez y, je confirme, c'est mon coup,
    c'est bien mon coup, d'accord, pas de problème, pas de souci, pas de soucis, aucun problème, volontiers, avec
    plaisir, s'il vous plaît, s'il te plaît, svp, stp, parfait, por favor, adelante, claro, soy yo, confirmo, per
    favore, certo, sono io, confermo, graag, prima, it is, it is then, it's then, then, is it, so be it, let it be, i
    play, i'll play, i will play, i take, i'll take, i choose, i pick, i go for, i'll go for, go for, go with, i'm going
    with, let's go with, let's go for, let's do, let's play, is fine, is right, is correct, is my move, is what i want,
    is what i meant, sounds good, looks good, it shall be, dann, also, ist es, soll es sein, ist richtig, ist gut, ist
    mein zug, nehme ich, ich nehme, spiele ich, ich spiele, setze ich, ich setze, wie gesagt, je joue, je prends, je
    pose, ce sera, va pour, est mon coup, est bon, c'est bon,
    """
)
"""Phrases beside a yes; some of them sound like a no to a reader of single words."""
HESITATIONS = _words(
    """
    but though although however still actually anyway aber doch jedoch allerdings dennoch trotzdem nur höchstens
    mais cependant toutefois pourtant quoique seulement pero sino aunque mas però ma maar echter moment momentchen
    minute second sec sekunde augenblick instant think thinking thought consider denke überlege überlegen nachdenken
    réfléchis réfléchir regarde think first erst zuerst nochmal d'abord attends noch yet später plus better besser
    mieux changed spätestens doubt unsure unsicher zweifle doute whoever wrong other another anderen anderer autre
    prefer préfère bevorzuge soon
    """
)
"""Words that make a yes unclear, besides `DOUBTS`."""
ADDRESSING = _words(
    """
    you your yours yourself u ur ya would could may will shall when before after next du dein deine deinen deinem
    deiner dir dich ihr euch euer eure sie ihnen ihre ihren würde könnte hätte werde wird wie hast bis ab tu toi ton
    tes vous votre vos vais serait voudrais tú usted ustedes jij jouw jullie
    """
)
"""Doubts about a move that are none about a yes: people thank the server, or announce what they will do then."""
