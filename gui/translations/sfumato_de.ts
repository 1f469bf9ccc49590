<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>Core</name>
    <message>
        <source>%1: there is no such file; check the name</source>
        <translation>%1: Diese Datei gibt es nicht; bitte den Namen prüfen</translation>
    </message>
    <message>
        <source>%1: the file cannot be read (%2); check its permissions</source>
        <translation>%1: Die Datei kann nicht gelesen werden (%2); bitte ihre Rechte prüfen</translation>
    </message>
    <message>
        <source>%1: the file cannot be read; check its permissions</source>
        <translation>%1: Die Datei kann nicht gelesen werden; bitte ihre Rechte prüfen</translation>
    </message>
    <message>
        <source>%1: the file may not be read (%2); check its permissions</source>
        <translation>%1: Die Datei darf nicht gelesen werden (%2); bitte ihre Rechte prüfen</translation>
    </message>
    <message>
        <source>%1: this is a folder; give a picture in it</source>
        <translation>%1: Das ist ein Ordner; bitte ein Bild darin angeben</translation>
    </message>
    <message>
        <source>%1: this is a folder; give the name of a file in it</source>
        <translation>%1: Das ist ein Ordner; bitte den Namen einer Datei darin angeben</translation>
    </message>
    <message>
        <source>%1: this is not an ordinary file; save the picture to one first</source>
        <translation>%1: Das ist keine gewöhnliche Datei; das Bild zuerst in einer speichern</translation>
    </message>
    <message>
        <source>%1: this is not an ordinary file; choose another name</source>
        <translation>%1: Das ist keine gewöhnliche Datei; bitte einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>%1: the file is empty; make it again</source>
        <translation>%1: Die Datei ist leer; bitte neu erzeugen</translation>
    </message>
    <message>
        <source>%1: symbolic links lead back to themselves; choose another name</source>
        <translation>%1: Die symbolischen Verknüpfungen führen auf sich selbst zurück; bitte einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>%1: this is not a picture in a format that can be read; convert it to PNG, TIFF or OpenEXR first</source>
        <translation>%1: Das ist kein Bild in einem lesbaren Format; bitte zuerst in PNG, TIFF oder OpenEXR umwandeln</translation>
    </message>
    <message>
        <source>%1: the %2 file is damaged, cut short or of an unknown variant (%3); make it again</source>
        <translation>%1: Die Datei (%2) ist beschädigt, abgeschnitten oder von unbekannter Art (%3); bitte neu erzeugen</translation>
    </message>
    <message>
        <source>%1: the file is damaged or cut short near row %2 of %3 (%4); make it again</source>
        <translation>%1: Die Datei ist nahe Zeile %2 von %3 beschädigt oder abgeschnitten (%4); bitte neu erzeugen</translation>
    </message>
    <message>
        <source>%1: the file is cut short: %2 pixels are promised, but not all are there; make it again</source>
        <translation>%1: Die Datei ist abgeschnitten: %2 Pixel sind angekündigt, aber nicht alle vorhanden; bitte neu erzeugen</translation>
    </message>
    <message>
        <source>%1: the file claims %2 pixels, more than the limit of %3; if it really is that large, raise the limit (--max-pixels)</source>
        <translation>%1: Die Datei nennt %2 Pixel, mehr als die Grenze von %3; ist sie wirklich so groß, die Grenze erhöhen</translation>
    </message>
    <message>
        <source>%1: its %2 pixels take %3 of memory, and %4 are free; close other programs or make the picture smaller</source>
        <translation>%1: Seine %2 Pixel brauchen %3 Speicher, frei sind %4; andere Programme schließen oder das Bild verkleinern</translation>
    </message>
    <message>
        <source>%1: the picture is in %2; convert it to RGB</source>
        <translation>%1: Das Bild liegt in %2 vor; bitte in RGB umwandeln</translation>
    </message>
    <message>
        <source>%1: the picture&apos;s profile is for %2; convert it to RGB</source>
        <translation>%1: Das Profil des Bildes gilt für %2; bitte in RGB umwandeln</translation>
    </message>
    <message>
        <source>%1: the installed OpenImageIO cannot read %2 files; convert it to PNG, TIFF or OpenEXR first</source>
        <translation>%1: Das installierte OpenImageIO kann Dateien der Art %2 nicht lesen; bitte zuerst in PNG, TIFF oder OpenEXR umwandeln</translation>
    </message>
    <message>
        <source>%1: there is no channel or layer %2; the file has %3</source>
        <translation>%1: Einen Kanal oder eine Ebene %2 gibt es nicht; die Datei enthält %3</translation>
    </message>
    <message>
        <source>%1: the file exists already; choose another name or allow overwriting (--overwrite)</source>
        <translation>%1: Die Datei gibt es schon; einen anderen Namen wählen oder das Überschreiben erlauben</translation>
    </message>
    <message>
        <source>%1: this is the input itself; choose another name or allow overwriting (--overwrite)</source>
        <translation>%1: Das ist das geöffnete Bild selbst; einen anderen Namen wählen oder das Überschreiben erlauben</translation>
    </message>
    <message>
        <source>%1: a file of this name has appeared meanwhile and was left as it is; choose another name or allow overwriting (--overwrite)</source>
        <translation>%1: Eine Datei dieses Namens ist inzwischen entstanden und blieb unberührt; einen anderen Namen wählen oder das Überschreiben erlauben</translation>
    </message>
    <message>
        <source>%1: there is no folder %2; make it first or choose another</source>
        <translation>%1: Den Ordner %2 gibt es nicht; zuerst anlegen oder einen anderen wählen</translation>
    </message>
    <message>
        <source>%1: the folder %2 may not be written to (%3); choose another</source>
        <translation>%1: In den Ordner %2 darf nicht geschrieben werden (%3); bitte einen anderen wählen</translation>
    </message>
    <message>
        <source>%1: no file can be made in the folder %2 (%3); choose a folder that you may write to</source>
        <translation>%1: Im Ordner %2 kann keine Datei angelegt werden (%3); bitte einen Ordner mit Schreibrecht wählen</translation>
    </message>
    <message>
        <source>%1: the file cannot be written (%2); free some space or choose another folder</source>
        <translation>%1: Die Datei kann nicht geschrieben werden (%2); Platz schaffen oder einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>%1: the file cannot be written (%2)</source>
        <translation>%1: Die Datei kann nicht geschrieben werden (%2)</translation>
    </message>
    <message>
        <source>%1: the file cannot be written to the disk (%2)</source>
        <translation>%1: Die Datei kann nicht auf den Datenträger geschrieben werden (%2)</translation>
    </message>
    <message>
        <source>%1: the file cannot be written whole; free some space or choose another folder</source>
        <translation>%1: Die Datei kann nicht vollständig geschrieben werden; Platz schaffen oder einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>%1: the %2 file cannot be written (%3); free some space or choose another folder</source>
        <translation>%1: Die Datei (%2) kann nicht geschrieben werden (%3); Platz schaffen oder einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>%1: the %2 file cannot be written (%3); choose another format</source>
        <translation>%1: Die Datei (%2) kann nicht geschrieben werden (%3); bitte ein anderes Format wählen</translation>
    </message>
    <message>
        <source>%1: the finished file cannot be given its name (%2)</source>
        <translation>%1: Die fertige Datei kann ihren Namen nicht erhalten (%2)</translation>
    </message>
    <message>
        <source>%1: the name has no extension to choose the format by; use %2</source>
        <translation>%1: Der Name hat keine Endung, die das Format bestimmt; möglich sind %2</translation>
    </message>
    <message>
        <source>%1: files ending in %2 cannot be written; use %3</source>
        <translation>%1: Dateien mit der Endung %2 können nicht geschrieben werden; möglich sind %3</translation>
    </message>
    <message>
        <source>%1: %2 holds %3 numbers, not %4; choose another depth or another format</source>
        <translation>%1: %2 speichert Zahlen als %3, nicht als %4; eine andere Farbtiefe oder ein anderes Format wählen</translation>
    </message>
    <message>
        <source>%1: %2 holds pictures of up to %3 pixels a side; choose TIFF, PNG or OpenEXR</source>
        <translation>%1: %2 fasst Bilder bis %3 Pixel Seitenlänge; bitte TIFF, PNG oder OpenEXR wählen</translation>
    </message>
    <message>
        <source>%1: the %2 (%3) cannot be laid on %4 (%5); give one of the same size</source>
        <translation>%1: Das Bild für %2 (%3) passt nicht auf %4 (%5); bitte eines derselben Größe angeben</translation>
    </message>
    <message>
        <source>%1: the %2 (%3) lies beside %4 (%5), and they have no pixel in common; give one that lies on it</source>
        <translation>%1: Das Bild für %2 (%3) liegt neben %4 (%5) und hat kein Pixel mit ihm gemeinsam; bitte eines angeben, das darauf liegt</translation>
    </message>
    <message>
        <source>the %1 picture is %2 pixels, but the picture is %3; both must have the same size</source>
        <translation>Das Bild für %1 hat %2 Pixel, das Bild selbst %3; beide müssen gleich groß sein</translation>
    </message>
    <message>
        <source>the %1 picture lies beside the picture: they have no pixel in common</source>
        <translation>Das Bild für %1 liegt neben dem Bild: Sie haben kein Pixel gemeinsam</translation>
    </message>
    <message>
        <source>%1 needs a picture for its role %2</source>
        <translation>%1 braucht ein Bild für die Rolle %2</translation>
    </message>
    <message>
        <source>%1 failed (%2); going on with %3</source>
        <translation>%1 ist ausgefallen (%2); weiter geht es mit %3</translation>
    </message>
    <message>
        <source>%1 ran out of memory; going on with smaller tiles</source>
        <translation>%1 hat nicht genug Speicher; weiter geht es mit kleineren Kacheln</translation>
    </message>
    <message>
        <source>no OpenCL device can compute this: going on without one, which takes about %1 s</source>
        <translation>Kein OpenCL-Gerät kann das berechnen: Es geht ohne weiter, was etwa %1 s dauert</translation>
    </message>
    <message>
        <source>reference (no OpenCL)</source>
        <translation>Referenz (ohne OpenCL)</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>step %1 (%2): %3</source>
        <translation>Schritt %1 (%2): %3</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>unknown filter %1</source>
        <translation>unbekannter Filter %1</translation>
    </message>
    <message>
        <source>recipe needs %1 version %2; this program knows version %3: update Sfumato</source>
        <translation>Das Rezept braucht %1 in Version %2; dieses Programm kennt Version %3: bitte Sfumato aktualisieren</translation>
    </message>
    <message>
        <source>the recipe has format version %1; this program knows version %2: update Sfumato</source>
        <translation>Das Rezept hat die Formatversion %1; dieses Programm kennt Version %2: bitte Sfumato aktualisieren</translation>
    </message>
    <message>
        <source>this is not a Sfumato recipe: it has no &quot;sfumato&quot; version</source>
        <translation>Das ist kein Rezept von Sfumato: Die Versionsangabe &quot;sfumato&quot; fehlt</translation>
    </message>
    <message>
        <source>this is not a Sfumato recipe: it is no JSON object</source>
        <translation>Das ist kein Rezept von Sfumato: Es ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>the recipe has no &quot;steps&quot;</source>
        <translation>Das Rezept hat keine Schritte (&quot;steps&quot;)</translation>
    </message>
    <message>
        <source>the recipe&apos;s &quot;steps&quot; must be an array</source>
        <translation>Die Schritte des Rezepts (&quot;steps&quot;) müssen eine Liste sein</translation>
    </message>
    <message>
        <source>the recipe&apos;s &quot;steps&quot; are empty: it does nothing</source>
        <translation>Die Schritte des Rezepts (&quot;steps&quot;) sind leer: Es tut nichts</translation>
    </message>
    <message>
        <source>the recipe cannot be read: %1</source>
        <translation>Das Rezept kann nicht gelesen werden: %1</translation>
    </message>
    <message>
        <source>a recipe without steps does nothing</source>
        <translation>Ein Rezept ohne Schritte tut nichts</translation>
    </message>
    <message>
        <source>a preset needs a name</source>
        <translation>Eine Vorgabe braucht einen Namen</translation>
    </message>
    <message>
        <source>there is a preset %1 already; choose another name</source>
        <translation>Eine Vorgabe %1 gibt es schon; bitte einen anderen Namen wählen</translation>
    </message>
    <message>
        <source>cannot write %1; check the folder&apos;s permissions and the room left</source>
        <translation>%1 kann nicht geschrieben werden; bitte die Rechte des Ordners und den freien Platz prüfen</translation>
    </message>
    <message>
        <source>cannot delete %1: %2</source>
        <translation>%1 kann nicht gelöscht werden: %2</translation>
    </message>
    <message>
        <source>unknown parameter %1 of %2; there are %3</source>
        <translation>unbekannter Parameter %1 von %2; es gibt %3</translation>
    </message>
    <message>
        <source>unknown parameter %1 of %2</source>
        <translation>unbekannter Parameter %1 von %2</translation>
    </message>
    <message>
        <source>%1: %2 is outside %3 to %4</source>
        <translation>%1: %2 liegt außerhalb von %3 bis %4</translation>
    </message>
    <message>
        <source>%1: %2 is not allowed; give a number from %3 to %4</source>
        <translation>%1: %2 ist nicht erlaubt; bitte eine Zahl von %3 bis %4 angeben</translation>
    </message>
    <message>
        <source>%1: %2 is not allowed; give a number of at least %3</source>
        <translation>%1: %2 ist nicht erlaubt; bitte eine Zahl ab %3 angeben</translation>
    </message>
    <message>
        <source>%1: %2 is not allowed; give a number of at most %3</source>
        <translation>%1: %2 ist nicht erlaubt; bitte eine Zahl bis %3 angeben</translation>
    </message>
    <message>
        <source>%1: %2 is not one of %3</source>
        <translation>%1: %2 gehört nicht zu %3</translation>
    </message>
    <message>
        <source>%1: %2 is not a number; write rows like &quot;0 -1 0; -1 5 -1; 0 -1 0&quot;</source>
        <translation>%1: %2 ist keine Zahl; Zeilen schreiben wie &quot;0 -1 0; -1 5 -1; 0 -1 0&quot;</translation>
    </message>
    <message>
        <source>%1: %2 is not a matrix; write as many numbers in every row, like &quot;0 -1 0; -1 5 -1; 0 -1 0&quot;</source>
        <translation>%1: %2 ist keine Matrix; in jede Zeile gleich viele Zahlen schreiben, wie &quot;0 -1 0; -1 5 -1; 0 -1 0&quot;</translation>
    </message>
    <message>
        <source>%1: a matrix of %2 is larger than %3</source>
        <translation>%1: Eine Matrix von %2 ist größer als %3</translation>
    </message>
    <message>
        <source>%1: a matrix of %2 has no middle; both sizes must be odd</source>
        <translation>%1: Eine Matrix von %2 hat keine Mitte; beide Größen müssen ungerade sein</translation>
    </message>
    <message>
        <source>%1: a matrix needs at least one row and one column</source>
        <translation>%1: Eine Matrix braucht mindestens eine Zeile und eine Spalte</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>Datei oder Ordner nicht gefunden</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>keine Berechtigung</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>nicht erlaubt</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>kein Platz mehr auf dem Datenträger</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>Speicherkontingent erschöpft</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>Datei zu groß</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>Dateiname zu lang</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>Dateisystem nur lesbar</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>Ein-/Ausgabefehler</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>zu viele offene Dateien</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>war %1 gemeint?</translation>
    </message>
    <message>
        <source>%1: the file exists already</source>
        <translation>%1: Die Datei gibt es schon</translation>
    </message>
    <message>
        <source>%1: the input itself</source>
        <translation>%1: Das ist die Eingabe selbst</translation>
    </message>
    <message>
        <source>%1: itself an input of this batch</source>
        <translation>%1: Selbst eine Eingabe dieses Stapels</translation>
    </message>
    <message>
        <source>%1: the output of both %2 and %3</source>
        <translation>%1: Ausgabe sowohl von %2 als auch von %3</translation>
    </message>
    <message>
        <source>an output cannot have its name, so nothing was begun; skip, rename or overwrite existing files (--existing), resume an earlier run (--resume), or give other names (--name)</source>
        <translation>Eine Ausgabe kann ihren Namen nicht haben, daher wurde nichts begonnen; vorhandene Dateien auslassen, umbenennen oder ersetzen (--existing), einen früheren Lauf fortsetzen (--resume) oder andere Namen geben (--name)</translation>
    </message>
    <message>
        <source>%1 outputs cannot have their names, so nothing was begun; skip, rename or overwrite existing files (--existing), resume an earlier run (--resume), or give other names (--name)</source>
        <translation>%1 Ausgaben können ihre Namen nicht haben, daher wurde nichts begonnen; vorhandene Dateien auslassen, umbenennen oder ersetzen (--existing), einen früheren Lauf fortsetzen (--resume) oder andere Namen geben (--name)</translation>
    </message>
    <message>
        <source>%1: another batch is at work in this folder; wait for its end</source>
        <translation>%1: In diesem Ordner arbeitet ein anderer Stapel; auf sein Ende warten</translation>
    </message>
    <message>
        <source>%1: the journal cannot be written (%2); choose a folder that you may write to</source>
        <translation>%1: Das Journal kann nicht geschrieben werden (%2); einen Ordner wählen, in den geschrieben werden darf</translation>
    </message>
    <message>
        <source>%1: the journal cannot be written (%2); make room and resume</source>
        <translation>%1: Das Journal kann nicht geschrieben werden (%2); Platz schaffen und fortsetzen</translation>
    </message>
    <message>
        <source>%1: the journal cannot be read</source>
        <translation>%1: Das Journal kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>%1: there is no such file or folder; check the name</source>
        <translation>%1: Die Datei oder den Ordner gibt es nicht; den Namen prüfen</translation>
    </message>
    <message>
        <source>%1: there are no pictures in this folder</source>
        <translation>%1: In diesem Ordner sind keine Bilder</translation>
    </message>
    <message>
        <source>%1: no file has such a name</source>
        <translation>%1: Keine Datei heißt so</translation>
    </message>
    <message>
        <source>%1: the folder cannot be read (%2); its pictures are left out</source>
        <translation>%1: Der Ordner kann nicht gelesen werden (%2); seine Bilder werden ausgelassen</translation>
    </message>
    <message>
        <source>%1: this is a file; name a folder for the outputs</source>
        <translation>%1: Das ist eine Datei; einen Ordner für die Ergebnisse angeben</translation>
    </message>
    <message>
        <source>no step of the recipe takes a picture as %1</source>
        <translation>Kein Schritt des Rezepts nimmt ein Bild als %1</translation>
    </message>
    <message>
        <source>a recipe of several steps takes no mask; write it into the step that it is for</source>
        <translation>Ein Rezept aus mehreren Schritten nimmt keine Maske; sie in den Schritt schreiben, für den sie ist</translation>
    </message>
    <message>
        <source>there is not enough memory for this picture</source>
        <translation>Für dieses Bild reicht der Speicher nicht</translation>
    </message>
    <message>
        <source>the name template is empty; such as {stem}_{recipe}.{ext}</source>
        <translation>Die Namensvorlage ist leer; etwa {stem}_{recipe}.{ext}</translation>
    </message>
    <message>
        <source>the name template %1 opens a brace that is not closed; write {{ for a brace itself</source>
        <translation>Die Namensvorlage %1 öffnet eine Klammer, die nicht geschlossen wird; {{ steht für die Klammer selbst</translation>
    </message>
    <message>
        <source>the name template %1 closes a brace that was not opened; write }} for a brace itself</source>
        <translation>Die Namensvorlage %1 schließt eine Klammer, die nicht geöffnet wurde; }} steht für die Klammer selbst</translation>
    </message>
    <message>
        <source>the name template&apos;s field {%1} takes 1 to %2 digits</source>
        <translation>Das Feld {%1} der Namensvorlage nimmt 1 bis %2 Stellen</translation>
    </message>
    <message>
        <source>the name template&apos;s field {%1} has no number whose digits could be told</source>
        <translation>Das Feld {%1} der Namensvorlage hat keine Zahl, deren Stellen man angeben könnte</translation>
    </message>
    <message>
        <source>there is no field {%1} for names; did you mean %2?; there are %3</source>
        <translation>Es gibt kein Feld {%1} für Namen; meinten Sie %2?; es gibt %3</translation>
    </message>
    <message>
        <source>there is no field {%1} for names; there are %2</source>
        <translation>Es gibt kein Feld {%1} für Namen; es gibt %2</translation>
    </message>
    <message>
        <source>%1 is no frame of a sequence, which the name template&apos;s {frame} asks for</source>
        <translation>%1 ist kein Bild einer Folge, wonach {frame} in der Namensvorlage verlangt</translation>
    </message>
    <message>
        <source>the name %1 leads out of the output&apos;s folder by &quot;..&quot;</source>
        <translation>Der Name %1 führt mit „..“ aus dem Ordner der Ergebnisse hinaus</translation>
    </message>
    <message>
        <source>%1: the movie cannot be read (%2); make it again</source>
        <translation>%1: Der Film kann nicht gelesen werden (%2); ihn neu erstellen</translation>
    </message>
    <message>
        <source>%1: the file holds no movie</source>
        <translation>%1: Die Datei enthält keinen Film</translation>
    </message>
    <message>
        <source>%1: the movie ends at picture %2, before %3</source>
        <translation>%1: Der Film endet bei Bild %2, vor %3</translation>
    </message>
    <message>
        <source>%1: the movie has more pixels than the limit of %2; if it really is that large, raise the limit (--max-pixels)</source>
        <translation>%1: Der Film hat mehr Pixel als die Grenze von %2; wenn er wirklich so groß ist, die Grenze anheben (--max-pixels)</translation>
    </message>
    <message>
        <source>%1: the movie is for HDR displays (PQ or HLG); its numbers are taken for sRGB&apos;s, and its brightness will look wrong</source>
        <translation>%1: Der Film ist für HDR-Bildschirme (PQ oder HLG); seine Zahlen gelten als die von sRGB, und seine Helligkeit wird falsch aussehen</translation>
    </message>
    <message>
        <source>the program %1 cannot be started (%2); install Debian&apos;s package ffmpeg</source>
        <translation>Das Programm %1 lässt sich nicht starten (%2); Debians Paket ffmpeg installieren</translation>
    </message>
    <message>
        <source>the program %1 cannot be started (%2)</source>
        <translation>Das Programm %1 lässt sich nicht starten (%2)</translation>
    </message>
    <message>
        <source>%1: all pictures there were made by earlier batches of what is there; name files themselves to filter them again</source>
        <translation>%1: Alle Bilder dort stammen aus früheren Stapeln über das, was dort ist; die Dateien selbst nennen, um sie noch einmal zu filtern</translation>
    </message>
    <message>
        <source>the %1 picture covers only %2 x %3 pixels, from (%4, %5) on, of the %6 of the picture; elsewhere the picture stays as it is</source>
        <translation>Das Bild für %1 deckt nur %2 x %3 Pixel, von (%4, %5) an, der %6 des Bildes; anderswo bleibt das Bild, wie es ist</translation>
    </message>
    <message>
        <source>the %1 picture covers only %2 x %3 pixels, from (%4, %5) on, of the %6 of the picture; elsewhere it counts as 0</source>
        <translation>Das Bild für %1 deckt nur %2 x %3 Pixel, von (%4, %5) an, der %6 des Bildes; anderswo zählt es als 0</translation>
    </message>
    <message>
        <source>%1: the %2 picture has %3 channels; the first one is taken</source>
        <translation>%1: Das Bild für %2 hat %3 Kanäle; der erste wird genommen</translation>
    </message>
    <message>
        <source>the %1 picture has %2 channels; the first one is taken</source>
        <translation>Das Bild für %1 hat %2 Kanäle; der erste wird genommen</translation>
    </message>
    <message>
        <source>the %1 picture has 1 channel, but a normal has 3 (x, y, z); give a picture that has them</source>
        <translation>Das Bild für %1 hat 1 Kanal, aber eine Normale hat 3 (x, y, z); bitte ein Bild mit diesen wählen</translation>
    </message>
    <message>
        <source>the %1 picture has %2 channels, but a normal has 3 (x, y, z); give a picture that has them</source>
        <translation>Das Bild für %1 hat %2 Kanäle, aber eine Normale hat 3 (x, y, z); bitte ein Bild mit diesen wählen</translation>
    </message>
    <message>
        <source>%1: itself a picture that this batch takes for a role</source>
        <translation>%1: selbst ein Bild, das dieser Stapel für eine Rolle nimmt</translation>
    </message>
    <message>
        <source>%1: changed since %2 was made of it, which is left as it is</source>
        <translation>%1: geändert, seit %2 daraus gemacht wurde; das Ergebnis bleibt, wie es ist</translation>
    </message>
    <message>
        <source>%1: another batch has worked in this folder meanwhile; start this one again</source>
        <translation>%1: In diesem Ordner hat inzwischen ein anderer Stapel gearbeitet; diesen noch einmal starten</translation>
    </message>
    <message>
        <source>the range of frames %1 ends before it begins</source>
        <translation>Der Bereich der Bilder %1 endet, bevor er beginnt</translation>
    </message>
    <message>
        <source>%1: frames that are not there: %2</source>
        <translation>%1: Diese Bilder der Folge fehlen: %2</translation>
    </message>
    <message>
        <source>%1: there are no pictures in this folder; look into the folders in it too (--recursive)</source>
        <translation>%1: In diesem Ordner sind keine Bilder; auch in den Ordnern darin suchen</translation>
    </message>
    <message>
        <source>a name template holds no zero bytes</source>
        <translation>Eine Namensvorlage enthält keine Nullbytes</translation>
    </message>
    <message>
        <source>the name template %1 makes no name of %2</source>
        <translation>Die Namensvorlage %1 macht aus %2 keinen Namen</translation>
    </message>
    <message>
        <source>no files or folders were given</source>
        <translation>Es wurden keine Dateien oder Ordner angegeben</translation>
    </message>
    <message>
        <source>the tuning table %1 is not used: %2</source>
        <translation>Die Abstimmungstabelle %1 wird nicht verwendet: %2</translation>
    </message>
    <message>
        <source>it is no tuning table</source>
        <translation>sie ist keine Abstimmungstabelle</translation>
    </message>
    <message>
        <source>it is a tuning table of another version</source>
        <translation>sie ist eine Abstimmungstabelle einer anderen Version</translation>
    </message>
    <message>
        <source>it lists no devices</source>
        <translation>sie führt keine Geräte auf</translation>
    </message>
    <message>
        <source>%1 is not used: %2</source>
        <translation>%1 wird nicht verwendet: %2</translation>
    </message>
    <message>
        <source>it failed its self-test: %1</source>
        <translation>der Selbsttest schlug fehl: %1</translation>
    </message>
    <message>
        <source>its result differs from the reference by %1</source>
        <translation>das Ergebnis weicht um %1 von der Referenz ab</translation>
    </message>
    <message>
        <source>%1; raise the limit (--memory)</source>
        <translation>%1; die Grenze erhöhen</translation>
    </message>
    <message>
        <source>%1; no more memory can be had here</source>
        <translation>%1; mehr Speicher gibt es hier nicht</translation>
    </message>
    <message>
        <source>a memory limit of %1 MB is more than can be had here: %2 MB are taken, as this program may use %3 MB in all</source>
        <translation>Eine Speichergrenze von %1 MB ist mehr, als es hier gibt: %2 MB werden genommen, weil dieses Programm insgesamt %3 MB belegen darf</translation>
    </message>
    <message>
        <source>not even a tile of 16 rows fits into %1 MB of device memory</source>
        <translation>Nicht einmal eine Kachel von 16 Zeilen passt in %1 MB Gerätespeicher</translation>
    </message>
    <message>
        <source>the device memory limit of %1 MB is too small for this tile</source>
        <translation>Die Grenze von %1 MB Gerätespeicher ist zu klein für diese Kachel</translation>
    </message>
    <message>
        <source>the device refused %1 MB (%2)</source>
        <translation>Das Gerät gab keine %1 MB her (%2)</translation>
    </message>
    <message>
        <source>VkFFT has no plan for %1 x %2 (code %3)</source>
        <translation>VkFFT hat keinen Plan für %1 x %2 (Code %3)</translation>
    </message>
    <message>
        <source>VkFFT failed to run (code %1)</source>
        <translation>VkFFT lief nicht (Code %1)</translation>
    </message>
    <message>
        <source>VkFFT computes %1 x %2 wrongly here</source>
        <translation>VkFFT rechnet %1 x %2 hier falsch</translation>
    </message>
    <message>
        <source>checking a Fourier plan failed (%1)</source>
        <translation>Ein Plan für Fourier-Transformationen ließ sich nicht prüfen (%1)</translation>
    </message>
    <message>
        <source>mapping pixels failed (%1)</source>
        <translation>Pixel ließen sich nicht einblenden (%1)</translation>
    </message>
    <message>
        <source>unmapping pixels failed (%1)</source>
        <translation>Pixel ließen sich nicht ausblenden (%1)</translation>
    </message>
    <message>
        <source>making an image failed (%1)</source>
        <translation>Ein Bild ließ sich auf dem Gerät nicht anlegen (%1)</translation>
    </message>
    <message>
        <source>opening a queue on %1 failed (%2)</source>
        <translation>Eine Warteschlange auf %1 ließ sich nicht öffnen (%2)</translation>
    </message>
    <message>
        <source>opening %1 failed (%2)</source>
        <translation>%1 ließ sich nicht öffnen (%2)</translation>
    </message>
    <message>
        <source>writing to %1 failed (%2)</source>
        <translation>Auf %1 ließ sich nicht schreiben (%2)</translation>
    </message>
    <message>
        <source>reading from %1 failed (%2)</source>
        <translation>Von %1 ließ sich nicht lesen (%2)</translation>
    </message>
    <message>
        <source>waiting for %1 failed (%2)</source>
        <translation>Das Warten auf %1 schlug fehl (%2)</translation>
    </message>
    <message>
        <source>%1 failed (%2)</source>
        <translation>%1 schlug fehl (%2)</translation>
    </message>
    <message>
        <source>%1: argument %2 (%3)</source>
        <translation>%1: Argument %2 (%3)</translation>
    </message>
    <message>
        <source>%1: %2 bytes of local memory</source>
        <translation>%1: %2 Byte lokaler Speicher</translation>
    </message>
    <message>
        <source>%1.cl: no kernel %2 (%3)</source>
        <translation>%1.cl: kein Kernel %2 (%3)</translation>
    </message>
    <message>
        <source>%1.cl does not build with &quot;%2&quot;: %3</source>
        <translation>%1.cl lässt sich mit &quot;%2&quot; nicht übersetzen: %3</translation>
    </message>
    <message>
        <source>OpenCL status %1</source>
        <translation>OpenCL-Status %1</translation>
    </message>
    <message>
        <source>the preset %1 is built in and cannot be renamed; save a copy under another name</source>
        <translation>Die Vorgabe %1 ist eingebaut und kann nicht umbenannt werden; eine Kopie unter anderem Namen speichern</translation>
    </message>
    <message>
        <source>the preset %1 is built in and cannot be deleted; save a copy under another name</source>
        <translation>Die Vorgabe %1 ist eingebaut und kann nicht gelöscht werden; eine Kopie unter anderem Namen speichern</translation>
    </message>
    <message>
        <source>the preset %1 cannot be used: %2</source>
        <translation>Die Vorgabe %1 kann nicht verwendet werden: %2</translation>
    </message>
    <message>
        <source>the built-in preset %1: %2</source>
        <translation>Die eingebaute Vorgabe %1: %2</translation>
    </message>
    <message>
        <source>a preset&apos;s file needs a name of at most 60 plain characters</source>
        <translation>Die Datei einer Vorgabe braucht einen Namen aus höchstens 60 gewöhnlichen Zeichen</translation>
    </message>
    <message>
        <source>it cannot be read (%1)</source>
        <translation>sie kann nicht gelesen werden (%1)</translation>
    </message>
    <message>
        <source>it cannot be read; check its permissions</source>
        <translation>sie kann nicht gelesen werden; bitte ihre Rechte prüfen</translation>
    </message>
    <message>
        <source>it cannot be read</source>
        <translation>sie kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>it is too large for a recipe</source>
        <translation>sie ist zu groß für ein Rezept</translation>
    </message>
    <message>
        <source>the recipe cannot be written: %1</source>
        <translation>Das Rezept kann nicht geschrieben werden: %1</translation>
    </message>
    <message>
        <source>the recipe&apos;s &quot;sfumato&quot; version must be a whole number from 1</source>
        <translation>Die Versionsangabe &quot;sfumato&quot; des Rezepts muss eine ganze Zahl ab 1 sein</translation>
    </message>
    <message>
        <source>the recipe has %1 steps; %2 are the most</source>
        <translation>Das Rezept hat %1 Schritte; höchstens %2 sind möglich</translation>
    </message>
    <message>
        <source>it has no &quot;filter&quot;</source>
        <translation>&quot;filter&quot; fehlt</translation>
    </message>
    <message>
        <source>&quot;filter&quot; must be a text</source>
        <translation>&quot;filter&quot; muss ein Text sein</translation>
    </message>
    <message>
        <source>it must be an object with &quot;filter&quot; and &quot;values&quot;</source>
        <translation>es muss ein Objekt mit &quot;filter&quot; und &quot;values&quot; sein</translation>
    </message>
    <message>
        <source>&quot;version&quot; must be a whole number from 1</source>
        <translation>&quot;version&quot; muss eine ganze Zahl ab 1 sein</translation>
    </message>
    <message>
        <source>&quot;enabled&quot; must be true or false</source>
        <translation>&quot;enabled&quot; muss true oder false sein</translation>
    </message>
    <message>
        <source>&quot;values&quot; must be an object of names and values</source>
        <translation>&quot;values&quot; muss ein Objekt aus Namen und Werten sein</translation>
    </message>
    <message>
        <source>its values could not be taken from version %1 to %2: %3</source>
        <translation>seine Werte ließen sich nicht von Version %1 in Version %2 übernehmen: %3</translation>
    </message>
    <message>
        <source>line %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
    <message>
        <source>the name %1 is given twice in one object</source>
        <translation>Der Name %1 steht zweimal in einem Objekt</translation>
    </message>
    <message>
        <source>it nests deeper than %1 levels</source>
        <translation>es ist tiefer verschachtelt als %1 Ebenen</translation>
    </message>
    <message>
        <source>it is larger than %1 MiB</source>
        <translation>es ist größer als %1 MiB</translation>
    </message>
    <message>
        <source>the text is not valid UTF-8</source>
        <translation>der Text ist kein gültiges UTF-8</translation>
    </message>
    <message>
        <source>a text in it is not valid UTF-8</source>
        <translation>ein Text darin ist kein gültiges UTF-8</translation>
    </message>
    <message>
        <source>unexpected %1; expected %2</source>
        <translation>unerwartet: %1; erwartet: %2</translation>
    </message>
    <message>
        <source>unexpected %1</source>
        <translation>unerwartet: %1</translation>
    </message>
    <message>
        <source>invalid literal</source>
        <translation>kein gültiges Wort</translation>
    </message>
    <message>
        <source>end of input</source>
        <translation>Ende der Eingabe</translation>
    </message>
    <message>
        <source>unknown parameter %1; there are %2</source>
        <translation>unbekannter Parameter %1; es gibt %2</translation>
    </message>
    <message>
        <source>unknown parameter %1 of %2; there are none</source>
        <translation>unbekannter Parameter %1 von %2; es gibt keine</translation>
    </message>
    <message>
        <source>unknown parameter %1; there are none</source>
        <translation>unbekannter Parameter %1; es gibt keine</translation>
    </message>
    <message>
        <source>%1: %2 is not allowed; %3</source>
        <translation>%1: %2 ist nicht erlaubt; %3</translation>
    </message>
    <message>
        <source>%1: %2 is beyond what a number can hold; %3</source>
        <translation>%1: %2 ist mehr, als eine Zahl fassen kann; %3</translation>
    </message>
    <message>
        <source>%1: %2 is not a number; %3</source>
        <translation>%1: %2 ist keine Zahl; %3</translation>
    </message>
    <message>
        <source>%1: %2 is not a whole number; %3</source>
        <translation>%1: %2 ist keine ganze Zahl; %3</translation>
    </message>
    <message>
        <source>give a number from %1 to %2</source>
        <translation>bitte eine Zahl von %1 bis %2 angeben</translation>
    </message>
    <message>
        <source>give a number of at least %1</source>
        <translation>bitte eine Zahl ab %1 angeben</translation>
    </message>
    <message>
        <source>give a number of at most %1</source>
        <translation>bitte eine Zahl bis %1 angeben</translation>
    </message>
    <message>
        <source>give a number of any size</source>
        <translation>bitte irgendeine Zahl angeben</translation>
    </message>
    <message>
        <source>%1: %2 is outside at least %3</source>
        <translation>%1: %2 liegt außerhalb; mindestens %3 muss es sein</translation>
    </message>
    <message>
        <source>%1: %2 is outside at most %3</source>
        <translation>%1: %2 liegt außerhalb; höchstens %3 darf es sein</translation>
    </message>
    <message>
        <source>%1: %2 is neither yes nor no</source>
        <translation>%1: %2 ist weder yes noch no</translation>
    </message>
    <message>
        <source>%1: %2 is not a gradient; write stops like &quot;0 #000000; 1 #ffffff&quot;</source>
        <translation>%1: %2 ist kein Verlauf; Stufen schreiben wie &quot;0 #000000; 1 #ffffff&quot;</translation>
    </message>
    <message>
        <source>%1: %2 is not a curve; write points like &quot;0 0; 0.5 0.7; 1 1&quot;</source>
        <translation>%1: %2 ist keine Kurve; Punkte schreiben wie &quot;0 0; 0.5 0.7; 1 1&quot;</translation>
    </message>
    <message>
        <source>%1: %2 is not a colour; write &quot;#rrggbb&quot;, or red, green, blue and perhaps alpha as numbers with spaces between</source>
        <translation>%1: %2 ist keine Farbe; &quot;#rrggbb&quot; schreiben oder Rot, Grün, Blau und vielleicht Alpha als Zahlen mit Leerzeichen dazwischen</translation>
    </message>
    <message>
        <source>%1: a gradient needs at least one stop</source>
        <translation>%1: Ein Verlauf braucht mindestens eine Stufe</translation>
    </message>
    <message>
        <source>%1: position %2 comes after %3; give the stops from left to right</source>
        <translation>%1: Die Stelle %2 kommt nach %3; bitte die Stufen von links nach rechts angeben</translation>
    </message>
    <message>
        <source>%1: a curve needs at least two points</source>
        <translation>%1: Eine Kurve braucht mindestens zwei Punkte</translation>
    </message>
    <message>
        <source>%1: x %2 comes after %3; x must rise</source>
        <translation>%1: x %2 kommt nach %3; x muss steigen</translation>
    </message>
    <message>
        <source>%1: a matrix of %2 does not hold %3 numbers</source>
        <translation>%1: Eine Matrix von %2 hat nicht %3 Zahlen</translation>
    </message>
    <message>
        <source>%1: a path cannot hold NUL</source>
        <translation>%1: Ein Pfad kann kein NUL enthalten</translation>
    </message>
    <message>
        <source>%1: channels %2 have no file</source>
        <translation>%1: Zu den Kanälen %2 fehlt die Datei</translation>
    </message>
    <message>
        <source>%1: channels %2 lack a name between commas</source>
        <translation>%1: Den Kanälen %2 fehlt ein Name zwischen Kommas</translation>
    </message>
    <message>
        <source>%1: %2 are not names of channels</source>
        <translation>%1: %2 sind keine Namen von Kanälen</translation>
    </message>
    <message>
        <source>%1: its kind is %2, not %3</source>
        <translation>%1: Seine Art ist %2, nicht %3</translation>
    </message>
    <message>
        <source>%1: %2 is not a number</source>
        <translation>%1: %2 ist keine Zahl</translation>
    </message>
    <message>
        <source>%1: %2 is not a whole number</source>
        <translation>%1: %2 ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>%1: %2 is not a text</source>
        <translation>%1: %2 ist kein Text</translation>
    </message>
    <message>
        <source>%1: %2 is not true or false</source>
        <translation>%1: %2 ist weder true noch false</translation>
    </message>
    <message>
        <source>%1: %2 is not a colour; give [red, green, blue, alpha]</source>
        <translation>%1: %2 ist keine Farbe; bitte [rot, grün, blau, alpha] angeben</translation>
    </message>
    <message>
        <source>%1: %2 is not a gradient; give [{&quot;position&quot;: ..., &quot;color&quot;: [...]}, ...]</source>
        <translation>%1: %2 ist kein Verlauf; bitte [{&quot;position&quot;: ..., &quot;color&quot;: [...]}, ...] angeben</translation>
    </message>
    <message>
        <source>%1: %2 is not a curve; give [[x, y], ...]</source>
        <translation>%1: %2 ist keine Kurve; bitte [[x, y], ...] angeben</translation>
    </message>
    <message>
        <source>%1: %2 is not a matrix; give an array of rows that are equally long</source>
        <translation>%1: %2 ist keine Matrix; bitte eine Liste gleich langer Zeilen angeben</translation>
    </message>
    <message>
        <source>%1: %2 is not an image; give {&quot;path&quot;: ..., &quot;channels&quot;: ...} or null</source>
        <translation>%1: %2 ist kein Bild; bitte {&quot;path&quot;: ..., &quot;channels&quot;: ...} oder null angeben</translation>
    </message>
    <message>
        <source>%1: an image has no %2</source>
        <translation>%1: Ein Bild hat kein %2</translation>
    </message>
    <message>
        <source>values must be an object of names and values, not %1</source>
        <translation>Die Werte müssen ein Objekt aus Namen und Werten sein, nicht %1</translation>
    </message>
    <message>
        <source>%1 degrees</source>
        <translation>%1 Grad</translation>
    </message>
    <message>
        <source>red %1</source>
        <translation>Rot %1</translation>
    </message>
    <message>
        <source>green %1</source>
        <translation>Grün %1</translation>
    </message>
    <message>
        <source>blue %1</source>
        <translation>Blau %1</translation>
    </message>
    <message>
        <source>alpha %1</source>
        <translation>Alpha %1</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>Stelle %1</translation>
    </message>
    <message>
        <source>an array</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>ein Objekt</translation>
    </message>
    <message>
        <source>no OpenCL device fits &quot;%1&quot;; choose another in the preferences</source>
        <translation>Kein OpenCL-Gerät passt zu &quot;%1&quot;; bitte in den Einstellungen ein anderes wählen</translation>
    </message>
    <message>
        <source>there is no filter %1</source>
        <translation>Es gibt keinen Filter %1</translation>
    </message>
    <message>
        <source>the picture has samples that are not finite numbers; they are read as 0</source>
        <translation>Das Bild hat Werte, die keine endlichen Zahlen sind; sie werden als 0 gelesen</translation>
    </message>
    <message>
        <source>White: it must be above Black; to turn the picture negative, exchange Output black and Output white</source>
        <translation>Weiß: Der Wert muss über Schwarz liegen; um das Bild ins Negativ zu kehren, Ausgabe Schwarz und Ausgabe Weiß vertauschen</translation>
    </message>
    <message>
        <source>Low threshold: it must not be above High threshold; equal ones make a single threshold</source>
        <translation>Untere Schwelle: Der Wert darf nicht über Obere Schwelle liegen; gleiche Werte geben eine einzige Schwelle</translation>
    </message>
    <message>
        <source>High cutoff: it must be above Cutoff, where the band begins</source>
        <translation>Obere Grenzfrequenz: Der Wert muss über Grenzfrequenz liegen, wo das Band beginnt</translation>
    </message>
    <message>
        <source>Method: Fast is for the distance Colour</source>
        <translation>Methode: Schnell gibt es nur für den Abstand Farbe</translation>
    </message>
    <message>
        <source>Method: Direct sums (2 radius + 1)^2 products a pixel and is offered to sigma 8 (radius 32); use Separable, which gives the same</source>
        <translation>Methode: Direkt summiert (2 Radius + 1)^2 Produkte je Pixel und ist für Sigma bis 8 (Radius 32) gedacht; bitte Separierbar wählen, was dasselbe ergibt</translation>
    </message>
    <message>
        <source>Kernel: the picture sums to 0 in a channel, so it cannot be normalised; give one that is not black, or switch Normalise off</source>
        <translation>Faltungskern: Die Summe des Bildes ist in einem Kanal 0, daher lässt es sich nicht normieren; bitte eines geben, das nicht schwarz ist, oder Normieren ausschalten</translation>
    </message>
    <message>
        <source>Show: this operator has no direction, only a magnitude; choose Sobel, Scharr, Prewitt or Roberts</source>
        <translation>Ausgabe: Dieser Operator hat keine Richtung, nur einen Betrag; bitte Sobel, Scharr, Prewitt oder Roberts wählen</translation>
    </message>
    <message>
        <source>%1 needs a picture whose edges it keeps: one for Guide, for Normals, for Depth, or for several of them</source>
        <translation>%1 braucht ein Bild, dessen Kanten bleiben sollen: ein Leitbild, Normalen, eine Tiefe oder mehrere davon</translation>
    </message>
    <message>
        <source>%1 needs the render&apos;s normals, depths or both: a picture for Normals, for Depth, or for each</source>
        <translation>%1 braucht Normalen oder Tiefen des gerenderten Bildes oder beides: ein Bild für Normalen, für Tiefe oder je eines</translation>
    </message>
    <message>
        <source>Matrix: give it, or Row and Column, not both</source>
        <translation>Matrix: bitte entweder Matrix angeben oder Zeile und Spalte, nicht beides</translation>
    </message>
    <message>
        <source>Matrix: its numbers may be -1000000 to 1000000</source>
        <translation>Matrix: Die Zahlen dürfen von -1000000 bis 1000000 reichen</translation>
    </message>
    <message>
        <source>Row: its numbers may be -1000000 to 1000000</source>
        <translation>Zeile: Die Zahlen dürfen von -1000000 bis 1000000 reichen</translation>
    </message>
    <message>
        <source>Column: its numbers may be -1000000 to 1000000</source>
        <translation>Spalte: Die Zahlen dürfen von -1000000 bis 1000000 reichen</translation>
    </message>
    <message>
        <source>Normalise: every weight is 0, so there is no sum to divide by</source>
        <translation>Normieren: Alle Gewichte sind 0, daher gibt es keine Summe zum Teilen</translation>
    </message>
    <message>
        <source>Normalise: the weights sum to 0, which nothing can be divided by; leave it off, and give a factor</source>
        <translation>Normieren: Die Summe der Gewichte ist 0, wodurch sich nicht teilen lässt; bitte Normieren ausschalten und einen Faktor angeben</translation>
    </message>
    <message>
        <source>%1: the colour profile&apos;s tone curve is of an unknown kind; the sRGB curve is used for computing</source>
        <translation>%1: Die Tonkurve des Farbprofils ist von unbekannter Art; gerechnet wird mit der von sRGB</translation>
    </message>
    <message>
        <source>%1: the colour profile&apos;s tone curve is of an unknown kind; light is assumed for computing</source>
        <translation>%1: Die Tonkurve des Farbprofils ist von unbekannter Art; beim Rechnen gelten die Zahlen als Licht</translation>
    </message>
    <message>
        <source>%1: the file&apos;s %2 are read as 32-bit ones, which keep 7 digits</source>
        <translation>%1: In der Datei sind %2; gelesen werden sie mit 32 Bit, was 7 Stellen bewahrt</translation>
    </message>
    <message>
        <source>%1: the file&apos;s %2 are read as data from -1 to 1, without a tone curve</source>
        <translation>%1: In der Datei sind %2; gelesen werden sie als Daten von -1 bis 1, ohne Tonkurve</translation>
    </message>
    <message>
        <source>%1: the file&apos;s %2 are read as float numbers, which keep 24 bits of them</source>
        <translation>%1: In der Datei sind %2; gelesen werden sie als Gleitkommazahlen, die 24 Bit davon bewahren</translation>
    </message>
    <message>
        <source>%1-bit float numbers</source>
        <translation>Gleitkommazahlen mit %1 Bit</translation>
    </message>
    <message>
        <source>signed %1-bit integers</source>
        <translation>ganze Zahlen mit Vorzeichen und %1 Bit</translation>
    </message>
    <message>
        <source>%1-bit integers</source>
        <translation>ganze Zahlen mit %1 Bit</translation>
    </message>
    <message>
        <source>%1: there is no flat picture in the file; export it again</source>
        <translation>%1: In der Datei ist kein flaches Bild; bitte neu exportieren</translation>
    </message>
    <message>
        <source>%1: the file holds deep data only, several values per pixel; flatten it first</source>
        <translation>%1: Die Datei enthält nur tiefe Daten, mehrere Werte je Pixel; bitte zuerst zusammenfassen</translation>
    </message>
    <message>
        <source>%1: one to four channels can be read, not those of %2; name fewer</source>
        <translation>%1: Lesen lassen sich ein bis vier Kanäle, nicht die von %2; bitte weniger nennen</translation>
    </message>
    <message>
        <source>%1: the channels %2 are in different parts of the file; name channels of one part</source>
        <translation>%1: Die Kanäle %2 liegen in verschiedenen Teilen der Datei; bitte Kanäle eines Teils nennen</translation>
    </message>
    <message>
        <source>%1: the file holds %2 pictures; only the main one is read</source>
        <translation>%1: Die Datei enthält %2 Bilder; nur das Hauptbild wird gelesen</translation>
    </message>
    <message>
        <source>%1: the picture is for HDR displays (PQ or HLG); the sRGB curve is used for computing, and its brightness will look wrong</source>
        <translation>%1: Das Bild ist für HDR-Bildschirme (PQ oder HLG); gerechnet wird mit der Tonkurve von sRGB, und seine Helligkeit wird falsch aussehen</translation>
    </message>
    <message>
        <source>%1: the file is an animation of %2 frames; only the first one is read</source>
        <translation>%1: Die Datei ist eine Animation aus %2 Bildern; nur das erste wird gelesen</translation>
    </message>
    <message>
        <source>%1: it fits the picture only as it is stored, and is not turned by its orientation</source>
        <translation>%1: Es passt nur so auf das Bild, wie dieses gespeichert ist, und wird nicht nach dessen Ausrichtung gedreht</translation>
    </message>
    <message>
        <source>%1 pixels, data window %2, display window %3, orientation %4</source>
        <translation>%1 Pixel, Datenfenster %2, Anzeigefenster %3, Ausrichtung %4</translation>
    </message>
    <message>
        <source>%1 pixels, orientation %2</source>
        <translation>%1 Pixel, Ausrichtung %2</translation>
    </message>
    <message>
        <source>%1 x %2 at (%3, %4)</source>
        <translation>%1 x %2 bei (%3, %4)</translation>
    </message>
    <message>
        <source>the input has no name; give a picture file</source>
        <translation>Die Eingabe hat keinen Namen; bitte eine Bilddatei angeben</translation>
    </message>
    <message>
        <source>no picture can be opened or written: the file module cannot be loaded (%1); install Sfumato again</source>
        <translation>Kein Bild lässt sich öffnen oder schreiben: Das Modul für Dateien kann nicht geladen werden (%1); bitte Sfumato neu installieren</translation>
    </message>
    <message>
        <source>%1 is of another version</source>
        <translation>%1 gehört zu einer anderen Version</translation>
    </message>
    <message>
        <source>%1 was not found</source>
        <translation>%1 wurde nicht gefunden</translation>
    </message>
    <message>
        <source>unknown error</source>
        <translation>unbekannter Fehler</translation>
    </message>
    <message>
        <source>CMYK, the colours of printing inks</source>
        <translation>CMYK (Druckfarben)</translation>
    </message>
    <message>
        <source>CMYK, printing inks</source>
        <translation>CMYK (Druckfarben)</translation>
    </message>
    <message>
        <source>Lab colours</source>
        <translation>Lab-Farben</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>ohne Angabe von Gründen</translation>
    </message>
    <message>
        <source>&quot;no header&quot;</source>
        <translation>&quot;kein Dateikopf&quot;</translation>
    </message>
    <message>
        <source>&quot;the header has no size&quot;</source>
        <translation>&quot;im Dateikopf fehlt die Größe&quot;</translation>
    </message>
    <message>
        <source>&quot;the header has no scale&quot;</source>
        <translation>&quot;im Dateikopf fehlt der Maßstab&quot;</translation>
    </message>
    <message>
        <source>&quot;the header has no largest value&quot;</source>
        <translation>&quot;im Dateikopf fehlt der größte Wert&quot;</translation>
    </message>
    <message>
        <source>&quot;row %1 is missing&quot;</source>
        <translation>&quot;Zeile %1 fehlt&quot;</translation>
    </message>
    <message>
        <source>&quot;it cannot be read&quot;</source>
        <translation>&quot;sie lässt sich nicht lesen&quot;</translation>
    </message>
    <message>
        <source>&quot;the file ends early&quot;</source>
        <translation>&quot;sie endet zu früh&quot;</translation>
    </message>
    <message>
        <source>&quot;the container is damaged&quot;</source>
        <translation>&quot;der Container ist beschädigt&quot;</translation>
    </message>
    <message>
        <source>&quot;there is no picture in it&quot;</source>
        <translation>&quot;es ist kein Bild darin&quot;</translation>
    </message>
    <message>
        <source>&quot;its size is not what its header says&quot;</source>
        <translation>&quot;die Größe ist nicht die im Dateikopf&quot;</translation>
    </message>
    <message>
        <source>&quot;the picture&apos;s data is damaged&quot;</source>
        <translation>&quot;die Bilddaten sind beschädigt&quot;</translation>
    </message>
    <message>
        <source>&quot;there is not enough memory&quot;</source>
        <translation>&quot;der Speicher reicht nicht&quot;</translation>
    </message>
    <message>
        <source>&quot;libwebp is of another version&quot;</source>
        <translation>&quot;libwebp gehört zu einer anderen Version&quot;</translation>
    </message>
    <message>
        <source>&quot;libwebp refuses the picture&quot;</source>
        <translation>&quot;libwebp lehnt das Bild ab&quot;</translation>
    </message>
    <message>
        <source>&quot;the picture is too large for this quality&quot;</source>
        <translation>&quot;das Bild ist zu groß für diese Qualität&quot;</translation>
    </message>
    <message>
        <source>&quot;the metadata does not fit into the file&quot;</source>
        <translation>&quot;die Metadaten passen nicht in die Datei&quot;</translation>
    </message>
    <message>
        <source>the output has no name; give one with an extension</source>
        <translation>Die Ausgabe hat keinen Namen; bitte einen mit Endung angeben</translation>
    </message>
    <message>
        <source>%1: the installed OpenImageIO cannot write %2; choose another format</source>
        <translation>%1: Das installierte OpenImageIO kann %2 nicht schreiben; bitte ein anderes Format wählen</translation>
    </message>
    <message>
        <source>%1: what the filter leaves alone cannot be copied (%2); the file is damaged, make it again</source>
        <translation>%1: Was der Filter unberührt lässt, kann nicht kopiert werden (%2); die Datei ist beschädigt, bitte neu erzeugen</translation>
    </message>
    <message>
        <source>%1: %2 knows no compression %3; leave it out</source>
        <translation>%1: %2 kennt keine Kompression %3; bitte weglassen</translation>
    </message>
    <message>
        <source>%1: %2 knows no compression %3; choose one of %4</source>
        <translation>%1: %2 kennt keine Kompression %3; möglich sind %4</translation>
    </message>
    <message>
        <source>%1: the colour profile cannot be used; the colours are taken for sRGB&apos;s</source>
        <translation>%1: Das Farbprofil ist nicht verwendbar; die Farben gelten als die von sRGB</translation>
    </message>
    <message>
        <source>%1: %2 cannot hold %3 numbers; the picture is stored with %4 ones</source>
        <translation>%1: %2 speichert Zahlen nicht als %3; das Bild wird mit solchen als %4 gespeichert</translation>
    </message>
    <message>
        <source>%1: %2 cannot hold %3; the picture is stored with %4 ones</source>
        <translation>%1: %2 speichert keine %3; das Bild wird mit Zahlen als %4 gespeichert</translation>
    </message>
    <message>
        <source>%1: %2 cannot hold transparency; the picture is laid over white</source>
        <translation>%1: %2 kennt keine Transparenz; das Bild wird auf Weiß gelegt</translation>
    </message>
    <message>
        <source>%1: %2 cannot hold transparency; the picture is laid over black</source>
        <translation>%1: %2 kennt keine Transparenz; das Bild wird auf Schwarz gelegt</translation>
    </message>
    <message>
        <source>%1: the picture&apos;s %2 are stored as float numbers in linear light; choose 16 bits (--bits 16) to keep their tone curve</source>
        <translation>%1: Im Bild sind %2; gespeichert werden sie als Gleitkommazahlen in linearem Licht; um ihre Tonkurve zu behalten, 16 Bit wählen</translation>
    </message>
    <message>
        <source>%1: the picture&apos;s %2 are stored as float numbers in linear light</source>
        <translation>%1: Im Bild sind %2; gespeichert werden sie als Gleitkommazahlen in linearem Licht</translation>
    </message>
    <message>
        <source>%1: %2 knows no display window; the file holds the data window alone</source>
        <translation>%1: %2 kennt kein Anzeigefenster; die Datei enthält nur das Datenfenster</translation>
    </message>
    <message>
        <source>%1: %2 cannot hold the colour profile; it is left out, colours will look different elsewhere</source>
        <translation>%1: %2 kann das Farbprofil nicht aufnehmen; es fehlt, und anderswo sehen die Farben anders aus</translation>
    </message>
    <message>
        <source>%1: the colour profile is not sRGB&apos;s; as it is left out, colours will look different elsewhere</source>
        <translation>%1: Das Farbprofil ist nicht das von sRGB; da es weggelassen wird, sehen die Farben anderswo anders aus</translation>
    </message>
    <message>
        <source>%1: the colour profile does not fit %2 numbers and is left out</source>
        <translation>%1: Das Farbprofil passt nicht zu Zahlen als %2 und wird weggelassen</translation>
    </message>
    <message>
        <source>%1: %2 cannot hold the picture&apos;s metadata; it is left out</source>
        <translation>%1: %2 kann die Metadaten des Bildes nicht aufnehmen; sie werden weggelassen</translation>
    </message>
    <message>
        <source>%1: %2 cannot say which side is up; the picture will lie as it is stored</source>
        <translation>%1: %2 kann nicht angeben, wo oben ist; das Bild wird liegen, wie es gespeichert ist</translation>
    </message>
    <message>
        <source>%1: 1 other channel of the input cannot be kept in this file</source>
        <translation>%1: 1 weiterer Kanal der Eingabe kann in dieser Datei nicht erhalten werden</translation>
    </message>
    <message>
        <source>%1: %2 other channels of the input cannot be kept in this file</source>
        <translation>%1: %2 weitere Kanäle der Eingabe können in dieser Datei nicht erhalten werden</translation>
    </message>
    <message>
        <source>%1: 1 deep part is left out; only flat parts are copied</source>
        <translation>%1: 1 tiefer Teil wird weggelassen; nur flache Teile werden kopiert</translation>
    </message>
    <message>
        <source>%1: %2 deep parts are left out; only flat parts are copied</source>
        <translation>%1: %2 tiefe Teile werden weggelassen; nur flache Teile werden kopiert</translation>
    </message>
    <message>
        <source>%1: only one of the input&apos;s %2 parts is written; choose OpenEXR to keep them all</source>
        <translation>%1: Nur einer der %2 Teile der Eingabe wird geschrieben; um alle zu behalten, OpenEXR wählen</translation>
    </message>
    <message>
        <source>%1: only the first page was filtered; the other pages are copied</source>
        <translation>%1: Nur die erste Seite wurde gefiltert; die anderen Seiten werden kopiert</translation>
    </message>
    <message>
        <source>%1: only the first of the input&apos;s pictures is read and written</source>
        <translation>%1: Nur das erste der Bilder der Eingabe wird gelesen und geschrieben</translation>
    </message>
    <message>
        <source>%1: it was handed over in version %2, and this program knows version 1; install both parts of Sfumato again</source>
        <translation>%1: Es wurde in Version %2 übergeben, dieses Programm kennt Version 1; bitte beide Teile von Sfumato neu installieren</translation>
    </message>
    <message>
        <source>%1: a picture of %2 x %3 pixels cannot be filtered</source>
        <translation>%1: Ein Bild von %2 x %3 Pixeln kann nicht gefiltert werden</translation>
    </message>
    <message>
        <source>%1: %2 channels were handed over; gray and RGB, with or without alpha, can be filtered</source>
        <translation>%1: Übergeben wurden %2 Kanäle; filtern lassen sich Grau und RGB, mit oder ohne Alpha</translation>
    </message>
    <message>
        <source>%1: it does not say what its pixels are</source>
        <translation>%1: Es sagt nicht, was seine Pixel sind</translation>
    </message>
    <message>
        <source>%1: its tone curve is none</source>
        <translation>%1: Seine Tonkurve ist keine</translation>
    </message>
    <message>
        <source>%1: its place on the canvas is none, or its profile is too long</source>
        <translation>%1: Seine Lage auf der Zeichenfläche ist keine, oder sein Profil ist zu lang</translation>
    </message>
    <message>
        <source>%1: no picture was handed over</source>
        <translation>%1: Es wurde kein Bild übergeben</translation>
    </message>
    <message>
        <source>%1: it is not as long as it says</source>
        <translation>%1: Es ist nicht so lang, wie es angibt</translation>
    </message>
    <message>
        <source>%1: it cannot be read</source>
        <translation>%1: Es kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>%1: it cannot be written: %2</source>
        <translation>%1: Es kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>%1: it has more pixels than are allowed</source>
        <translation>%1: Es hat mehr Pixel, als erlaubt sind</translation>
    </message>
    <message>
        <source>%1: it ended while it was read</source>
        <translation>%1: Es endete, während es gelesen wurde</translation>
    </message>
    <message>
        <source>%1: the link leads to no file; mend it, or take it away</source>
        <translation>%1: Die Verknüpfung führt zu keiner Datei; bitte berichtigen oder entfernen</translation>
    </message>
    <message>
        <source>%1: the folder cannot be made (%2); choose another for the outputs</source>
        <translation>%1: Der Ordner kann nicht angelegt werden (%2); bitte einen anderen für die Ergebnisse wählen</translation>
    </message>
    <message>
        <source>every input is a picture that another one takes for a role, so that none is left; give the roles a pattern that fits other files</source>
        <translation>Jede Datei ist ein Bild, das eine andere für eine Rolle verwendet, sodass keine übrig bleibt; bitte den Rollen ein Muster geben, das auf andere Dateien passt</translation>
    </message>
    <message>
        <source>a limit of %1 MB of main memory cannot be kept: at least some %2 MB will be taken</source>
        <translation>Eine Grenze von %1 MB Hauptspeicher kann nicht eingehalten werden: Mindestens etwa %2 MB werden belegt</translation>
    </message>
    <message>
        <source>%1: the movie is damaged (%2); its pictures are made as far as they can be decoded</source>
        <translation>%1: Der Film ist beschädigt (%2); seine Bilder werden erzeugt, soweit sie sich dekodieren lassen</translation>
    </message>
    <message>
        <source>%1: the movie ends before it should, after picture %2; make it again</source>
        <translation>%1: Der Film endet zu früh, nach Bild %2; bitte neu erstellen</translation>
    </message>
    <message>
        <source>this recipe works on the whole picture at once, which takes %1 MB of memory; the limit is %2 MB</source>
        <translation>Dieses Rezept arbeitet am ganzen Bild auf einmal, was %1 MB Speicher braucht; die Grenze liegt bei %2 MB</translation>
    </message>
    <message>
        <source>%1: JPEG cannot hold all of the picture&apos;s metadata; what is too long for it is left out (%2)</source>
        <translation>%1: JPEG kann nicht alle Metadaten des Bildes aufnehmen; was dafür zu lang ist, wird weggelassen (%2)</translation>
    </message>
    <message>
        <source>%1: %2 cannot hold the picture&apos;s XMP metadata; it is left out</source>
        <translation>%1: %2 kann die XMP-Metadaten des Bildes nicht aufnehmen; sie werden weggelassen</translation>
    </message>
    <message>
        <source>%1: %2 cannot hold the picture&apos;s IPTC metadata; it is left out</source>
        <translation>%1: %2 kann die IPTC-Metadaten des Bildes nicht aufnehmen; sie werden weggelassen</translation>
    </message>
    <message>
        <source>the OpenCL driver %1 is left out: %2</source>
        <translation>Der OpenCL-Treiber %1 wird ausgelassen: %2</translation>
    </message>
    <message>
        <source>its library cannot be loaded (%1)</source>
        <translation>Seine Bibliothek lässt sich nicht laden (%1)</translation>
    </message>
    <message>
        <source>it crashes while its library is loaded</source>
        <translation>Er stürzt ab, während seine Bibliothek geladen wird</translation>
    </message>
    <message>
        <source>it crashes while it is asked for its devices</source>
        <translation>Er stürzt ab, während er nach seinen Geräten gefragt wird</translation>
    </message>
    <message>
        <source>it ends the program while its library is loaded</source>
        <translation>Er beendet das Programm, während seine Bibliothek geladen wird</translation>
    </message>
    <message>
        <source>it ends the program while it is asked for its devices</source>
        <translation>Er beendet das Programm, während er nach seinen Geräten gefragt wird</translation>
    </message>
    <message>
        <source>it hangs while its library is loaded</source>
        <translation>Er hängt, während seine Bibliothek geladen wird</translation>
    </message>
    <message>
        <source>it hangs while it is asked for its devices</source>
        <translation>Er hängt, während er nach seinen Geräten gefragt wird</translation>
    </message>
    <message>
        <source>it crashes when the program ends</source>
        <translation>Er stürzt ab, wenn das Programm endet</translation>
    </message>
    <message>
        <source>it hangs when the program ends</source>
        <translation>Er hängt, wenn das Programm endet</translation>
    </message>
    <message>
        <source>OpenCL is not used: its drivers need some %1 MB of memory, and this program may take %2 MB</source>
        <translation>OpenCL wird nicht benutzt: Seine Treiber brauchen etwa %1 MB Speicher, und dieses Programm darf %2 MB belegen</translation>
    </message>
    <message>
        <source>compiled kernels are kept in %1 for this run only (%2); set %3 to a folder that can be written to</source>
        <translation>Übersetzte Kernel werden nur für diesen Lauf in %1 aufbewahrt (%2); bitte %3 auf einen beschreibbaren Ordner setzen</translation>
    </message>
    <message>
        <source>compiled kernels are kept in %1 for this run only (%2); set %3 to a folder that programs can be run from</source>
        <translation>Übersetzte Kernel werden nur für diesen Lauf in %1 aufbewahrt (%2); bitte %3 auf einen Ordner setzen, aus dem Programme ausgeführt werden dürfen</translation>
    </message>
    <message>
        <source>compiled kernels are kept in %1 until you log out (%2); set %3 to a folder that can be written to</source>
        <translation>Übersetzte Kernel werden bis zum Abmelden in %1 aufbewahrt (%2); bitte %3 auf einen beschreibbaren Ordner setzen</translation>
    </message>
    <message>
        <source>compiled kernels are kept in %1 until you log out (%2); set %3 to a folder that programs can be run from</source>
        <translation>Übersetzte Kernel werden bis zum Abmelden in %1 aufbewahrt (%2); bitte %3 auf einen Ordner setzen, aus dem Programme ausgeführt werden dürfen</translation>
    </message>
    <message>
        <source>there is no folder for compiled kernels (%1), and drivers that need one, as PoCL does, are not used; set XDG_CACHE_HOME to a folder that can be written to</source>
        <translation>Es gibt keinen Ordner für übersetzte Kernel (%1), und Treiber, die wie PoCL einen brauchen, werden nicht benutzt; bitte XDG_CACHE_HOME auf einen beschreibbaren Ordner setzen</translation>
    </message>
    <message>
        <source>HOME is not set</source>
        <translation>HOME ist nicht gesetzt</translation>
    </message>
    <message>
        <source>HOME is no full path: %1</source>
        <translation>HOME ist kein vollständiger Pfad: %1</translation>
    </message>
    <message>
        <source>there is no folder %1, which HOME names</source>
        <translation>Den Ordner %1, den HOME nennt, gibt es nicht</translation>
    </message>
    <message>
        <source>%1 cannot be written to (%2)</source>
        <translation>%1 ist nicht beschreibbar (%2)</translation>
    </message>
    <message>
        <source>the disk that holds %1 is nearly full</source>
        <translation>Der Datenträger mit %1 ist fast voll</translation>
    </message>
    <message>
        <source>nothing may be run from %1</source>
        <translation>Aus %1 darf nichts ausgeführt werden</translation>
    </message>
    <message>
        <source>no picture can be opened or written: there is too little memory, or no more threads may be started; close other programs or raise the limits that are set here (ulimit)</source>
        <translation>Es lässt sich kein Bild öffnen oder schreiben: Es ist zu wenig Speicher frei, oder es dürfen keine weiteren Threads gestartet werden; bitte andere Programme schließen oder die gesetzten Grenzen anheben (ulimit)</translation>
    </message>
    <message>
        <source>OpenCL is not used: the driver %1 would end this program (%2); name the others in OCL_ICD_VENDORS</source>
        <translation>OpenCL wird nicht benutzt: Der Treiber %1 würde dieses Programm beenden (%2); bitte die anderen in OCL_ICD_VENDORS nennen</translation>
    </message>
    <message>
        <source>there is no folder for compiled kernels</source>
        <translation>Es gibt keinen Ordner für übersetzte Kernel</translation>
    </message>
    <message>
        <source>no OpenCL driver is installed: the built-in reference computes, which is slower; Debian has one in pocl-opencl-icd</source>
        <translation>Kein OpenCL-Treiber ist installiert: Die eingebaute Referenz rechnet, was langsamer ist; Debian hat einen in pocl-opencl-icd</translation>
    </message>
    <message>
        <source>it needs the linker ld, which is not in PATH</source>
        <translation>Er braucht den Linker ld, der nicht in PATH ist</translation>
    </message>
    <message>
        <source>trying the OpenCL driver %1</source>
        <translation>Der OpenCL-Treiber %1 wird ausprobiert</translation>
    </message>
</context>
<context>
    <name>Fault</name>
    <message>
        <source>There is not enough memory for this. Close other pictures or programs, and try again.</source>
        <translation>Dafür reicht der Speicher nicht. Andere Bilder oder Programme schließen und noch einmal versuchen.</translation>
    </message>
</context>
<context>
    <name>Hosts</name>
    <message>
        <source>Several filters…</source>
        <translation>Mehrere Filter…</translation>
    </message>
    <message>
        <source>Filters one after another, presets of several steps, recipes</source>
        <translation>Filter nacheinander, Vorgaben mit mehreren Schritten, Rezepte</translation>
    </message>
    <message>
        <source>Any filter, with a live preview</source>
        <translation>Beliebiger Filter, mit Vorschau</translation>
    </message>
    <message>
        <source>Opens a window with every filter of Sfumato, its settings and a preview.</source>
        <translation>Öffnet ein Fenster mit allen Filtern von Sfumato, ihren Einstellungen und einer Vorschau.</translation>
    </message>
    <message>
        <source>Opens Sfumato&apos;s window at the filters of this category.</source>
        <translation>Öffnet Sfumatos Fenster bei den Filtern dieser Kategorie.</translation>
    </message>
    <message>
        <source>There is no layer to filter.</source>
        <translation>Es gibt keine Ebene zum Filtern.</translation>
    </message>
    <message>
        <source>Choose one layer: several are selected.</source>
        <translation>Bitte eine einzelne Ebene wählen: Es sind mehrere ausgewählt.</translation>
    </message>
    <message>
        <source>A layer group has no pixels of its own to filter: choose one of its layers.</source>
        <translation>Eine Ebenengruppe hat keine eigenen Pixel, die gefiltert werden könnten: Bitte eine ihrer Ebenen wählen.</translation>
    </message>
    <message>
        <source>The layer&apos;s pixels are locked: unlock them to filter it.</source>
        <translation>Die Pixel der Ebene sind gesperrt: Zum Filtern bitte entsperren.</translation>
    </message>
    <message>
        <source>Indexed images cannot be filtered: choose Image, Mode, RGB first.</source>
        <translation>Indizierte Bilder können nicht gefiltert werden: Bitte zuerst Bild, Modus, RGB wählen.</translation>
    </message>
    <message>
        <source>The selection holds nothing of the layer: there is nothing to filter.</source>
        <translation>Die Auswahl enthält nichts von der Ebene: Es gibt nichts zu filtern.</translation>
    </message>
    <message>
        <source>No filter has been applied yet that could be repeated.</source>
        <translation>Es wurde noch kein Filter angewandt, der wiederholt werden könnte.</translation>
    </message>
    <message>
        <source>There is no layer called &quot;%1&quot; to take pixels from.</source>
        <translation>Es gibt keine Ebene „%1“, von der Pixel genommen werden könnten.</translation>
    </message>
    <message>
        <source>There is no such procedure.</source>
        <translation>Diese Prozedur gibt es nicht.</translation>
    </message>
    <message>
        <source>The last filter cannot be read: %1</source>
        <translation>Der letzte Filter kann nicht gelesen werden: %1</translation>
    </message>
    <message>
        <source>There is not enough memory.</source>
        <translation>Der Arbeitsspeicher reicht nicht aus.</translation>
    </message>
    <message>
        <source>An unknown error.</source>
        <translation>Ein unbekannter Fehler.</translation>
    </message>
    <message>
        <source>No temporary folder can be made.</source>
        <translation>Es kann kein temporärer Ordner angelegt werden.</translation>
    </message>
    <message>
        <source>The program that the picture is in does not answer.</source>
        <translation>Das Programm, in dem das Bild geöffnet ist, antwortet nicht.</translation>
    </message>
    <message>
        <source>The program that the picture is in answered what was not asked.</source>
        <translation>Das Programm, in dem das Bild geöffnet ist, antwortete auf etwas, das nicht gefragt war.</translation>
    </message>
    <message>
        <source>The process that filters for this program is lost (%1); another one takes over.</source>
        <translation>Der Prozess, der für dieses Programm filtert, ist verloren (%1); ein anderer übernimmt.</translation>
    </message>
    <message>
        <source>The process that filters for this program is lost (%1); going on with the scalar reference, which is slow.</source>
        <translation>Der Prozess, der für dieses Programm filtert, ist verloren (%1); weiter geht es mit der skalaren Referenz, die langsam ist.</translation>
    </message>
    <message>
        <source>it ended</source>
        <translation>er endete</translation>
    </message>
    <message>
        <source>it answered what was not asked</source>
        <translation>er antwortete auf etwas, das nicht gefragt war</translation>
    </message>
    <message>
        <source>it said nothing for %1 s</source>
        <translation>er schwieg %1 s lang</translation>
    </message>
    <message>
        <source>%1: filters with a live preview</source>
        <translation>%1: Filter mit Vorschau</translation>
    </message>
    <message>
        <source>Sfumato: several filters</source>
        <translation>Sfumato: mehrere Filter</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>Open a recipe…</source>
        <translation>Rezept öffnen…</translation>
    </message>
    <message>
        <source>Open a recipe</source>
        <translation>Rezept öffnen</translation>
    </message>
    <message>
        <source>Recipes (*.json)</source>
        <translation>Rezepte (*.json)</translation>
    </message>
    <message>
        <source>Recipe %1</source>
        <translation>Rezept %1</translation>
    </message>
    <message>
        <source>The layer lies in a group whose pixels are locked: unlock it.</source>
        <translation>Die Ebene liegt in einer Gruppe, deren Pixel gesperrt sind: Bitte die Gruppe entsperren.</translation>
    </message>
    <message>
        <source>The layer has changed meanwhile: please filter it again.</source>
        <translation>Die Ebene hat sich inzwischen geändert: Bitte noch einmal filtern.</translation>
    </message>
    <message>
        <source>GIMP did not take the result.</source>
        <translation>GIMP hat das Ergebnis nicht angenommen.</translation>
    </message>
    <message>
        <source>There is no screen to show the window on.</source>
        <translation>Es gibt keinen Bildschirm, auf dem das Fenster erscheinen könnte.</translation>
    </message>
    <message>
        <source>The filter needs the whole picture, which has no end or is too large: crop it first.</source>
        <translation>Der Filter braucht das ganze Bild, und das hat kein Ende oder ist zu groß: Bitte vorher zuschneiden.</translation>
    </message>
    <message>
        <source>The %1 picture has no end or is too large: crop it first.</source>
        <translation>Das Bild für %1 hat kein Ende oder ist zu groß: Bitte vorher zuschneiden.</translation>
    </message>
    <message>
        <source>The program sfumato-worker is not installed: going on with the scalar reference, which is slow.</source>
        <translation>Das Programm sfumato-worker ist nicht installiert: Weiter geht es mit der skalaren Referenz, die langsam ist.</translation>
    </message>
    <message>
        <source>The chosen device cannot be used (%1): another one takes its place.</source>
        <translation>Das gewählte Gerät ist nicht zu verwenden (%1): Ein anderes tritt an seine Stelle.</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>Movie, before and after</source>
        <translation>Film, vorher und nachher</translation>
    </message>
</context>
<context>
    <name>SaveTarget</name>
    <message>
        <source>“%1” exists. Replace it?</source>
        <translation>„%1“ ist bereits vorhanden. Ersetzen?</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Filters pictures, with a live preview.</source>
        <translation>Filtert Bilder, mit Live-Vorschau.</translation>
    </message>
    <message>
        <source>The OpenCL device: auto, gpu, cpu, reference or a name.</source>
        <translation>Das OpenCL-Gerät: auto, gpu, cpu, reference oder ein Name.</translation>
    </message>
    <message>
        <source>Starts a separate editor even if one is running.</source>
        <translation>Läuft neben einem bereits geöffneten Editor.</translation>
    </message>
    <message>
        <source>Pictures, and recipes to apply.</source>
        <translation>Bilder, und Rezepte zum Anwenden.</translation>
    </message>
    <message>
        <source>Opens the batch window, for many files and folders.</source>
        <translation>Öffnet die Stapelverarbeitung, für viele Dateien und Ordner.</translation>
    </message>
    <message>
        <source>The recipe of the batch: a file, or the name of a preset.</source>
        <translation>Das Rezept des Stapels: eine Datei oder der Name einer Vorgabe.</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::BatchJob</name>
    <message>
        <source>%1 is there already</source>
        <translation>%1 gibt es schon</translation>
    </message>
    <message>
        <source>It is there for another picture</source>
        <translation>Sie gehört zu einem anderen Bild</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::BatchModel</name>
    <message>
        <source>Reading</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>Filtering</source>
        <translation>Wird gefiltert</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Wird geschrieben</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>Gespeichert als %1</translation>
    </message>
    <message>
        <source>%1, frame %2</source>
        <translation>%1, Bild %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::BatchPanel</name>
    <message>
        <source>Keep &amp;metadata (EXIF, XMP)</source>
        <translation>&amp;Metadaten behalten (EXIF, XMP)</translation>
    </message>
    <message>
        <source>&amp;Recipe</source>
        <translation>&amp;Rezept</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen …</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Where the results go</source>
        <translation>Wohin die Ergebnisse kommen</translation>
    </message>
    <message>
        <source>Save &amp;to</source>
        <translation>&amp;Speichern in</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>{stem}: the file’s name, {recipe}, {ext}, {folder}: folders within a folder that was added, {parent}: the last of them, {date}, {time}, {counter:4}: with so many digits, {frame}</source>
        <translation>{stem}: der Name der Datei, {recipe}, {ext}, {folder}: Ordner innerhalb eines hinzugefügten Ordners, {parent}: der letzte davon, {date}, {time}, {counter:4}: mit so vielen Ziffern, {frame}</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>As the original</source>
        <translation>Wie das Original</translation>
    </message>
    <message>
        <source>F&amp;ormat</source>
        <translation>F&amp;ormat</translation>
    </message>
    <message>
        <source>&amp;Depth</source>
        <translation>&amp;Tiefe</translation>
    </message>
    <message>
        <source>&amp;Quality</source>
        <translation>&amp;Qualität</translation>
    </message>
    <message>
        <source>Ask before anything is begun</source>
        <translation>Fragen, bevor etwas begonnen wird</translation>
    </message>
    <message>
        <source>Leave it, and the picture out</source>
        <translation>Lassen und das Bild auslassen</translation>
    </message>
    <message>
        <source>Give the new one another name</source>
        <translation>Der neuen einen anderen Namen geben</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>If a file e&amp;xists</source>
        <translation>Wenn es die Datei &amp;gibt</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Half of the machine’s</source>
        <translation>Die Hälfte des vorhandenen</translation>
    </message>
    <message>
        <source>For pictures in work; fewer at once where they are large</source>
        <translation>Für Bilder in Arbeit; große werden zu wenigen zugleich bearbeitet</translation>
    </message>
    <message>
        <source>Memor&amp;y</source>
        <translation>S&amp;peicher</translation>
    </message>
    <message>
        <source>Where the picture lies that goes with each file: {folder} is the file’s own folder, {stem} its name. %1</source>
        <translation>Wo das Bild liegt, das zu jeder Datei gehört: {folder} ist der Ordner der Datei, {stem} ihr Name. %1</translation>
    </message>
    <message>
        <source>As the original, where it fits</source>
        <translation>Wie das Original, wo es passt</translation>
    </message>
    <message>
        <source>as %1</source>
        <translation>als %1</translation>
    </message>
    <message>
        <source>Choose a recipe first.</source>
        <translation>Wählen Sie zuerst ein Rezept.</translation>
    </message>
    <message>
        <source>Choose a folder for the results first.</source>
        <translation>Wählen Sie zuerst einen Ordner für die Ergebnisse.</translation>
    </message>
    <message>
        <source>The name for the results cannot be used.</source>
        <translation>Der Name für die Ergebnisse ist so nicht verwendbar.</translation>
    </message>
    <message>
        <source>Say first where “%1” is found for each file.</source>
        <translation>Geben Sie zuerst an, wo „%1“ zu jeder Datei zu finden ist.</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::BatchWindow</name>
    <message numerus="yes">
        <source>%n s</source>
        <translation>
            <numerusform>%n s</numerusform>
            <numerusform>%n s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n min</source>
        <translation>
            <numerusform>%n min</numerusform>
            <numerusform>%n min</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>Batch — Sfumato</source>
        <translation>Stapel — Sfumato</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Add &amp;files…</source>
        <translation>&amp;Dateien hinzufügen …</translation>
    </message>
    <message>
        <source>Add fol&amp;der…</source>
        <translation>&amp;Ordner hinzufügen …</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Shift+O</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Clear &amp;list</source>
        <translation>&amp;Liste leeren</translation>
    </message>
    <message>
        <source>Ctrl+Shift+Backspace</source>
        <translation>Ctrl+Shift+Backspace</translation>
    </message>
    <message>
        <source>Drop pictures and folders here</source>
        <translation>Bilder und Ordner hierher ziehen</translation>
    </message>
    <message>
        <source>Preview of the chosen file</source>
        <translation>Vorschau der gewählten Datei</translation>
    </message>
    <message>
        <source>Choose a file to see it before and after</source>
        <translation>Wählen Sie eine Datei, um sie vorher und nachher zu sehen</translation>
    </message>
    <message>
        <source>Progress of the batch</source>
        <translation>Fortschritt des Stapels</translation>
    </message>
    <message>
        <source>Open f&amp;older</source>
        <translation>Or&amp;dner öffnen</translation>
    </message>
    <message>
        <source>Show the results in the file manager</source>
        <translation>Die Ergebnisse in der Dateiverwaltung zeigen</translation>
    </message>
    <message>
        <source>Retry the fai&amp;led</source>
        <translation>Fehl&amp;geschlagene wiederholen</translation>
    </message>
    <message>
        <source>Try the files again that failed</source>
        <translation>Die fehlgeschlagenen Dateien noch einmal versuchen</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>An&amp;halten</translation>
    </message>
    <message>
        <source>Begin no further files until you go on</source>
        <translation>Keine weitere Datei beginnen, bis Sie fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>Ab&amp;brechen</translation>
    </message>
    <message>
        <source>Stop; what is done stays, and can be continued later</source>
        <translation>Aufhören; was fertig ist, bleibt, und später kann es weitergehen</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>S&amp;tarten</translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation>Ctrl+Return</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n Datei</numerusform>
            <numerusform>%n Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>Looking for pictures…</source>
        <translation>Bilder werden gesucht …</translation>
    </message>
    <message>
        <source>Add files first.</source>
        <translation>Fügen Sie zuerst Dateien hinzu.</translation>
    </message>
    <message>
        <source>Filter all files of the list</source>
        <translation>Alle Dateien der Liste filtern</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>Wird geplant …</translation>
    </message>
    <message>
        <source>Nothing was begun: %1.</source>
        <translation>Nichts wurde begonnen: %1.</translation>
    </message>
    <message numerus="yes">
        <source>Nothing was begun: %1; and %n more like it.</source>
        <translation>
            <numerusform>Nichts wurde begonnen: %1; und %n weitere.</numerusform>
            <numerusform>Nichts wurde begonnen: %1; und %n weitere.</numerusform>
        </translation>
    </message>
    <message>
        <source>Other names</source>
        <translation>Andere Namen</translation>
    </message>
    <message>
        <source>Leave these out</source>
        <translation>Diese auslassen</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n file(s)</source>
        <translation>
            <numerusform>%1 von %n Datei</numerusform>
            <numerusform>%1 von %n Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 MP/s</source>
        <translation>%1 MP/s</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n fehlgeschlagen</numerusform>
            <numerusform>%n fehlgeschlagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n done</source>
        <translation>
            <numerusform>%n fertig</numerusform>
            <numerusform>%n fertig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>%n ausgelassen</numerusform>
            <numerusform>%n ausgelassen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not done</source>
        <translation>
            <numerusform>%n nicht fertig</numerusform>
            <numerusform>%n nicht fertig</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was to be done</source>
        <translation>Es war nichts zu tun</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation> in %1</translation>
    </message>
    <message>
        <source>All of these were done before.</source>
        <translation>Alle diese Dateien sind schon fertig.</translation>
    </message>
    <message>
        <source>Do them again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Batch finished</source>
        <translation>Stapel fertig</translation>
    </message>
    <message>
        <source>Files can be added when this batch has ended.</source>
        <translation>Dateien können hinzugefügt werden, wenn dieser Stapel zu Ende ist.</translation>
    </message>
    <message>
        <source>Add files</source>
        <translation>Dateien hinzufügen</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>Einen Ordner hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Open in the editor</source>
        <translation>Im Editor &amp;öffnen</translation>
    </message>
    <message>
        <source>Open the &amp;result</source>
        <translation>Das Er&amp;gebnis öffnen</translation>
    </message>
    <message>
        <source>The batch is still running.</source>
        <translation>Der Stapel läuft noch.</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Aufhören und schließen</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weitermachen</translation>
    </message>
    <message>
        <source>Nothing was begun</source>
        <translation>Nichts wurde begonnen</translation>
    </message>
    <message>
        <source>Another recipe can be chosen when this batch has ended.</source>
        <translation>Ein anderes Rezept kann gewählt werden, wenn dieser Stapel zu Ende ist.</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Batch stopped</source>
        <translation>Stapel angehalten</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::ColorEditor</name>
    <message>
        <source>red</source>
        <translation>Rot</translation>
    </message>
    <message>
        <source>green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>Blau</translation>
    </message>
    <message>
        <source>alpha</source>
        <translation>Alpha</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::CurveEditor</name>
    <message>
        <source>Tab: next point. Arrow keys: move it. Insert: add a point. Delete: remove it.</source>
        <translation>Tab: nächster Punkt. Pfeiltasten: verschieben. Einfg: Punkt hinzufügen. Entf: Punkt entfernen.</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>In</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>Aus</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::Document</name>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>%1 duplizieren</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>Switch on %1</source>
        <translation>%1 einschalten</translation>
    </message>
    <message>
        <source>Switch off %1</source>
        <translation>%1 ausschalten</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::ExportDialog</name>
    <message>
        <source>8 bits</source>
        <translation>8 Bit</translation>
    </message>
    <message>
        <source>16 bits</source>
        <translation>16 Bit</translation>
    </message>
    <message>
        <source>Half float</source>
        <translation>Gleitkomma, 16 Bit</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>Gleitkomma, 32 Bit</translation>
    </message>
    <message>
        <source>Keep &amp;metadata (EXIF, XMP)</source>
        <translation>&amp;Metadaten behalten (EXIF, XMP)</translation>
    </message>
    <message>
        <source>Di&amp;ther, against bands</source>
        <translation>D&amp;ithering gegen Farbabstufungen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>D&amp;urchsuchen…</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Qualität</translation>
    </message>
    <message>
        <source>Quality, exact</source>
        <translation>Qualität, genau</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>F&amp;ormat</source>
        <translation>F&amp;ormat</translation>
    </message>
    <message>
        <source>&amp;Depth</source>
        <translation>Farb&amp;tiefe</translation>
    </message>
    <message>
        <source>&amp;Quality</source>
        <translation>&amp;Qualität</translation>
    </message>
    <message>
        <source>&amp;Compression</source>
        <translation>&amp;Komprimierung</translation>
    </message>
    <message>
        <source>The original has %1 × %2 pixels, %3.</source>
        <translation>Das Original hat %1 × %2 Pixel, %3.</translation>
    </message>
    <message>
        <source>As the original, where it fits</source>
        <translation>Wie das Original, wo das Format es zulässt</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>Üblich</translation>
    </message>
    <message>
        <source>100 is without loss</source>
        <translation>100 ist verlustfrei</translation>
    </message>
    <message>
        <source>“%1” exists. Replace it?</source>
        <translation>„%1“ ist bereits vorhanden. Ersetzen?</translation>
    </message>
    <message>
        <source>Keep, with its profile</source>
        <translation>Behalten, mit Farbprofil</translation>
    </message>
    <message>
        <source>Convert to sRGB</source>
        <translation>In sRGB umwandeln</translation>
    </message>
    <message>
        <source>Leave the profile out</source>
        <translation>Farbprofil weglassen</translation>
    </message>
    <message>
        <source>sRGB is what screens and the web expect. Without its profile, a picture of other colours looks different elsewhere.</source>
        <translation>sRGB ist, was Bildschirme und das Web erwarten. Ohne sein Farbprofil sieht ein Bild mit anderen Farben anderswo anders aus.</translation>
    </message>
    <message>
        <source>Colou&amp;rs</source>
        <translation>Fa&amp;rben</translation>
    </message>
    <message>
        <source>The name has no extension: choose a format.</source>
        <translation>Der Name hat keine Endung: ein Format wählen.</translation>
    </message>
    <message>
        <source>Files ending in “.%1” cannot be written: choose a format.</source>
        <translation>Dateien mit der Endung „.%1“ können nicht geschrieben werden: ein Format wählen.</translation>
    </message>
    <message>
        <source>“%1” is the original that is open. Replace it by the result? What it holds now will be gone.</source>
        <translation>„%1“ ist das geöffnete Original. Durch das Ergebnis ersetzen? Was es jetzt enthält, ist dann verloren.</translation>
    </message>
    <message>
        <source>half float</source>
        <comment>within a sentence</comment>
        <translation>16-Bit-Gleitkomma</translation>
    </message>
    <message>
        <source>float</source>
        <comment>within a sentence</comment>
        <translation>32-Bit-Gleitkomma</translation>
    </message>
    <message>
        <source>Fast</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>Small</source>
        <translation>Klein</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::Exporter</name>
    <message>
        <source>“%1” was changed after it was opened; nothing was exported. Open it again to go on with what it holds now.</source>
        <translation>„%1“ wurde nach dem Öffnen geändert; es wurde nichts exportiert. Noch einmal öffnen, um mit dem jetzigen Inhalt weiterzuarbeiten.</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::ExposureSlider</name>
    <message>
        <source>%1%2 EV</source>
        <translation>%1%2 EV</translation>
    </message>
    <message>
        <source>Exposure of the preview; the result is not touched. Double click: 0</source>
        <translation>Belichtung der Vorschau; das Ergebnis bleibt unverändert. Doppelklick: 0</translation>
    </message>
    <message>
        <source>Exposure of the preview</source>
        <translation>Belichtung der Vorschau</translation>
    </message>
    <message>
        <source>Exposure</source>
        <translation>Belichtung</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::FilterBrowser</name>
    <message>
        <source>Search filters</source>
        <translation>Filter suchen</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Needs another picture, which its parameters ask for.</source>
        <translation>Braucht ein weiteres Bild, nach dem seine Parameter fragen.</translation>
    </message>
    <message>
        <source>Double click or Return adds it.</source>
        <translation>Doppelklick oder Eingabetaste fügt ihn hinzu.</translation>
    </message>
    <message>
        <source>No filter of that name</source>
        <translation>Kein Filter dieses Namens</translation>
    </message>
    <message>
        <source>Return adds the filter that is marked</source>
        <translation>Die Eingabetaste fügt den markierten Filter hinzu</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::FilterDialog</name>
    <message>
        <source>Preset</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>Sfumato: %1</source>
        <translation>Sfumato: %1</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>Standardwerte</translation>
    </message>
    <message>
        <source>Filtering…</source>
        <translation>Wird gefiltert…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Own settings</source>
        <translation>Eigene Einstellungen</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::GradientEditor</name>
    <message>
        <source>Tab: next stop. Arrow keys: move it. Return: its colour. Insert: add a stop. Delete: remove it.</source>
        <translation>Tab: nächster Farbpunkt. Pfeiltasten: verschieben. Eingabetaste: seine Farbe. Einfg: Farbpunkt hinzufügen. Entf: Farbpunkt entfernen.</translation>
    </message>
    <message>
        <source>at</source>
        <translation>bei</translation>
    </message>
    <message>
        <source>colour of the stop</source>
        <translation>Farbe des Farbpunkts</translation>
    </message>
    <message>
        <source>colour of the stop as text</source>
        <translation>Farbe des Farbpunkts als Text</translation>
    </message>
    <message>
        <source>#rrggbb, #rrggbbaa, or red, green, blue and alpha as numbers</source>
        <translation>#rrggbb, #rrggbbaa oder Rot, Grün, Blau und Alpha als Zahlen</translation>
    </message>
    <message>
        <source>position of the stop</source>
        <translation>Position des Farbpunkts</translation>
    </message>
    <message>
        <source>This is not a colour: write #rrggbb, or numbers.</source>
        <translation>Das ist keine Farbe: Bitte #rrggbb oder Zahlen eingeben.</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::HistogramView</name>
    <message>
        <source>R</source>
        <comment>red</comment>
        <translation>R</translation>
    </message>
    <message>
        <source>G</source>
        <comment>green</comment>
        <translation>G</translation>
    </message>
    <message>
        <source>B</source>
        <comment>blue</comment>
        <translation>B</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Darker than black: %1</source>
        <translation>Dunkler als Schwarz: %1</translation>
    </message>
    <message>
        <source>Brighter than white: %1</source>
        <translation>Heller als Weiß: %1</translation>
    </message>
    <message>
        <source>Not a number: %1</source>
        <translation>Keine Zahl: %1</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>&amp;Logarithmic scale</source>
        <translation>&amp;Logarithmische Skala</translation>
    </message>
    <message>
        <source>Li&amp;near scale</source>
        <translation>Li&amp;neare Skala</translation>
    </message>
    <message>
        <source>After: filled. Before: lines.</source>
        <translation>Nachher: Flächen. Vorher: Linien.</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::ImageEditor</name>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>This file</source>
        <translation>Diese Datei</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>browse</source>
        <translation>Durchsuchen</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>None: drop a picture here</source>
        <translation>Keines: ein Bild hierher ziehen</translation>
    </message>
    <message>
        <source>the open picture&apos;s file</source>
        <translation>Datei des geöffneten Bildes</translation>
    </message>
    <message>
        <source>Channels of the open picture&apos;s own file</source>
        <translation>Kanäle aus der Datei des geöffneten Bildes</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Names of channels with commas between, such as N.X,N.Y,N.Z</source>
        <translation>Namen von Kanälen, durch Kommas getrennt, etwa N.X,N.Y,N.Z</translation>
    </message>
    <message>
        <source>Channels</source>
        <translation>Kanäle</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>Eine Datei…</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::MainWindow</name>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Export progress</source>
        <translation>Fortschritt des Exports</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the export</source>
        <translation>Export abbrechen</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>before %1   after %2</source>
        <translation>vorher %1   nachher %2</translation>
    </message>
    <message>
        <source>The export was cancelled; nothing was written.</source>
        <translation>Der Export wurde abgebrochen; es wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>no picture</source>
        <translation>kein Bild</translation>
    </message>
    <message>
        <source>%1[*] — Sfumato</source>
        <translation>%1[*] – Sfumato</translation>
    </message>
    <message>
        <source>Save the recipe?</source>
        <translation>Rezept speichern?</translation>
    </message>
    <message>
        <source>The recipe has changes that are not saved.</source>
        <translation>Das Rezept enthält Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;New window</source>
        <translation>&amp;Neues Fenster</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open rec&amp;ipe…</source>
        <translation>&amp;Rezept öffnen…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Shift+O</translation>
    </message>
    <message>
        <source>&amp;Save recipe…</source>
        <translation>Rezept &amp;speichern…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Paste a picture</source>
        <translation>Bild ein&amp;fügen</translation>
    </message>
    <message>
        <source>&amp;Find a filter</source>
        <translation>Filter &amp;suchen</translation>
    </message>
    <message>
        <source>&amp;Duplicate step</source>
        <translation>Schritt &amp;duplizieren</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>Re&amp;move step</source>
        <translation>Schritt &amp;entfernen</translation>
    </message>
    <message>
        <source>Ctrl+Backspace</source>
        <translation>Ctrl+Backspace</translation>
    </message>
    <message>
        <source>Ctrl+Up</source>
        <translation>Ctrl+Up</translation>
    </message>
    <message>
        <source>Ctrl+Down</source>
        <translation>Ctrl+Down</translation>
    </message>
    <message>
        <source>Ctrl+B</source>
        <translation>Ctrl+B</translation>
    </message>
    <message>
        <source>R&amp;eset parameters</source>
        <translation>&amp;Parameter zurücksetzen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>Preferen&amp;ces…</source>
        <translation>E&amp;instellungen…</translation>
    </message>
    <message>
        <source>Ctrl+,</source>
        <translation>Ctrl+,</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Split</source>
        <translation>&amp;Geteilt</translation>
    </message>
    <message>
        <source>Side &amp;by side</source>
        <translation>&amp;Nebeneinander</translation>
    </message>
    <message>
        <source>&amp;Result only</source>
        <translation>Nur E&amp;rgebnis</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>&amp;Einpassen</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>&amp;1:1</source>
        <translation>&amp;1:1</translation>
    </message>
    <message>
        <source>Ctrl+1</source>
        <translation>Ctrl+1</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>&amp;Vergrößern</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;About Sfumato</source>
        <translation>&amp;Über Sfumato</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>Which layer of the file is the picture</source>
        <translation>Welche Ebene der Datei das Bild ist</translation>
    </message>
    <message>
        <source>About Sfumato</source>
        <translation>Über Sfumato</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Sfumato %1&lt;/h3&gt;Filters on OpenCL, the same everywhere. Apache License 2.0.&lt;br&gt;For a bug report:</source>
        <translation>&lt;h3&gt;Sfumato %1&lt;/h3&gt;Filter mit OpenCL, überall dieselben. Apache-Lizenz 2.0.&lt;br&gt;Für einen Fehlerbericht:</translation>
    </message>
    <message>
        <source>Looking at the devices…</source>
        <translation>Geräte werden gesucht…</translation>
    </message>
    <message>
        <source>Versions of the program, libraries and drivers</source>
        <translation>Versionen des Programms, der Bibliotheken und der Treiber</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>cannot read %1; check that it is there and may be read</source>
        <translation>%1 kann nicht gelesen werden. Ist die Datei vorhanden und lesbar?</translation>
    </message>
    <message>
        <source>The clipboard holds no picture.</source>
        <translation>Die Zwischenablage enthält kein Bild.</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <translation>Eingefügtes Bild</translation>
    </message>
    <message>
        <source>The picture</source>
        <translation>Das Bild</translation>
    </message>
    <message>
        <source>Open recipe %1</source>
        <translation>Rezept %1 öffnen</translation>
    </message>
    <message>
        <source>cannot write %1; check the folder&apos;s permissions and the room left</source>
        <translation>%1 kann nicht geschrieben werden. Bitte die Rechte des Ordners und den freien Speicherplatz prüfen.</translation>
    </message>
    <message>
        <source>Recipe saved.</source>
        <translation>Rezept gespeichert.</translation>
    </message>
    <message>
        <source>An export is running already.</source>
        <translation>Es läuft bereits ein Export.</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n Schritt</numerusform>
            <numerusform>%n Schritte</numerusform>
        </translation>
    </message>
    <message>
        <source>Sfumato ended unexpectedly. Its last recipe, %1, can be restored.</source>
        <translation>Sfumato wurde unerwartet beendet. Das letzte Rezept (%1) kann wiederhergestellt werden.</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Open a picture</source>
        <translation>Bild öffnen</translation>
    </message>
    <message>
        <source>Open a recipe</source>
        <translation>Rezept öffnen</translation>
    </message>
    <message>
        <source>Recipes (*.json)</source>
        <translation>Rezepte (*.json)</translation>
    </message>
    <message>
        <source>Save the recipe</source>
        <translation>Rezept speichern</translation>
    </message>
    <message>
        <source>Open a picture first.</source>
        <translation>Bitte zuerst ein Bild öffnen.</translation>
    </message>
    <message>
        <source>pasted</source>
        <translation>eingefügt</translation>
    </message>
    <message>
        <source>filtered</source>
        <translation>gefiltert</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>&amp;Rückgängig: %1</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>&amp;Wiederholen: %1</translation>
    </message>
    <message>
        <source>M&amp;ove step up</source>
        <translation>Schritt nach &amp;oben</translation>
    </message>
    <message>
        <source>Mo&amp;ve step down</source>
        <translation>Schritt nach &amp;unten</translation>
    </message>
    <message>
        <source>&amp;Switch step on or off</source>
        <translation>Schritt ein- oder &amp;ausschalten</translation>
    </message>
    <message>
        <source>Open &amp;video or camera…</source>
        <translation>&amp;Video oder Kamera öffnen…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+V</source>
        <translation>Ctrl+Shift+V</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Navigator</source>
        <translation>Navigator</translation>
    </message>
    <message>
        <source>Spectrum</source>
        <translation>Spektrum</translation>
    </message>
    <message>
        <source>Views of the picture</source>
        <translation>Ansichten des Bildes</translation>
    </message>
    <message>
        <source>%1 is still being exported.</source>
        <translation>%1 wird noch exportiert.</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Abbrechen und schließen</translation>
    </message>
    <message>
        <source>Go on exporting</source>
        <translation>Weiter exportieren</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>Noch einmal öffnen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Jetzt nicht</translation>
    </message>
    <message>
        <source>Exported %1.</source>
        <translation>%1 exportiert.</translation>
    </message>
    <message>
        <source>“%1” holds the result now and was opened again; the steps would filter it once more.</source>
        <translation>„%1“ enthält jetzt das Ergebnis und wurde neu geöffnet; die Schritte würden es noch einmal filtern.</translation>
    </message>
    <message>
        <source>Clear the steps</source>
        <translation>Schritte entfernen</translation>
    </message>
    <message>
        <source>Keep the steps</source>
        <translation>Schritte behalten</translation>
    </message>
    <message>
        <source>Movies (%1)</source>
        <translation>Filme (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Pictures (%1)</source>
        <translation>Bilder (%1)</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>%1 wird geöffnet …</translation>
    </message>
    <message>
        <source>The steps before were not saved; Undo (Ctrl+Z) brings them back.</source>
        <translation>Die vorherigen Schritte waren nicht gespeichert; „Rückgängig“ (Strg+Z) holt sie zurück.</translation>
    </message>
    <message>
        <source>Sfumato ended unexpectedly. Its last recipe for “%1”, %2, can be restored.</source>
        <translation>Sfumato wurde unerwartet beendet. Das letzte Rezept für „%1“ (%2) kann wiederhergestellt werden.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation>Ctrl+Shift+E</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>R&amp;ender again</source>
        <translation>Erneut ren&amp;dern</translation>
    </message>
    <message>
        <source>&amp;Cancel rendering</source>
        <translation>Rendern &amp;abbrechen</translation>
    </message>
    <message>
        <source>Alt+%1</source>
        <comment>a dock&apos;s number</comment>
        <translation>Alt+%1</translation>
    </message>
    <message>
        <source>&amp;User guide</source>
        <translation>&amp;Benutzerhandbuch</translation>
    </message>
    <message>
        <source>&amp;What’s this?</source>
        <translation>&amp;Was ist das?</translation>
    </message>
    <message>
        <source>Shift+F1</source>
        <translation>Shift+F1</translation>
    </message>
    <message>
        <source>Ctrl+F1</source>
        <translation>Ctrl+F1</translation>
    </message>
    <message>
        <source>User guide</source>
        <translation>Benutzerhandbuch</translation>
    </message>
    <message>
        <source>&amp;Batch…</source>
        <translation>S&amp;tapel…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+B</source>
        <translation>Ctrl+Shift+B</translation>
    </message>
    <message>
        <source>A recipe that was left behind cannot be read here; it is kept as %1.</source>
        <translation>Ein zurückgebliebenes Rezept ist hier nicht lesbar; es liegt nun als %1.</translation>
    </message>
    <message>
        <source>There is no room to keep the restored steps; what was left behind stays in %1.</source>
        <translation>Es fehlt der Platz, um die wiederhergestellten Schritte zu sichern; das Zurückgebliebene bleibt in %1.</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::MatrixEditor</name>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>as text</source>
        <translation>als Text</translation>
    </message>
    <message>
        <source>Weights with spaces between, rows with semicolons between</source>
        <translation>Gewichte durch Leerzeichen, Zeilen durch Semikolons getrennt</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::MatrixModel</name>
    <message>
        <source>row %1, column %2</source>
        <translation>Zeile %1, Spalte %2</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::MessageBar</name>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Close this question without an answer</source>
        <translation>Diese Frage ohne Antwort schließen</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::Navigator</name>
    <message>
        <source>Navigator</source>
        <translation>Navigator</translation>
    </message>
    <message>
        <source>Click, drag or use the arrow keys to move the view</source>
        <translation>Zum Verschieben der Ansicht klicken, ziehen oder die Pfeiltasten verwenden</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::NumberEditor</name>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>°</source>
        <translation>°</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::ParameterEditor</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::ParameterPanel</name>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Settings that every filter has</source>
        <translation>Einstellungen, die jeder Filter hat</translation>
    </message>
    <message>
        <source>The settings of the chosen step come here</source>
        <translation>Hier erscheinen die Einstellungen des gewählten Schritts</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::ParameterRow</name>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset to %1</source>
        <translation>Auf %1 zurücksetzen</translation>
    </message>
    <message>
        <source>Gives the parameter its default again.</source>
        <translation>Setzt den Parameter auf seinen Standardwert zurück.</translation>
    </message>
    <message>
        <source>How far a pixel reaches: three times sigma</source>
        <translation>Wie weit ein Pixel reicht: das Dreifache von Sigma</translation>
    </message>
    <message>
        <source>3σ = %1</source>
        <translation>3σ = %1</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::PreferencesDialog</name>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Another language shows after the next start.</source>
        <translation>Eine andere Sprache erscheint nach dem nächsten Start.</translation>
    </message>
    <message>
        <source>Automatic: the fastest</source>
        <translation>Automatisch: das schnellste</translation>
    </message>
    <message>
        <source>None: compute on the processor, slowly</source>
        <translation>Keines: langsam auf dem Prozessor rechnen</translation>
    </message>
    <message>
        <source> MB</source>
        <translation> MB</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Programs are compiled again when they are next used</source>
        <translation>Programme werden bei der nächsten Verwendung neu kompiliert</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>Device &amp;memory</source>
        <translation>Geräte&amp;speicher</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>D&amp;urchsuchen…</translation>
    </message>
    <message>
        <source>The screen&apos;s colour profile</source>
        <translation>Farbprofil des Bildschirms</translation>
    </message>
    <message>
        <source>ICC profiles (*.icc *.icm)</source>
        <translation>ICC-Profile (*.icc *.icm)</translation>
    </message>
    <message>
        <source>What the screen says, else sRGB</source>
        <translation>Vom Bildschirm, sonst sRGB</translation>
    </message>
    <message>
        <source>Screen profile</source>
        <translation>Bildschirmprofil</translation>
    </message>
    <message>
        <source>Screen &amp;profile</source>
        <translation>&amp;Bildschirmprofil</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>Programs that were not used for longest are removed first</source>
        <translation>Was am längsten nicht benutzt wurde, wird zuerst entfernt</translation>
    </message>
    <message>
        <source>Most room for compiled programs</source>
        <translation>Höchster Platzbedarf kompilierter Programme</translation>
    </message>
    <message>
        <source>Compiled pro&amp;grams</source>
        <translation>&amp;Kompilierte Programme</translation>
    </message>
    <message>
        <source>%1 of at most</source>
        <translation>%1 von höchstens</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::PresetMenu</name>
    <message>
        <source>&amp;Presets</source>
        <translation>&amp;Vorgaben</translation>
    </message>
    <message>
        <source>&amp;Save as preset…</source>
        <translation>Als Vorgabe &amp;speichern…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+S</source>
        <translation>Ctrl+Shift+S</translation>
    </message>
    <message>
        <source>&amp;Import preset…</source>
        <translation>Vorgabe &amp;importieren…</translation>
    </message>
    <message>
        <source>Import a preset</source>
        <translation>Vorgabe importieren</translation>
    </message>
    <message>
        <source>Recipes (*.json)</source>
        <translation>Rezepte (*.json)</translation>
    </message>
    <message>
        <source>&amp;Own presets</source>
        <translation>&amp;Eigene Vorgaben</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Umbenennen…</translation>
    </message>
    <message>
        <source>Rename the preset</source>
        <translation>Vorgabe umbenennen</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren…</translation>
    </message>
    <message>
        <source>Export the preset</source>
        <translation>Vorgabe exportieren</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Delete the preset</source>
        <translation>Vorgabe löschen</translation>
    </message>
    <message>
        <source>Delete the preset “%1”? This cannot be undone.</source>
        <translation>Die Vorgabe „%1“ löschen? Das kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>Vorgabe %1</translation>
    </message>
    <message>
        <source>Save as preset</source>
        <translation>Als Vorgabe speichern</translation>
    </message>
    <message>
        <source>There is a preset “%1” already. Replace it?</source>
        <translation>Die Vorgabe „%1“ ist bereits vorhanden. Ersetzen?</translation>
    </message>
    <message>
        <source>Preset “%1” saved.</source>
        <translation>Vorgabe „%1“ gespeichert.</translation>
    </message>
    <message>
        <source>Preset renamed to “%1”.</source>
        <translation>Vorgabe in „%1“ umbenannt.</translation>
    </message>
    <message>
        <source>Preset “%1” deleted.</source>
        <translation>Vorgabe „%1“ gelöscht.</translation>
    </message>
    <message>
        <source>Preset “%1” imported.</source>
        <translation>Vorgabe „%1“ importiert.</translation>
    </message>
    <message>
        <source>Preset exported.</source>
        <translation>Vorgabe exportiert.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+I</source>
        <translation>Ctrl+Shift+I</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::PreviewPane</name>
    <message>
        <source>Split</source>
        <translation>Geteilt</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Result only</source>
        <translation>Nur Ergebnis</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>1:1</source>
        <translation>1:1</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::PreviewView</name>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Cancelled. Change something or press F5 to render again</source>
        <translation>Abgebrochen. Zum erneuten Berechnen etwas ändern oder F5 drücken</translation>
    </message>
    <message>
        <source>Approximate, refining…</source>
        <translation>Näherung, wird verfeinert…</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Genau</translation>
    </message>
    <message>
        <source>Approximate at this zoom</source>
        <translation>Näherung in dieser Zoomstufe</translation>
    </message>
    <message>
        <source>Show it at 1:1, where it is exact</source>
        <translation>In 1:1 anzeigen, wo die Vorschau genau ist</translation>
    </message>
    <message>
        <source>True at 1:1 only</source>
        <translation>Nur bei 1:1 zutreffend</translation>
    </message>
    <message>
        <source>Open a picture, or drop one here</source>
        <translation>Ein Bild öffnen oder hierher ziehen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::ProgressRing</name>
    <message>
        <source>Rendering</source>
        <translation>Berechnung</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel rendering</source>
        <translation>Berechnung abbrechen</translation>
    </message>
    <message>
        <source>Cancel rendering (Esc)</source>
        <translation>Berechnung abbrechen (Esc)</translation>
    </message>
    <message>
        <source>%1 % done</source>
        <translation>%1 % fertig</translation>
    </message>
    <message>
        <source>%1 %</source>
        <comment>of a render</comment>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::RecipeChoice</name>
    <message>
        <source>Recipe</source>
        <translation>Rezept</translation>
    </message>
    <message>
        <source>Choose a recipe</source>
        <translation>Rezept wählen</translation>
    </message>
    <message>
        <source>A recipe file…</source>
        <translation>Eine Rezeptdatei …</translation>
    </message>
    <message>
        <source>Recipes (*.json)</source>
        <translation>Rezepte (*.json)</translation>
    </message>
    <message>
        <source>The editor’s steps</source>
        <translation>Die Schritte des Editors</translation>
    </message>
    <message>
        <source>There is no preset “%1”.</source>
        <translation>Es gibt keine Vorgabe „%1“.</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::ResponsePlot</name>
    <message>
        <source>Sums to %1, without end</source>
        <translation>Summe %1, unbegrenzt</translation>
    </message>
    <message>
        <source>Sums to %1, %2 px wide</source>
        <translation>Summe %1, %2 px breit</translation>
    </message>
    <message>
        <source>Halves a period of %1 px</source>
        <translation>Halbiert eine Periode von %1 px</translation>
    </message>
    <message>
        <source>Strongest at %1 px</source>
        <translation>Am stärksten bei %1 px</translation>
    </message>
    <message>
        <source>Passes %1 to %2</source>
        <translation>Lässt %1 bis %2 durch</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Faltungskern</translation>
    </message>
    <message>
        <source>What becomes of a line one pixel wide</source>
        <translation>Was aus einer ein Pixel breiten Linie wird</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Frequenzgang</translation>
    </message>
    <message>
        <source>How much of each frequency passes; 1 is the highest, a period of 2 px</source>
        <translation>Wie viel jeder Frequenz durchkommt; 1 ist die höchste, eine Periode von 2 px</translation>
    </message>
    <message>
        <source>%1, down the columns</source>
        <translation>%1, entlang der Spalten</translation>
    </message>
    <message>
        <source>Frequency response</source>
        <translation>Frequenzgang</translation>
    </message>
    <message>
        <source>Response of the filter</source>
        <translation>Wirkung des Filters</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::SpectrumView</name>
    <message>
        <source>Spectrum</source>
        <translation>Spektrum</translation>
    </message>
    <message>
        <source>Low frequencies lie in the middle, the finest detail at the edges; bright: strong</source>
        <translation>Niedrige Frequenzen liegen in der Mitte, die feinsten Details an den Rändern; hell: stark</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>No picture</source>
        <translation>Kein Bild</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::StackView</name>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Duplicate step</source>
        <translation>Schritt duplizieren</translation>
    </message>
    <message>
        <source>Remove step</source>
        <translation>Schritt entfernen</translation>
    </message>
    <message>
        <source>Double-click a filter to add it here</source>
        <translation>Ein Doppelklick auf einen Filter fügt ihn hier hinzu</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::VideoSource</name>
    <message>
        <source>%1 cannot be played: %2</source>
        <translation>%1 kann nicht abgespielt werden: %2</translation>
    </message>
    <message>
        <source>There is no camera.</source>
        <translation>Es ist keine Kamera vorhanden.</translation>
    </message>
    <message>
        <source>The camera cannot be used: %1</source>
        <translation>Die Kamera kann nicht verwendet werden: %1</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::VideoView</name>
    <message>
        <source>%1 frames/s</source>
        <translation>%1 Bilder/s</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Place in the movie</source>
        <translation>Stelle im Film</translation>
    </message>
    <message>
        <source>How many frames a second are filtered</source>
        <translation>Wie viele Bilder je Sekunde gefiltert werden</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Open a movie, or drop one here</source>
        <translation>Film öffnen oder hier ablegen</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::VideoWindow</name>
    <message>
        <source>Video — Sfumato</source>
        <translation>Video – Sfumato</translation>
    </message>
    <message>
        <source>Video</source>
        <translation>Video</translation>
    </message>
    <message>
        <source>&amp;Open movie…</source>
        <translation>Film ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>&amp;Camera</source>
        <translation>&amp;Kamera</translation>
    </message>
    <message>
        <source>&amp;Write filtered movie…</source>
        <translation>Gefilterten Film &amp;schreiben…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Progress of the movie</source>
        <translation>Fortschritt des Films</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop writing the movie</source>
        <translation>Das Schreiben des Films abbrechen</translation>
    </message>
    <message>
        <source>This recipe takes seconds for a frame; the movie is shown as far as it keeps up.</source>
        <translation>Dieses Rezept braucht Sekunden für ein Bild; der Film wird gezeigt, soweit es mitkommt.</translation>
    </message>
    <message>
        <source>Show the camera through the recipe</source>
        <translation>Die Kamera durch das Rezept zeigen</translation>
    </message>
    <message>
        <source>Movies are written by the program ffmpeg, which is not installed.</source>
        <translation>Filme schreibt das Programm ffmpeg, das nicht installiert ist.</translation>
    </message>
    <message>
        <source>A movie is being written.</source>
        <translation>Ein Film wird gerade geschrieben.</translation>
    </message>
    <message>
        <source>Open a movie first.</source>
        <translation>Zuerst einen Film öffnen.</translation>
    </message>
    <message>
        <source>Write every frame through the recipe into another movie</source>
        <translation>Jedes Bild durch das Rezept in einen anderen Film schreiben</translation>
    </message>
    <message>
        <source>%1 — Sfumato</source>
        <translation>%1 – Sfumato</translation>
    </message>
    <message>
        <source>Camera — Sfumato</source>
        <translation>Kamera – Sfumato</translation>
    </message>
    <message>
        <source>“%1” uses another picture beside the frame, which a movie has not. Switch that step off to see the others.</source>
        <translation>„%1“ braucht neben dem Filmbild ein weiteres Bild, das ein Film nicht hat. Diesen Schritt ausschalten, um die übrigen zu sehen.</translation>
    </message>
    <message>
        <source>Open a movie</source>
        <translation>Film öffnen</translation>
    </message>
    <message>
        <source>Movies (%1)</source>
        <translation>Filme (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Write the filtered movie</source>
        <translation>Gefilterten Film schreiben</translation>
    </message>
    <message>
        <source>filtered</source>
        <translation>gefiltert</translation>
    </message>
    <message>
        <source>Numbered pictures (*.png *.tif *.exr *.jpg)</source>
        <translation>Nummerierte Bilder (*.png *.tif *.exr *.jpg)</translation>
    </message>
    <message>
        <source>“%1” exists. Replace it?</source>
        <translation>„%1“ ist vorhanden. Ersetzen?</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>%1 wird geschrieben</translation>
    </message>
    <message numerus="yes">
        <source>%1 is written: %n frame(s).</source>
        <translation>
            <numerusform>%1 ist geschrieben: %n Bild.</numerusform>
            <numerusform>%1 ist geschrieben: %n Bilder.</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancelled; nothing was written.</source>
        <translation>Abgebrochen; es wurde nichts geschrieben.</translation>
    </message>
    <message numerus="yes">
        <source>Cancelled; %n picture(s) were written.</source>
        <translation>
            <numerusform>Abgebrochen; %n Bild wurde geschrieben.</numerusform>
            <numerusform>Abgebrochen; %n Bilder wurden geschrieben.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is still being written.</source>
        <translation>%1 wird noch geschrieben.</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Abbrechen und schließen</translation>
    </message>
    <message>
        <source>Go on writing</source>
        <translation>Weiterschreiben</translation>
    </message>
    <message>
        <source>%1 is no movie; pictures and recipes go to the editor&apos;s window.</source>
        <translation>%1 ist kein Film; Bilder und Rezepte gehören ins Fenster des Editors.</translation>
    </message>
    <message numerus="yes">
        <source>“%1” and %n more picture(s) of this name exist. Replace them all?</source>
        <translation>
            <numerusform>„%1“ und noch %n Bild dieses Namens sind vorhanden. Alle ersetzen?</numerusform>
            <numerusform>„%1“ und noch %n Bilder dieses Namens sind vorhanden. Alle ersetzen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>There is no camera. Connect one and try again.</source>
        <translation>Es ist keine Kamera da. Bitte eine anschließen und noch einmal versuchen.</translation>
    </message>
    <message>
        <source>Movies (*.mp4 *.mkv *.mov *.m4v)</source>
        <translation>Filme (*.mp4 *.mkv *.mov *.m4v)</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::VideoWriter</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>%1 kann nicht gelesen werden: %2</translation>
    </message>
    <message>
        <source>%1 holds no movie.</source>
        <translation>%1 enthält keinen Film.</translation>
    </message>
    <message>
        <source>The movie cannot be read on: %1</source>
        <translation>Der Film kann nicht weiter gelesen werden: %1</translation>
    </message>
    <message>
        <source>%1 is there already.</source>
        <translation>%1 ist bereits vorhanden.</translation>
    </message>
    <message>
        <source>The movie cannot be written: %1</source>
        <translation>Der Film kann nicht geschrieben werden: %1</translation>
    </message>
    <message>
        <source>A movie cannot be written over itself.</source>
        <translation>Ein Film kann nicht über sich selbst geschrieben werden.</translation>
    </message>
    <message>
        <source>The program ffmpeg is not installed.</source>
        <translation>Das Programm ffmpeg ist nicht installiert.</translation>
    </message>
    <message>
        <source>The movie cannot be written: only %1 of %2 frames were kept.</source>
        <translation>Der Film kann nicht geschrieben werden: Nur %1 von %2 Einzelbildern sind erhalten geblieben.</translation>
    </message>
    <message>
        <source>%1 is being written already.</source>
        <translation>%1 wird gerade schon geschrieben.</translation>
    </message>
</context>
</TS>
