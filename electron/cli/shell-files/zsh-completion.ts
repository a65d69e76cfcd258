import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedWord,
  families,
  firstWords,
  optionsWithValue,
  secondWords,
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
  local -a with_value described
  local option='' first='' second='' name='' word
  local -i at
  with_value=(${optionsWithValue(commands).join(' ')})
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    option=''
    if [[ $word == -* ]]; then
      if (( \${with_value[(Ie)$word]} )); then
        if (( at + 1 >= CURRENT )); then option=$word; else (( at++ )); fi
      fi
    elif [[ $word == help && -z $first ]]; then
    elif [[ -z $first ]]; then
      first=$word
    elif [[ -z $second ]]; then
      second=$word
    fi
  done
  if [[ -z $option && \${words[CURRENT]} == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  name="$first $second"
  case $name in
    (${commands
      .filter((each) => each.name.includes(' '))
      .map((each) => escaped(each.name))
      .join('|')}) ;;
    (*) name=$first ;;
  esac
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
  if [[ -z $first ]]; then
    described=(${describedWords(firstWords(commands))})
    _describe command described
    return
  fi
  if [[ -z $second ]]; then
    case $first in
${families(commands)
  .map(
    (first) =>
      `      (${first}) described=(${describedWords(secondWords(commands, first))}); _describe command described; return ;;`,
  )
  .join('\n')}
    esac
  fi
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
