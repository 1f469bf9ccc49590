<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
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
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing was started: %1; and %n more like it.</source>
        <translation>
            <numerusform>Nothing was started: %1; and %n more like it.</numerusform>
            <numerusform>Nothing was started: %1; and %n more like it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n file(s)</source>
        <translation>
            <numerusform>%1 of %n file</numerusform>
            <numerusform>%1 of %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n done</source>
        <translation>
            <numerusform>%n done</numerusform>
            <numerusform>%n done</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>%n left out</numerusform>
            <numerusform>%n left out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not done</source>
        <translation>
            <numerusform>%n not done</numerusform>
            <numerusform>%n not done</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sfumato::gui::MainWindow</name>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>sfumato::gui::VideoWindow</name>
    <message numerus="yes">
        <source>%1 is written: %n frame(s).</source>
        <translation>
            <numerusform>%1 is written: %n frame.</numerusform>
            <numerusform>%1 is written: %n frames.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cancelled; %n picture(s) were written.</source>
        <translation>
            <numerusform>Cancelled; %n picture was written.</numerusform>
            <numerusform>Cancelled; %n pictures were written.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“%1” and %n more picture(s) of this name exist. Replace them all?</source>
        <translation>
            <numerusform>“%1” and %n more picture of this name exist. Replace them all?</numerusform>
            <numerusform>“%1” and %n more pictures of this name exist. Replace them all?</numerusform>
        </translation>
    </message>
</context>
</TS>
