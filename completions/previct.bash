# bash completion for previct. All shells ask `previct __complete` what to offer.

_previct() {
    local words=() word previous= i
    # bash cuts words at = and :, previct does not.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        [[ $word == '~/'* ]] && word=$HOME${word:1}
        word=${word//[\'\"\\]/}
        if [[ $word == [=:]* || $previous == [=:]* ]] && ((${#words[@]} > 0)); then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        previous=$word
    done

    # Unless the user made = part of words, what is before it stays.
    local line directive=4 stays=
    [[ ${COMP_WORDS[COMP_CWORD]} == -*=* ]] && stays=${COMP_WORDS[COMP_CWORD]%%=*}=
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :* ]]; then
            directive=${line#:}
        else
            COMPREPLY+=("$stays${line%%$'\t'*}")
        fi
    done < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2> /dev/null)
    if ((directive & 4)); then
        compopt +o default
    fi
    if ((directive & 2)); then
        compopt -o nospace
    fi
}

complete -o default -F _previct previct kubectl-previct
