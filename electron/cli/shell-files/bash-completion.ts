import { LONGEST_NAME } from '../command-base/families.ts';
import {
  type CompletedCommand,
  type CompletedOption,
  families,
  firstWords,
  nextWords,
  optionsWithValue,
  sharedOptions,
  typedNames,
} from './completion-facts.ts';

const wordsOf = (words: readonly { word: string }[]) => words.map(({ word }) => word).join(' ');
const namesOf = (options: readonly CompletedOption[]) => options.flatMap(typedNames).join(' ');

/** Returns one line of a `case` for the value of an option; null when there is nothing to propose. `command`: null for all. */
function valueCase(command: string | null, option: CompletedOption): string | null {
  if (!option.takesValue) return null;
  const pattern = `${command === null ? '*' : `'${command}'`}:--${option.name}`;
  const action =
    option.values.length > 0
      ? `_mediadesk_words '${option.values.join(' ')}'`
      : option.path === 'none'
        ? null
        : `_mediadesk_${option.path}s`;
  return action === null ? null : `    ${pattern}) ${action} ;;`;
}

/** Returns the completion of `mediadesk` for bash. It needs no other package. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const values = [
    ...sharedOptions().map((option) => valueCase(null, option)),
    ...commands.flatMap(({ name, options }) =>
      options.filter((option) => !sharedOptions().includes(option)).map((option) => valueCase(name, option)),
    ),
  ].filter((line) => line !== null);
  return `# Completion of mediadesk for bash. Made from the commands of mediadesk.

_mediadesk_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_mediadesk_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); }
_mediadesk_folders() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); }

_mediadesk_takes_value() {
  case $1 in
    ${optionsWithValue(commands).join(' | ')}) return 0 ;;
  esac
  return 1
}

_mediadesk_value() {
  case $1 in
${values.join('\n')}
  esac
}

_mediadesk() {
  local cur=\${COMP_WORDS[COMP_CWORD]} option='' name='' at word IFS=' '
  local -a typed=()
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case $word in
      =) ;;
      -*)
        option=''
        if _mediadesk_takes_value "$word"; then
          # bash cuts --name=value into three words.
          [[ \${COMP_WORDS[at + 1]} == '=' ]] && ((at++))
          if ((at + 1 >= COMP_CWORD)); then option=$word; else ((at++)); fi
        fi
        ;;
      help) ((\${#typed[@]} == 0)) || typed+=("$word") ;;
      *) typed+=("$word") ;;
    esac
  done
  [[ $cur == '=' ]] && cur=''
  for ((at = ${LONGEST_NAME}; at > 0; at--)); do
    name="\${typed[*]:0:at}"
    case $name in
      ${commands.map((each) => `'${each.name}'`).join(' | ')}) break ;;
    esac
  done
  if [[ -n $option ]]; then
    _mediadesk_value "$name:$option"
    return
  fi
  if [[ $cur == -* ]]; then
    case $name in
${commands.map(({ name, options }) => `      '${name}') _mediadesk_words '${namesOf(options)}' ;;`).join('\n')}
      *) _mediadesk_words '${namesOf(sharedOptions())}' ;;
    esac
    return
  fi
  if ((\${#typed[@]} == 0)); then
    _mediadesk_words '${wordsOf(firstWords(commands))}'
    return
  fi
  case "\${typed[*]}" in
${families(commands)
  .map((family) => `    '${family}') _mediadesk_words '${wordsOf(nextWords(commands, family))}'; return ;;`)
  .join('\n')}
  esac
  case $name in
${commands
  .filter(({ operands }) => operands !== 'none')
  .map(({ name, operands }) => `    '${name}') _mediadesk_${operands}s ;;`)
  .join('\n')}
  esac
}

complete -F _mediadesk mediadesk
`;
}
