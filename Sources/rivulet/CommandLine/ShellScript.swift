/// The script that lets a shell complete words of the command: all of them ask the program itself, so that there
/// is nothing in them that could be out of date.
enum ShellScript: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script, to be read by the shell.
  var text: String {
    switch self {
    case .bash:
      #"""
      # Completions of rivulet for bash. Read it in ~/.bashrc: source <(rivulet completions bash)
      _rivulet() {
        local words=() word line partial="" index
        # Bash parts words at = and :, which are no ends of words here.
        for ((index = 1; index <= COMP_CWORD; index++)); do
          word=${COMP_WORDS[index]}
          if ((${#words[@]} > 0)) && [[ $word == [=:]* || ${words[-1]} == *[=:] ]]; then
            words[-1]+=$word
          else
            words+=("$word")
          fi
        done
        if ((${#words[@]} > 0)); then partial=${words[-1]}; fi
        # What bash replaces begins after the last of these.
        local kept=${partial%"${partial##*[=:]}"}
        COMPREPLY=()
        while IFS= read -r line; do
          case $line in
            :path) compopt -o filenames 2>/dev/null
              while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${partial##*[=:]}") ;;
            *) word=${line%%$'\t'*}
              COMPREPLY+=("${word#"$kept"}") ;;
          esac
        done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
      }
      complete -F _rivulet rivulet

      """#
    case .zsh:
      #"""
      #compdef rivulet
      # Completions of rivulet for zsh. Put it into a folder of $fpath as _rivulet, or: source <(rivulet completions zsh)
      _rivulet() {
        local line
        local -a names shown
        local paths=0
        while IFS= read -r line; do
          if [[ $line == :path ]]; then
            paths=1
          else
            names+=("${line%%$'\t'*}")
            if [[ $line == *$'\t'?* ]]; then
              shown+=("${line%%$'\t'*}  ${line#*$'\t'}")
            else
              shown+=("${line%%$'\t'*}")
            fi
          fi
        done < <("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
        (( ${#names} )) && compadd -Q -l -d shown -- "${names[@]}"
        (( paths )) && { compset -P '*='; _files }
        return 0
      }
      if [[ ${funcstack[1]} == _rivulet ]]; then _rivulet "$@"; else compdef _rivulet rivulet; fi

      """#
    case .fish:
      #"""
      # Completions of rivulet for fish. Put it into ~/.config/fish/completions/rivulet.fish
      function __rivulet_complete
        set -l words (commandline -opc) (commandline -ct)
        for line in ($words[1] complete -- $words[2..] 2>/dev/null)
          if test "$line" = :path
            __fish_complete_path (commandline -ct)
          else
            echo $line
          end
        end
      end
      complete -c rivulet -f -a '(__rivulet_complete)'

      """#
    }
  }
}
