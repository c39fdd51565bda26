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

/** A script for zsh 5, to be sourced or put into a folder of $fpath as `_rollcall`. compadd quotes what it inserts. */
export function zshCompletion(vocabulary: Vocabulary): string {
  const { commands, firstWords, groups } = vocabulary;
  const [roll] = commands;
  return `#compdef rollcall
# zsh completion for rollcall. Load it with: source <(rollcall completions zsh)
_rollcall_names() {
  local -a names
  names=("\${(@f)$(rollcall __names 2>/dev/null)}")
  names=("\${(@)names:#}")
  [[ -z $is_rest ]] && names=("\${(@)names:#-*}")
  compadd -a -- names
}
_rollcall() {
  local command='' is_rest='' is_named='' word flag
  local -i i
  for (( i = 2; i < CURRENT; i++ )); do
    word=\${(Q)words[i]}
    case $word in
      --) is_rest=1; break ;;
      ${spelled(valueFlags(vocabulary), '|')}) (( i++ )) ;;
      -*) ;;
      *)
        [[ -n $is_named ]] && continue
        command=\${command:+$command }$word
        case $command in ${groups.map(({ name }) => name).join('|')}) ;; *) is_named=1 ;; esac
        ;;
    esac
  done
  if [[ -z $is_rest ]]; then
    flag=\${words[CURRENT-1]}
    [[ $PREFIX == --*=* ]] && flag=\${PREFIX%%=*} && compset -P '--[a-z-]#='
    case $flag in
${valueFlags(vocabulary).map(valueCase).join('\n')}
    esac
    if [[ $PREFIX == -* ]]; then
      case $command in
${commands.map((command) => `        ${quoted(command.name)}) compadd -- ${spelled(flagsOf(command))} ;;`).join('\n')}
        *) compadd -- ${spelled(roll === undefined ? [] : flagsOf(roll))} ;;
      esac
      return
    fi
  fi
  case $command in
    '') [[ -z $is_rest ]] && compadd -- ${firstWords.join(' ')}; _rollcall_names ;;
${groups.map(({ name, members }) => `    ${name}) compadd -- ${members.join(' ')} ;;`).join('\n')}
${commands.map((command) => `    ${quoted(command.name)}) ${offer(wordsOf(command, vocabulary))} ;;`).join('\n')}
    *) _rollcall_names ;;
  esac
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then
  _rollcall "$@"
else
  compdef _rollcall rollcall
fi
`;
}

function valueCase({ spelled: name, spec }: NamedFlag): string {
  if (spec.kind === 'word' && spec.isFile) return `      ${name}) _files; return ;;`;
  const values = valuesOf(spec);
  const list = spec.kind === 'choices' ? "compset -P '*,'; compadd -S '' -- " : 'compadd -- ';
  return `      ${name}) ${values.length === 0 ? '' : `${list}${values.join(' ')}; `}return ;;`;
}

function offer(words: 'names' | readonly string[]): string {
  if (words === 'names') return '_rollcall_names';
  return words.length === 0 ? ':' : `compadd -- ${words.join(' ')}`;
}
