# fish completion for previct. All shells ask `previct __complete` what to offer.

function __previct_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l lines ($words[1] __complete $words[2..-1] "$last" 2>/dev/null)
    or return
    set -l directive $lines[-1]
    set -e lines[-1]

    # fish replaces the whole word, the flag before a value with it.
    set -l stays (string match -r -- '^-[^=]*=' "$last")
    switch $directive
        case ':0'
            set lines (__fish_complete_path (string replace -r -- '^-[^=]*=' '' "$last"))
    end
    for line in $lines
        printf '%s%s\n' "$stays" "$line"
    end
end

complete -c previct -f -a '(__previct_complete)'
complete -c kubectl-previct -f -a '(__previct_complete)'
