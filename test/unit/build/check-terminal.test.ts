import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTerminal } from '../../../build/check-terminal.ts';
import { terminalViolations } from '../../../build/checks/terminal-violations.ts';

const found = (source: string, isStrict = false) =>
  terminalViolations('electron/engine/a.ts', source, isStrict).map(({ text }) => text);

describe('the check of terminals', () => {
  it.each([
    ['the console', "console.log('a');", 'console.log'],
    ['the console through globalThis', "globalThis.console.warn('a');", 'globalThis.console.warn'],
    ['standard output', "process.stdout.write('a');", 'process.stdout'],
    ['a standard stream that is passed on', 'log(process.stderr);', 'process.stderr'],
    ['a standard stream by its name as text', "process['stderr'].write('a');", 'process.stderr'],
    ['a standard stream that gets a name', 'const { stdout } = process;', 'process.stdout'],
    ['all members of the process', 'const { ...all } = process;', 'process.*'],
  ])('finds %s', (_what, source, text) => expect(found(source)).toEqual([text]));

  it('finds every call that writes to a stream or descriptor when it is strict', () => {
    const source = "terminal?.write('a'); writeSync(2, 'b'); fs.writeSync(1, 'c');";
    expect(found(source, true)).toEqual(['terminal.write()', 'writeSync()', 'fs.writeSync()']);
    expect(found(source)).toEqual([]);
    expect(found("const write = (line: string) => output.line(line); write('a');", true)).toEqual([]);
  });

  it('accepts the environment, the files and the printer of a program', () => {
    expect(found('const { env } = process; output.line(process.platform); await file.write(chunk);')).toEqual([]);
  });

  it('checks the programs, not their pages, tests or tools', async () => {
    const root = await mkdtemp(join(tmpdir(), 'mediadesk-check-'));
    try {
      for (const file of [
        ...['electron/cli/a.ts', 'electron/cli/output/a.ts', 'electron/engine/a.ts', 'service/a.ts'],
        ...['renderer/a.tsx', 'build/a.ts', 'test/a.ts'],
      ]) {
        await mkdir(dirname(join(root, file)), { recursive: true });
        await writeFile(join(root, file), "export const a = () => console.log('a');\n");
      }
      const { violations } = await checkTerminal(root);
      expect(violations.map(({ file }) => file)).toEqual([
        ...['electron/cli/a.ts', 'electron/engine/a.ts', 'service/a.ts'],
      ]);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
