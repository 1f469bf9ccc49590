<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
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
        <source>{stem}: the file’s name, {recipe}, {ext}, {folder}: sub-folders of an added folder, {parent}: the last of them, {date}, {time}, {counter:4}: with that many digits, {frame}</source>
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
        <source>Ask before anything starts</source>
        <translation>Fragen, bevor etwas begonnen wird</translation>
    </message>
    <message>
        <source>Keep it and skip the picture</source>
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
        <translation>Wenn es die Datei gi&amp;bt</translation>
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
        <source>For pictures being processed; large ones mean fewer at once</source>
        <translation>Für Bilder in Arbeit; große werden zu wenigen zugleich bearbeitet</translation>
    </message>
    <message>
        <source>Memor&amp;y</source>
        <translation>S&amp;peicher</translation>
    </message>
    <message>
        <source>Where to find the picture for each file: {folder} is the file’s own folder, {stem} its name. %1</source>
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
        <source>First say where to find “%1” for each file.</source>
        <translation>Geben Sie zuerst an, wo „%1“ zu jeder Datei zu finden ist.</translation>
    </message>
    <message>
        <source>A picture for each frame of a movie</source>
        <translation>Ein Bild für jedes Bild eines Films</translation>
    </message>
    <message>
        <source>A picture for each frame and page</source>
        <translation>Ein Bild für jedes Einzelbild und jede Seite</translation>
    </message>
    <message>
        <source>One movie for all frames: %1</source>
        <translation>Ein Film aus allen Bildern: %1</translation>
    </message>
    <message>
        <source>One animated picture for all frames: %1</source>
        <translation>Ein bewegtes Bild aus allen Bildern: %1</translation>
    </message>
    <message>
        <source>What becomes of movies, animations (GIF, PNG, WebP) and files with several pages</source>
        <translation>Was aus Filmen, Animationen (GIF, PNG, WebP) und Dateien mit mehreren Seiten wird</translation>
    </message>
    <message>
        <source>F&amp;rames</source>
        <translation>&amp;Einzelbilder</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>&amp;Größe</translation>
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
        <source>Retry the files that failed</source>
        <translation>Die fehlgeschlagenen Dateien noch einmal versuchen</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>An&amp;halten</translation>
    </message>
    <message>
        <source>Start no further files until you continue</source>
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
        <source>Nothing was started: %1.</source>
        <translation>Nichts wurde begonnen: %1.</translation>
    </message>
    <message numerus="yes">
        <source>Nothing was started: %1; and %n more like it.</source>
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
        <source>Nothing was started</source>
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
    <name>sfumato::gui::CompareWindow</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1, at first %2</source>
        <translation>%1, zuerst %2</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>nicht vergleichbar</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>identisch</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>Vary</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>And</source>
        <translation>Und</translation>
    </message>
    <message>
        <source>With the &amp;original</source>
        <translation>Mit dem &amp;Original</translation>
    </message>
    <message>
        <source>Com&amp;pare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>Ab&amp;brechen</translation>
    </message>
    <message>
        <source>&amp;Save sheet…</source>
        <translation>Blatt &amp;speichern …</translation>
    </message>
    <message>
        <source>Compare — Sfumato</source>
        <translation>Vergleich — Sfumato</translation>
    </message>
    <message>
        <source>Choose what varies, then compare. Click a result to use it.</source>
        <translation>Wählen, was sich ändert, dann vergleichen. Ein Klick übernimmt ein Ergebnis.</translation>
    </message>
    <message>
        <source>Whole pictures</source>
        <translation>Ganze Bilder</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Differences in detail</source>
        <translation>Unterschiede im Ausschnitt</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>Fortschritt des Vergleichs</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>and</source>
        <translation>und</translation>
    </message>
    <message>
        <source>Choose at least two values.</source>
        <translation>Mindestens zwei Werte wählen.</translation>
    </message>
    <message>
        <source>%1 results are too many to look at; %2 are the most.</source>
        <translation>%1 Ergebnisse sind zu viele zum Ansehen; höchstens %2 sind möglich.</translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation>Ausgelassen: %1</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Open a picture first.</source>
        <translation>Bitte zuerst ein Bild öffnen.</translation>
    </message>
    <message>
        <source>Use these steps</source>
        <translation>Diese Schritte übernehmen</translation>
    </message>
    <message>
        <source>Save the sheet</source>
        <translation>Blatt speichern</translation>
    </message>
    <message>
        <source>Pictures (*.png *.tif *.jpg);;Pages with a slider (*.html)</source>
        <translation>Bilder (*.png *.tif *.jpg);;Seiten mit Schieber (*.html)</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 gespeichert.</translation>
    </message>
    <message>
        <source>Compared with</source>
        <translation>Verglichen mit</translation>
    </message>
    <message>
        <source>Compared &amp;with</source>
        <translation>Ver&amp;glichen mit</translation>
    </message>
    <message>
        <source>the first method</source>
        <translation>der ersten Methode</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>%1 is the picture that is compared; choose another name.</source>
        <translation>%1 ist das Bild, das verglichen wird; bitte einen anderen Namen wählen.</translation>
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
        <source>“%1” is the open original. Replace it with the result? Its present content will be lost.</source>
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
    <message>
        <source>&amp;As the original</source>
        <translation>&amp;Wie das Original</translation>
    </message>
    <message>
        <source>Quality %1, estimated</source>
        <translation>Qualität %1, geschätzt</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>&amp;Größe</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::Exporter</name>
    <message>
        <source>“%1” was changed after it was opened; nothing was exported. Open it again to continue with its present content.</source>
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
        <source>Needs another picture, to be set in its parameters.</source>
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
        <source>Return adds the selected filter</source>
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
        <source>Channel names separated by commas, such as N.X,N.Y,N.Z</source>
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
        <source>The layer of the file to use as the picture</source>
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
        <source>There is no space to keep the restored steps; the recovered file stays in %1.</source>
        <translation>Es fehlt der Platz, um die wiederhergestellten Schritte zu sichern; das Zurückgebliebene bleibt in %1.</translation>
    </message>
    <message>
        <source>Compare &amp;variants…</source>
        <translation>Varian&amp;ten vergleichen …</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>Take “%1”</source>
        <translation>„%1“ übernehmen</translation>
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
        <source>Weights separated by spaces, rows by semicolons</source>
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
        <source>The settings of the selected step appear here</source>
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
        <source>Resets the parameter to its default.</source>
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
        <source>A change of language takes effect at the next start.</source>
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
        <source>As the screen reports, else sRGB</source>
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
        <source>The least recently used programs are removed first</source>
        <translation>Was am längsten nicht benutzt wurde, wird zuerst entfernt</translation>
    </message>
    <message>
        <source>Disk space for compiled programs</source>
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
    <name>sfumato::gui::Recovery</name>
    <message>
        <source>Unsaved steps are not kept in case the editor ends unexpectedly: the folder %1 cannot be written to (%2). Save the recipe.</source>
        <translation>Ungesicherte Schritte werden für den Fall, dass das Programm unerwartet endet, nicht aufgehoben: Der Ordner %1 ist nicht beschreibbar (%2). Sichern Sie das Rezept.</translation>
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
        <source>The response to a line one pixel wide</source>
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
    <name>sfumato::gui::SizeEditor</name>
    <message>
        <source>As the original</source>
        <translation>Wie das Original</translation>
    </message>
    <message>
        <source>To fit into</source>
        <translation>Passend in</translation>
    </message>
    <message>
        <source>Percent</source>
        <translation>Prozent</translation>
    </message>
    <message>
        <source>Lanczos (sharp)</source>
        <translation>Lanczos (scharf)</translation>
    </message>
    <message>
        <source>Mitchell (soft)</source>
        <translation>Mitchell (weich)</translation>
    </message>
    <message>
        <source>Box (means)</source>
        <translation>Box (Mittelwerte)</translation>
    </message>
    <message>
        <source>How the new pixels are made, in linear light</source>
        <translation>Wie die neuen Pixel entstehen, in linearem Licht</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Largest width in pixels</source>
        <translation>Größte Breite in Pixeln</translation>
    </message>
    <message>
        <source>Largest height in pixels</source>
        <translation>Größte Höhe in Pixeln</translation>
    </message>
    <message>
        <source>Size in percent</source>
        <translation>Größe in Prozent</translation>
    </message>
    <message>
        <source>Filter for the size</source>
        <translation>Filter für die Größe</translation>
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
    <message>
        <source>Mean of the picture</source>
        <translation>Mittelwert des Bildes</translation>
    </message>
    <message>
        <source>Wavelength %1 px at %2°</source>
        <translation>Wellenlänge %1 px bei %2°</translation>
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
    <name>sfumato::gui::VariedRow</name>
    <message>
        <source>%1: values</source>
        <translation>%1: Werte</translation>
    </message>
    <message>
        <source>Values separated by commas</source>
        <translation>Durch Kommas getrennte Werte</translation>
    </message>
    <message>
        <source>%1: presets</source>
        <translation>%1: Vorgaben</translation>
    </message>
    <message>
        <source>nothing else</source>
        <translation>nichts weiter</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>Choose presets…</source>
        <translation>Vorgaben wählen …</translation>
    </message>
    <message>
        <source>present steps</source>
        <translation>jetzige Schritte</translation>
    </message>
    <message>
        <source>Values separated by semicolons</source>
        <translation>Werte, durch Semikolons getrennt</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::VideoSource</name>
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
        <source>This recipe takes seconds per frame; the movie shows as many frames as it can.</source>
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
        <source>“%1” needs another picture besides the frame, which a movie does not have. Switch that step off to see the others.</source>
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
        <source>%1 is not a movie; pictures and recipes go to the editor&apos;s window.</source>
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
        <source>Movies (*.mp4 *.mkv *.mov *.m4v *.webm)</source>
        <translation>Filme (*.mp4 *.mkv *.mov *.m4v *.webm)</translation>
    </message>
    <message>
        <source>Animated WebP (*.webp)</source>
        <translation>Bewegtes WebP (*.webp)</translation>
    </message>
</context>
<context>
    <name>sfumato::gui::VideoWriter</name>
    <message>
        <source>%1 is there already.</source>
        <translation>%1 ist bereits vorhanden.</translation>
    </message>
    <message>
        <source>A movie cannot be written over itself.</source>
        <translation>Ein Film kann nicht über sich selbst geschrieben werden.</translation>
    </message>
    <message>
        <source>The program ffmpeg is not installed.</source>
        <translation>Das Programm ffmpeg ist nicht installiert.</translation>
    </message>
</context>
</TS>
