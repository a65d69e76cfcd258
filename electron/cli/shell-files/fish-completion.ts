import { LONGEST_NAME } from '../command-base/families.ts';
import {
  type CompletedCommand,
  type CompletedOption,
  families,
  firstWords,
  nextWords,
  optionsWithValue,
  sharedOptions,
} from './completion-facts.ts';

/** Returns a text in single quotes. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Returns the words that describe an option and its value. */
function optionWords({ name, short, takesValue, values, path, help }: CompletedOption): string {
  const value = !takesValue
    ? []
    : values.length > 0
      ? ['-x', '-a', quoted(values.join(' '))]
      : path === 'file'
        ? ['-r', '-F']
        : path === 'folder'
          ? ['-x', '-a', quoted('(__fish_complete_directories)')]
          : ['-x'];
  return [...(short === null ? [] : ['-s', short]), '-l', name, ...value, '-d', quoted(help)].join(' ');
}

/** Returns the completion of `mediadesk` for fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const own = (options: readonly CompletedOption[]) => options.filter((option) => !sharedOptions().includes(option));
  const folders = (name: string) => [`complete -c mediadesk -n ${at(name)} -a '(__fish_complete_directories)'`];
  const operands = {
    file: (name: string) => [`complete -c mediadesk -n ${at(name)} -F`],
    folder: folders,
    none: () => [],
  };
  return `# Completion of mediadesk for fish. Made from the commands of mediadesk.

# Prints the words of the command line without options and their values.
function __mediadesk_words
    set -l is_value 0
    for word in (commandline -opc)[2..-1]
        if test $is_value = 1
            set is_value 0
        else if contains -- $word ${optionsWithValue(commands).join(' ')}
            set is_value 1
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

# Prints the name of the command, or the first words of a line that has none yet.
function __mediadesk_name
    set -l words (__mediadesk_words)
    if test (count $words) -gt 0; and test $words[1] = help
        set words $words[2..-1]
    end
    for length in (seq ${LONGEST_NAME} -1 2)
        set -l name "$words[1..$length]"
        if contains -- $name ${commands
          .filter(({ name }) => name.includes(' '))
          .map(({ name }) => quoted(name))
          .join(' ')}
            echo $name
            return
        end
    end
    echo $words[1]
end

function __mediadesk_at
    test (__mediadesk_name) = $argv[1]
end

# Whether the words are the name of a family, so that the next one may be its member.
function __mediadesk_in_family
    set -l words (__mediadesk_words)
    if test (count $words) -gt 0; and test $words[1] = help
        set words $words[2..-1]
    end
    test "$words" = $argv[1]
end

complete -c mediadesk -f
${firstWords(commands)
  .map(({ word, summary }) => `complete -c mediadesk -n '__mediadesk_at ""' -a ${word} -d ${quoted(summary)}`)
  .join('\n')}
${families(commands)
  .flatMap((family) =>
    nextWords(commands, family).map(
      ({ word, summary }) =>
        `complete -c mediadesk -n ${quoted(`__mediadesk_in_family "${family}"`)} -a ${word} -d ${quoted(summary)}`,
    ),
  )
  .join('\n')}
${sharedOptions()
  .map((option) => `complete -c mediadesk ${optionWords(option)}`)
  .join('\n')}
${commands
  .flatMap(({ name, options, operands: kind }) => [
    ...own(options).map((option) => `complete -c mediadesk -n ${at(name)} ${optionWords(option)}`),
    ...operands[kind](name),
  ])
  .join('\n')}
`;
}

/** Returns the condition that the line contains a command. */
function at(name: string): string {
  return quoted(`__mediadesk_at "${name}"`);
}
