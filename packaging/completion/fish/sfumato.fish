# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Fish completion for sfumato and sfumato-editor: the programs themselves list what may come next.

# Files and folders that continue $argv[1], a token as typed. Quotes, backslashes, ~ and "--option="
# are handled by fish's own completion of a command without completions.
function __sfumato_paths
    complete -C "'' $argv[1]"
end

# A token as typed, without its quotes; a quote may still be open.
function __sfumato_unquoted
    for end in '' '"' "'"
        string unescape -- "$argv[1]$end" 2>/dev/null
        and return
    end
    printf '%s\n' "$argv[1]"
end

function __sfumato_complete
    set -l partial (commandline -ct)
    set -l words (commandline -opc)
    set -l offered 0
    set -l any_file 0
    for line in (command $words[1] --complete-described $words[2..-1] (__sfumato_unquoted "$partial") 2>/dev/null)
        set -l parts (string split \t -- $line)
        if test -n "$parts[1]"
            echo $line
            set offered 1
            continue
        end
        switch "$parts[2]"
            case files
                set any_file 1
                if test (count $parts) -gt 2
                    set -l extensions (string trim -- $parts[3] | string replace -a ' ' '|')
                    __sfumato_paths "$partial" | string match -ri "/\$|\.(?:$extensions)\$" --entire
                    and set offered 1
                end
            case folders
                __sfumato_paths "$partial" | string match -r '/$' --entire
        end
    end
    # Any file name is allowed: if nothing else matches, all files do.
    if test $any_file -eq 1 -a $offered -eq 0
        __sfumato_paths "$partial"
    end
end

complete -c sfumato -f -k -a '(__sfumato_complete)'
complete -c sfumato-editor -f -k -a '(__sfumato_complete)'
