#compdef vf
# Completion of vf. In ~/.zshrc, behind compinit: source <(vf completion zsh)
_vf() {
  local line word about
  local -a described
  for line in "${(@f)$("$words[1]" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    word=${${line%%$'\t'*}//:/\\:} about=${line#*$'\t'}
    [[ -n $word ]] && described+=("$word${about:+:$about}")
  done
  if (( $#described )); then
    _describe -V vf described
  else
    _files
  fi
}
compdef _vf vf
