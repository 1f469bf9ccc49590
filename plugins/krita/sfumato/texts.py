# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The extension's texts in Krita's language. The dialog has translations of its own.
from .qt import QLocale

_GERMAN = {
    "Repeat Last Sfumato Filter": "Letzten Sfumato-Filter wiederholen",
    "Filters the active layer onto a new one, with a live preview":
        "Filtert die aktive Ebene auf eine neue, mit Vorschau",
    "Filters the active layer as the last one, without the dialog":
        "Filtert die aktive Ebene wie zuletzt, ohne den Dialog",
    "There is no Sfumato filter to repeat yet.":
        "Es gibt noch keinen Sfumato-Filter, der wiederholt werden könnte.",
    "Sfumato is at work on another layer: finish that first.":
        "Sfumato arbeitet noch an einer anderen Ebene: Bitte zuerst diese abschließen.",
    "There is no picture to filter.": "Es gibt kein Bild zum Filtern.",
    "Filtering…": "Wird gefiltert…",
    "Cancel": "Abbrechen",
    "layer": "Ebene",
    # Layers that cannot be filtered
    "There is no active layer to filter.": "Es gibt keine aktive Ebene zum Filtern.",
    "%s has no pixels of its own to filter: choose a paint layer.":
        "%s hat keine eigenen Pixel, die gefiltert werden könnten: Bitte eine Malebene wählen.",
    "A group layer": "Eine Gruppenebene",
    "A file layer": "Eine Dateiebene",
    "A clone layer": "Eine Klonebene",
    "A filter layer": "Eine Filterebene",
    "A fill layer": "Eine Füllebene",
    "A vector layer": "Eine Vektorebene",
    "A transparency mask": "Eine Transparenzmaske",
    "A filter mask": "Eine Filtermaske",
    "A transform mask": "Eine Transformationsmaske",
    "A selection mask": "Eine Auswahlmaske",
    "A colorize mask": "Eine Kolorierungsmaske",
    "This layer": "Diese Ebene",
    "The layer is locked: unlock it to filter it.":
        "Die Ebene ist gesperrt: Zum Filtern bitte entsperren.",
    "%s pixels cannot be filtered: convert the layer to RGB or gray.":
        "Pixel in %s können nicht gefiltert werden: Bitte die Ebene in RGB oder Graustufen "
        "umwandeln.",
    "Pixels of %s bits cannot be filtered.": "Pixel von %s Bit können nicht gefiltert werden.",
    "The selection is empty: there is nothing to filter.":
        "Die Auswahl ist leer: Es gibt nichts zu filtern.",
    # Failures
    "There is not enough space to hand the layer over: free some space in %s.":
        "Es fehlt der Platz, um die Ebene zu übergeben: Bitte in %s Platz schaffen.",
    "Sfumato's program sfumato-dialog is not installed.":
        "Sfumatos Programm sfumato-dialog ist nicht installiert.",
    "The layer \"%s\" cannot be handed over: %s": "Die Ebene „%s“ kann nicht übergeben werden: %s",
    "The layer cannot be handed over: %s": "Die Ebene kann nicht übergeben werden: %s",
    "the picture's size or the layer's place has changed":
        "Die Größe des Bildes oder der Platz der Ebene hat sich geändert.",
    "it is empty": "Sie ist leer.",
    "it is not there": "Sie ist nicht da.",
    "Sfumato's dialog cannot be started.": "Sfumatos Dialog kann nicht gestartet werden.",
    "Sfumato's dialog ended before it was done; the picture is unchanged.":
        "Sfumatos Dialog endete, bevor er fertig war; das Bild ist, wie es war.",
    "The result could not be taken over: %s": "Das Ergebnis konnte nicht übernommen werden: %s",
    "the document was closed": "Das Dokument wurde geschlossen.",
    "the layer was removed": "Die Ebene wurde entfernt.",
    "Krita did not take the pixels": "Krita hat die Pixel nicht angenommen.",
    "Krita did not take the layer": "Krita hat die Ebene nicht angenommen.",
    "the layer has the wrong number of pixels":
        "Die Ebene hat nicht so viele Pixel, wie sie haben sollte.",
    "the result does not match the request": "Das Ergebnis ist nicht das erbetene.",
    "the result cannot be read": "Das Ergebnis kann nicht gelesen werden.",
    "the result is incomplete": "Das Ergebnis ist unvollständig.",
}


def languages():
    """Krita's languages, preferred first, in the notation of LANGUAGE: ["de_DE", "de"]."""
    return [name.replace("-", "_") for name in QLocale().uiLanguages()]


def text(english):
    """`english` in the language of Krita's user, or unchanged without a translation."""
    best = languages()[:1]
    return _GERMAN.get(english, english) if best and best[0].split("_")[0] == "de" else english
