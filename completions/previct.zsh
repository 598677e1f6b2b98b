#compdef previct kubectl-previct
# zsh completion for previct. All shells ask `previct __complete` what to offer.

_previct() {
  local -a typed lines offers
  local line directive text
  typed=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
  typed=("${(@)typed/#\~\//$HOME/}")
  lines=("${(@f)$("${(Q)words[1]}" __complete "${typed[@]}" 2> /dev/null)}")
  directive=${lines[-1]#:}
  lines[-1]=()
  for line in "${lines[@]}"; do
    text=${${line%%$'\t'*}//:/\\:}
    [[ $line == *$'\t'* ]] && text+=:${line#*$'\t'}
    offers+=("$text")
  done

  # A value is completed by itself, without the flag before it.
  [[ $PREFIX == -*=* ]] && compset -P '-*='
  if (( (directive & 4) == 0 )); then
    _files
  elif (( directive & 2 )); then
    _describe -t previct previct offers -S ''
  else
    _describe -t previct previct offers
  fi
}

if [[ $funcstack[1] == _previct ]]; then
  _previct "$@"
else
  compdef _previct previct kubectl-previct
fi
