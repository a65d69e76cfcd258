// The completions in the shells themselves. bash is on every computer that runs the tests; zsh and fish where they are installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shellTexts } from '../../../electron/cli/write-shell-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'completion-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const [name, text] of Object.entries(shellTexts())) writeFileSync(join(folder, name), text);
mkdirSync(join(folder, 'here', 'Lectures 2031'), { recursive: true });
writeFileSync(join(folder, 'here', 'talk.wav'), '');

const isThere = (shell: string) => spawnSync(shell, ['--version']).status === 0;
const run = (shell: string, args: string[]) =>
  execFileSync(shell, args, { cwd: join(folder, 'here'), encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** Returns the proposals of bash for a line; it has cut the line into words already. */
function inBash(words: readonly string[]): string[] {
  const script = `source ../mediadesk.bash
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mediadesk; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run('bash', ['--norc', '-c', script, 'bash', 'mediadesk', ...words]);
}

/** Returns the proposals of zsh. Functions of its completion system are replaced by ones that print what they get. */
function inZsh(words: readonly string[]): string[] {
  const script = `_describe() { [[ $1 == -o ]] && shift; print -rl -- "\${(@)\${(@P)2}%%:*}" }
    compadd() { shift; print -rl -- "$@" }
    _files() { [[ $1 == -/ ]] && print -rl -- *(/) || print -rl -- * }
    compset() { : }
    source =(sed '$d' ../_mediadesk)
    words=("$@") CURRENT=$#; _mediadesk`;
  return run('zsh', ['-f', '-c', script, 'zsh', 'mediadesk', ...words]);
}

function inFish(words: readonly string[]): string[] {
  const line = ['mediadesk', ...words].join(' ');
  const found = run('fish', ['--no-config', '-c', `source ../mediadesk.fish; complete -C '${line}'`]);
  return found.map((proposal) => proposal.split('\t')[0]?.replace(/\/$/, '') ?? '');
}

describe.each([
  ['bash', inBash],
  ['zsh', inZsh],
  ['fish', inFish],
] as const)('%s completes', (shell, proposalsFor) => {
  const installed = it.skipIf(!isThere(shell));

  installed('the commands', () => {
    expect(proposalsFor([''])).toEqual(expect.arrayContaining(['upload', 'queue', 'service', 'help']));
    expect(proposalsFor(['queue', ''])).toEqual(expect.arrayContaining(['list', 'pause', 'retry']));
    expect(proposalsFor(['help', 'queue', ''])).toEqual(expect.arrayContaining(['list', 'pause', 'retry']));
    expect(proposalsFor(['--profile', 'x', 'queue', ''])).toContain('list');
    expect(proposalsFor(['admin', ''])).toEqual(expect.arrayContaining(['users', 'groups', 'log']));
    expect(proposalsFor(['admin', ''])).not.toContain('list');
    expect(proposalsFor(['help', 'admin', 'users', ''])).toEqual(expect.arrayContaining(['list', 'delete']));
    expect(proposalsFor(['admin', 'users', 'show', ''])).toEqual([]);
  });

  installed('the options of a command and those of all commands', () => {
    const options = proposalsFor(['queue', 'list', '--']);
    expect(options).toEqual(expect.arrayContaining(['--filter', '--batch', '--json']));
    expect(options).not.toContain('--collection');
    expect(proposalsFor(['admin', 'users', 'delete', '--'])).toEqual(expect.arrayContaining(['--yes', '--save']));
  });

  installed('the values of options', () => {
    expect(proposalsFor(['queue', 'list', '--filter', '']).sort()).toEqual(
      ['active', 'all', 'complete', 'failed', 'needs-decision', 'skipped', 'unskipped', 'waiting'].sort(),
    );
    expect(proposalsFor(['--keychain', '']).sort()).toEqual(['file', 'memory', 'system']);
  });

  installed('paths where a command takes them', () => {
    expect(proposalsFor(['upload', ''])).toEqual(expect.arrayContaining(['Lectures 2031', 'talk.wav']));
    expect(proposalsFor(['watch', 'preview', ''])).toEqual(['Lectures 2031']);
    expect(proposalsFor(['service', '--data', ''])).toEqual(['Lectures 2031']);
    expect(proposalsFor(['library', 'show', ''])).toEqual([]);
  });
});

it('bash completes a value behind an equals sign', () => {
  expect(inBash(['queue', 'list', '--filter', '=', 'comp'])).toEqual(['complete']);
});
