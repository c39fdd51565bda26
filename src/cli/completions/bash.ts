import {
  flagsOf,
  type NamedFlag,
  quoted,
  spelled,
  type Vocabulary,
  valueFlags,
  valuesOf,
  wordsOf,
} from './vocabulary.ts';

/**
 * A script for bash 3.2 and later. Names of sessions are never given to `compgen -W`, which would expand them: a
 * session called `$(…)` must not run anything.
 */
export function bashCompletion(vocabulary: Vocabulary): string {
  const { commands, firstWords, groups } = vocabulary;
  return `# bash completion for rollcall. Load it with: source <(rollcall completions bash)
_rollcall_offer() {
  local word quoted
  for word in "$@"; do
    [[ $word == "$cur"* ]] || continue
    [[ $word == -* && $cur != -* && -z $is_rest ]] && continue
    printf -v quoted '%q' "$word"
    COMPREPLY+=("$before$quoted")
  done
}
_rollcall_names() {
  local name names=()
  while IFS= read -r name; do names+=("$name"); done < <(rollcall __names 2>/dev/null)
  _rollcall_offer \${names[@]+"\${names[@]}"}
}
_rollcall() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local command='' is_rest='' is_named='' before='' word i
  COMPREPLY=()
  # bash makes three words of --flag=value.
  [[ $cur == '=' ]] && cur=''
  [[ $prev == '=' ]] && prev=\${COMP_WORDS[COMP_CWORD-2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      --) is_rest=1; break ;;
      ${spelled(valueFlags(vocabulary), ' | ')}) ((i++)); [[ \${COMP_WORDS[i]} == '=' ]] && ((i++)) ;;
      -* | =) ;;
      *)
        [[ -n $is_named ]] && continue
        command=\${command:+$command }$word
        case $command in ${groups.map(({ name }) => name).join(' | ')}) ;; *) is_named=1 ;; esac
        ;;
    esac
  done
  if [[ -z $is_rest ]]; then
    case $prev in
${valueFlags(vocabulary).map(valueCase).join('\n')}
    esac
    if [[ $cur == -* ]]; then
      case $command in
${commands.map((command) => `        ${quoted(command.name)}) _rollcall_offer ${spelled(flagsOf(command))} ;;`).join('\n')}
        *) _rollcall_offer ${spelled(commands[0] === undefined ? [] : flagsOf(commands[0]))} ;;
      esac
      return
    fi
  fi
  case $command in
    '') [[ -z $is_rest ]] && _rollcall_offer ${firstWords.join(' ')}; _rollcall_names ;;
${groups.map(({ name, members }) => `    ${name}) _rollcall_offer ${members.join(' ')} ;;`).join('\n')}
${commands.map((command) => `    ${quoted(command.name)}) ${offer(wordsOf(command, vocabulary))} ;;`).join('\n')}
    *) _rollcall_names ;;
  esac
}
complete -F _rollcall rollcall
`;
}

function valueCase({ spelled: name, spec }: NamedFlag): string {
  if (spec.kind === 'word' && spec.isFile) {
    return `      ${name}) compopt -o filenames 2>/dev/null; while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur"); return ;;`;
  }
  const values = valuesOf(spec);
  const list =
    spec.kind === 'choices'
      ? `[[ $cur == *,* ]] && before="\${cur%,*}," cur="\${cur##*,}"; compopt -o nospace 2>/dev/null; `
      : '';
  return `      ${name}) ${list}${values.length === 0 ? '' : `_rollcall_offer ${values.join(' ')}; `}return ;;`;
}

function offer(words: 'names' | readonly string[]): string {
  if (words === 'names') return '_rollcall_names';
  return words.length === 0 ? ':' : `_rollcall_offer ${words.join(' ')}`;
}
