"""The rules of the games: pure, frozen positions; no clock, no mail, no database."""
