import { LONGEST_NAME } from '../command-base/families.ts';
import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedWord,
  families,
  firstWords,
  nextWords,
  optionsWithValue,
  sharedOptions,
  typedNames,
} from './completion-facts.ts';

/** Returns a text in single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** Returns a proposal with its meaning, as `_describe` reads it. */
const described = (word: string, meaning: string) => quoted(`${word.replaceAll(':', '\\:')}:${meaning}`);
const describedWords = (words: readonly CompletedWord[]) =>
  words.map(({ word, summary }) => described(word, summary)).join(' ');
const describedOptions = (options: readonly CompletedOption[]) =>
  options.flatMap((option) => typedNames(option).map((name) => described(name, option.help))).join(' ');
const FILES: Readonly<Record<string, string>> = { file: '_files', folder: '_files -/' };

function valueCase(command: string, option: CompletedOption): string | null {
  if (!option.takesValue) return null;
  const action = option.values.length > 0 ? `compadd -- ${option.values.join(' ')}` : FILES[option.path];
  return action === undefined ? null : `    (${command}:--${option.name}) ${action} ;;`;
}

const escaped = (name: string) => name.replaceAll(' ', '\\ ');

/** Returns the completion of `mediadesk` for zsh, to be saved as `_mediadesk`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const values = [
    ...sharedOptions().map((option) => valueCase('*', option)),
    ...commands.flatMap(({ name, options }) =>
      options.filter((option) => !sharedOptions().includes(option)).map((option) => valueCase(escaped(name), option)),
    ),
  ].filter((line) => line !== null);
  return `#compdef mediadesk
# Completion of mediadesk for zsh. Made from the commands of mediadesk.

_mediadesk_value() {
  case $1 in
${values.join('\n')}
  esac
}

_mediadesk() {
  local -a with_value described typed
  local option='' name='' word
  local -i at
  with_value=(${optionsWithValue(commands).join(' ')})
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    option=''
    if [[ $word == -* ]]; then
      if (( \${with_value[(Ie)$word]} )); then
        if (( at + 1 >= CURRENT )); then option=$word; else (( at++ )); fi
      fi
    elif [[ $word != help || $#typed -gt 0 ]]; then
      typed+=("$word")
    fi
  done
  if [[ -z $option && \${words[CURRENT]} == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  for ((at = ${LONGEST_NAME}; at > 0; at--)); do
    name="\${(j: :)typed[1,at]}"
    case $name in
      (${commands.map((each) => escaped(each.name)).join('|')}) break ;;
    esac
  done
  if [[ -n $option ]]; then
    _mediadesk_value "$name:$option"
    return
  fi
  if [[ \${words[CURRENT]} == -* ]]; then
    case $name in
${commands.map(({ name, options }) => `      (${escaped(name)}) described=(${describedOptions(options)}) ;;`).join('\n')}
      (*) described=(${describedOptions(sharedOptions())}) ;;
    esac
    _describe -o option described
    return
  fi
  if (( $#typed == 0 )); then
    described=(${describedWords(firstWords(commands))})
    _describe command described
    return
  fi
  case "\${(j: :)typed}" in
${families(commands)
  .map(
    (family) =>
      `    (${escaped(family)}) described=(${describedWords(nextWords(commands, family))}); _describe command described; return ;;`,
  )
  .join('\n')}
  esac
  case $name in
${commands
  .filter(({ operands }) => operands !== 'none')
  .map(({ name, operands }) => `    (${escaped(name)}) ${FILES[operands]} ;;`)
  .join('\n')}
  esac
}

_mediadesk "$@"
`;
}
