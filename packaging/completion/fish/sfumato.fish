# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Fish completion for sfumato and sfumato-editor: the programs themselves know what may come next.

function __sfumato_complete
    set -l begun (commandline -ct)
    set -l words (commandline -opc)
    for line in (command $words[1] --complete-described $words[2..-1] "$begun" 2>/dev/null)
        set -l parts (string split \t -- $line)
        if test -n "$parts[1]"
            echo $line
            continue
        end
        switch "$parts[2]"
            case files
                if test (count $parts) -gt 2
                    set -l extensions (string replace -a ' ' '|' -- $parts[3])
                    __fish_complete_path "$begun" | string match -ri "/(?:\t|\$)|\.(?:$extensions)(?:\t|\$)" --entire
                else
                    __fish_complete_path "$begun"
                end
            case folders
                __fish_complete_directories "$begun" ''
        end
    end
end

complete -c sfumato -f -k -a '(__sfumato_complete)'
complete -c sfumato-editor -f -k -a '(__sfumato_complete)'
