# Completion of vf: vf completion fish > ~/.config/fish/completions/vf.fish
function __vf_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($words[1] completion words -- $words[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c vf -f -a '(__vf_complete)'
