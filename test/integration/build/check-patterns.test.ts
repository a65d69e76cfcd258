import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPatterns } from '../../../build/check-patterns.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mediadesk-patterns-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function violationsIn(file: string, text: string) {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
  return (await checkPatterns(root)).violations;
}

describe('the check of regular expressions', () => {
  it.each([
    [
      'the exponential pattern that once recognized captions',
      String.raw`/^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:\w+:)?tt[\s>]/.test(text)`,
      'exponential',
    ],
    [
      'the quadratic pattern that once removed markup from captions',
      String.raw`text.replace(/<(?!\/?[biu]>)[^>]*>/g, '')`,
      '2nd degree',
    ],
    ['a quadratic pattern that is tried again at every position', String.raw`text.replace(/\/+$/, '')`, '2nd degree'],
    [
      'a pattern of a higher degree',
      String.raw`text.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')`,
      'degree polynomial',
    ],
    ['a pattern in a call of RegExp', "new RegExp('^(a+)+$', 'u')", 'exponential'],
    ['a pattern that is built at run time', 'new RegExp(text)', 'made at run time'],
    ['a pattern that is built by RegExp without “new”', 'RegExp(text + text)', 'made at run time'],
  ])('rejects %s', { timeout: 300_000 }, async (_what, code, message) => {
    const found = await violationsIn('service/a.ts', `\nexport const f = (text: string) => ${code};\n`);
    expect(found).toEqual([{ file: 'service/a.ts', line: 2, message: expect.stringContaining(message) }]);
  });

  it('accepts patterns that take linear time, and reads .tsx files as well', async () => {
    const code = String.raw`export const f = (t: string) => <b>{t.replace(/<[^<>]*>/g, ' ').split(/\r?\n/)}</b>;`;
    expect(await violationsIn('renderer/a.tsx', code)).toEqual([]);
    expect((await checkPatterns(root)).patterns).toBe(2);
  });
});
