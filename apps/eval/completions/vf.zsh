#compdef vf
# Completion of vf. In ~/.zshrc, behind compinit: source <(vf completion zsh)
_vf() {
  local line
  local -a described
  for line in "${(@f)$("$words[1]" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  if (( $#described )); then
    _describe -V vf described
  else
    _files
  fi
}
compdef _vf vf
