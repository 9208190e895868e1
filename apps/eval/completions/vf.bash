# Completion of vf. In ~/.bashrc: source <(vf completion bash)
_vf() {
  # The line itself: bash cuts its words at ":", "=" and "@".
  local line="${COMP_LINE:0:COMP_POINT}" current="${COMP_WORDS[COMP_CWORD]}" words candidate
  read -ra words <<<"$line"
  case $line in *[[:space:]]) words+=("") ;; esac
  local whole="${words[${#words[@]} - 1]}"
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    COMPREPLY+=("${candidate#"${whole%"$current"}"}")
  done < <("${words[0]}" completion words -- "${words[@]:1}" 2>/dev/null)
}
complete -o default -F _vf vf
