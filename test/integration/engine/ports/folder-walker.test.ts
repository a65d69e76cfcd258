import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WalkBatch } from '../../../../electron/engine/ports/folder-walker.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { createFolderWalker } from '../../../../electron/engine/ports/system/node-folder-walker.ts';

const walker = createFolderWalker(nodeClock);
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mediadesk-walker-'));
  for (const folder of ['a', 'b/c']) mkdirSync(join(root, folder), { recursive: true });
  for (const path of ['top.bin', 'a/1.bin', 'a/2.bin', 'b/c/1.bin']) writeFileSync(join(root, path), path);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function walk(known?: ReadonlySet<string>) {
  const all: WalkBatch = { entries: [], unlisted: [], unchanged: [], listed: [] };
  await walker.walk(
    { root, from: '', isDeep: true, ...(known === undefined ? {} : { known }) },
    async ({ entries, unlisted, unchanged, listed }) => {
      all.entries.push(...entries);
      all.unlisted.push(...unlisted);
      all.unchanged.push(...unchanged);
      all.listed.push(...listed);
    },
    new AbortController().signal,
  );
  return all;
}
const digests = ({ listed }: WalkBatch) => new Set(listed.map(({ digest }) => digest));
const paths = ({ entries }: WalkBatch) => entries.map(({ path }) => path).sort();

describe('a walk with known digests', () => {
  it('lists no file of a folder that has not changed', async () => {
    const first = await walk();
    expect(paths(first)).toEqual(['a/1.bin', 'a/2.bin', 'b/c/1.bin', 'top.bin']);
    expect(first.listed.map(({ folder }) => folder).sort()).toEqual(['', 'a', 'b', 'b/c']);
    const second = await walk(digests(first));
    expect(second.entries).toEqual([]);
    expect(second.unchanged.sort()).toEqual(['', 'a', 'b', 'b/c']);
  });

  const CHANGES: Record<string, () => void> = {
    'has grown': () => appendFileSync(join(root, 'a/1.bin'), 'x'),
    'has another time': () => utimesSync(join(root, 'a/1.bin'), 1, 1),
    'was replaced by one of the same size and time': () => {
      utimesSync(join(root, 'a/1.bin'), 1, 1);
      writeFileSync(join(root, 'new'), 'a/1.bin');
      utimesSync(join(root, 'new'), 1, 1);
    },
    'was added': () => writeFileSync(join(root, 'a/3.bin'), ''),
    'was deleted': () => rmSync(join(root, 'a/1.bin')),
    'was renamed': () => renameSync(join(root, 'a/1.bin'), join(root, 'a/0.bin')),
  };
  it.each(Object.entries(CHANGES))('lists all files of a folder in which one %s', async (name, change) => {
    const isReplaced = name.startsWith('was replaced');
    if (isReplaced) change();
    const first = await walk();
    if (isReplaced) renameSync(join(root, 'new'), join(root, 'a/1.bin'));
    else change();
    const second = await walk(digests(first));
    expect(second.listed.map(({ folder }) => folder)).toContain('a');
    expect(second.unchanged).toContain('b/c');
    expect(paths(second).filter((path) => path.startsWith('a/')).length).toBeGreaterThan(0);
  });

  it.skipIf(process.platform !== 'linux')('distinguishes names that are not UTF-8', async () => {
    const named = (byte: number) => Buffer.concat([Buffer.from(join(root, 'b/c/x')), Buffer.of(byte)]);
    writeFileSync(named(0xe9), '1');
    const first = await walk();
    renameSync(named(0xe9), named(0xe8));
    const second = await walk(digests(first));
    expect(paths(first)).toContain('b/c/x\u{10fde9}');
    expect(paths(second)).toContain('b/c/x\u{10fde8}');
    expect(second.unchanged).toContain('a');
  });

  it.skipIf(process.getuid?.() === 0)(
    'reports a folder that it may not read as unlisted, without a digest',
    async () => {
      chmodSync(join(root, 'a'), 0);
      const first = await walk();
      chmodSync(join(root, 'a'), 0o700);
      expect(first.unlisted).toEqual(['a']);
      expect(first.listed.map(({ folder }) => folder)).not.toContain('a');
    },
  );
});
