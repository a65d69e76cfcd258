// Names that are not UTF-8, as Linux permits them, on real files and with the real service.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  isLossyFormOf,
  pathOfBytes,
  shownName,
  systemPath,
} from '../../../../electron/engine/ports/system/byte-paths.ts';
import { nodeFiles } from '../../../../electron/engine/ports/system/node-files.ts';
import { findRecordings } from '../../../../electron/engine/uploads/adding/find-recordings.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();

const bytesOf = (path: string) => Buffer.from(systemPath(path));
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a path stored as bytes', () => {
  it('keeps its bytes when it is converted to text and back, whatever they are', () => {
    const anyName = fc.uint8Array({ minLength: 1, maxLength: 40 });
    // Around the difficult cases: truncated characters, surrogates, overlong forms, and the private-use range itself.
    const hard = fc
      .array(
        fc.constantFrom(
          [0xe9],
          [0xc3, 0xa9],
          [0xf4, 0x8f, 0xb7, 0xa9],
          [0xed, 0xa0, 0x80],
          [0xc0, 0xaf],
          [0xf4, 0x8f],
          [0x61],
        ),
      )
      .map((parts) => Uint8Array.from(parts.flat()));
    fc.assert(
      fc.property(fc.oneof(anyName, hard), (bytes) => {
        expect(bytesOf(pathOfBytes(bytes))).toEqual(Buffer.from(bytes));
        expect(pathOfBytes(bytes).isWellFormed()).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('is unchanged when it is valid text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(shownName(text) === text);
        expect(pathOfBytes(Buffer.from(text))).toBe(text);
        expect(systemPath(text)).toBe(text);
      }),
    );
  });

  it('is found by its lossy text form', () => {
    const name = pathOfBytes(latin1('Café - ü.wav'));
    expect(isLossyFormOf('Caf\ufffd - \ufffd.wav', name)).toBe(true);
    expect(isLossyFormOf('Caf\ufffd.wav', name)).toBe(false);
  });
});

describe.runIf(process.platform === 'linux')('a file whose name is not UTF-8', () => {
  const inside = (dir: string, ...names: string[]) =>
    Buffer.concat([Buffer.from(dir), ...names.map((name) => latin1(`/${name}`))]);

  it('is sent from a folder or by its lossy name, and is moved under its own name', async ({ desk }) => {
    const { dir } = desk;
    const done = join(dir, 'done');
    mkdirSync(done);
    mkdirSync(inside(dir, 'É'));
    const contents = { 'Caf\xe8s.bin': 'two'.repeat(1000), 'Café.bin': 'one'.repeat(900) };
    for (const [name, text] of Object.entries(contents)) writeFileSync(inside(dir, 'É', name), text);
    writeFileSync(inside(dir, 'Süd.bin'), 'three'.repeat(1100));

    const paths = [join(dir, '\ufffd'), join(dir, 'S\ufffdd.bin')];
    const added = await desk.add(paths, { source: { kind: 'move', folder: done } });
    expect(added).toMatchObject({ added: 3, skippedCount: 0 });
    await desk.run();

    const rows = await desk.rows();
    expect(rows.map(({ fileName, title, state }) => ({ fileName, title, state }))).toEqual([
      { fileName: 'Caf\ufffds.bin', title: 'Caf\ufffds', state: 'complete' },
      { fileName: 'Caf\ufffd.bin', title: 'Caf\ufffd', state: 'complete' },
      { fileName: 'S\ufffdd.bin', title: 'S\ufffdd', state: 'complete' },
    ]);
    for (const [index, text] of [...Object.values(contents), 'three'.repeat(1100)].entries()) {
      const sent = await desk.storedSha256(rows[index]?.fileId ?? null);
      expect(sent).toBe(createHash('sha256').update(text).digest('hex'));
    }
    const moved = readdirSync(done, { encoding: 'buffer' }).map((name) => name.toString('latin1'));
    expect(moved.sort()).toEqual(['Café.bin', 'Caf\xe8s.bin', 'Süd.bin'].sort());
    expect(existsSync(inside(dir, 'Süd.bin'))).toBe(false);
  });

  it('is not guessed when several have the same lossy name, and each is found through their folder', async ({
    desk,
  }) => {
    const { dir } = desk;
    const folder = inside(dir, 'twins');
    mkdirSync(folder);
    for (const name of ['a\xe8.bin', 'a\xe9.bin']) writeFileSync(inside(dir, 'twins', name), name.repeat(10));
    const found = async (path: string) => {
      const findings = [];
      for await (const finding of findRecordings(nodeFiles, [path], { sidecars: false })) findings.push(finding);
      return findings;
    };
    expect(await found(join(dir, 'twins', 'a\ufffd.bin'))).toMatchObject([{ error: { code: 'file.name-not-utf8' } }]);
    expect((await found(join(dir, 'twins'))).map(({ path }) => bytesOf(path).toString('latin1'))).toEqual([
      join(dir, 'twins', 'a\xe8.bin'),
      join(dir, 'twins', 'a\xe9.bin'),
    ]);
    expect(await found(join(dir, 'twins', 'b\ufffd.bin'))).toMatchObject([{ error: { code: 'file.missing' } }]);
  });
});
