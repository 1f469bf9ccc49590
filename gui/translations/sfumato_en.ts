<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
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
