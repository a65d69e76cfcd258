import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GLOBAL_OPTIONS } from '../../../electron/cli/arguments/global-options.ts';
import { COMMANDS } from '../../../electron/cli/command-table.ts';
import { readCommandLine } from '../../../electron/cli/read-command-line.ts';
import { COMMAND_PAGE, commandPage } from '../../helpers/docs/command-page.ts';
import { wordsOfShell } from '../../helpers/docs/shell-words.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DOCS = join(ROOT, 'docs');
const PAGES = ['README.md', ...readdirSync(DOCS).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))];
const NOTATION = /[…|[\]]/;

/** The lines of code blocks of a page that start `mediadesk`, with the lines that continue them. */
function examplesIn(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/\\\n\s*/g, '');
  return text.split('\n').flatMap((line) => {
    const [, example] = /^ *(?:\$ )?(?:npm run -s )?mediadesk (?:-- )?(\S.*)$/.exec(line) ?? [];
    return example === undefined || NOTATION.test(example) ? [] : [example];
  });
}

const EXAMPLES = PAGES.flatMap((page) => examplesIn(page).map((example) => [page, example] as const));

describe('the documents of the command line', () => {
  it('docs/commands.md matches the command table (node test/helpers/docs/command-page.ts writes it again)', async () => {
    expect(await readFile(COMMAND_PAGE, 'utf8')).toBe(commandPage());
  });

  it('have examples', () => expect(EXAMPLES.length).toBeGreaterThan(15));

  it.each(EXAMPLES)('%s: mediadesk %s is a command line that Mediadesk accepts', (_page, example) => {
    expect(readCommandLine(wordsOfShell(example)).kind).not.toBe('');
  });

  it('explain every command in the table of docs/cli.md, and no other', () => {
    const rows = readFileSync(join(DOCS, 'cli.md'), 'utf8').split('\n## Commands\n')[1]?.split('\n## ')[0] ?? '';
    const named = new Set<string>();
    for (const row of rows.split('\n')) {
      const [, head = ''] = /^\| ((?:[^|\\]|\\.)*) \|/.exec(row) ?? [];
      for (const [, usage = ''] of head.matchAll(/`([^`]+)`/g)) for (const name of namesIn(usage)) named.add(name);
    }
    expect([...named].sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
  });

  it('name only options that exist in docs/cli.md', () => {
    const known = new Set(Object.keys(Object.assign({}, GLOBAL_OPTIONS, ...COMMANDS.map(({ options }) => options))));
    const text = readFileSync(join(DOCS, 'cli.md'), 'utf8');
    const unknown = [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !known.has(name));
    expect(unknown).toEqual([]);
  });
});

/** Returns the names of commands that a usage such as `duplicates skip\|upload [UPLOAD…]` or `collections [list]` stands for. */
function namesIn(usage: string): string[] {
  const words = usage.replaceAll('\\|', '|').split(' ');
  const [first = '', second = '', third = ''] = words;
  const optional = /^\[([a-z]+)\]$/.exec(second)?.[1];
  if (optional !== undefined) return [first, `${first} ${optional}`];
  const names = second.split('|').flatMap((word) => {
    return [`${first} ${word}`, ...third.split('|').map((last) => `${first} ${word} ${last}`)];
  });
  const known = names.filter((name) => COMMANDS.some((command) => command.name === name));
  if (known.length > 0) return known;
  return COMMANDS.some(({ name }) => name === first) ? [first] : [];
}
