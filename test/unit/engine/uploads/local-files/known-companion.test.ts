import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../../../../electron/engine/ports/files.ts';
import type { Volume } from '../../../../../electron/engine/ports/volumes.ts';
import { companionProblem } from '../../../../../electron/engine/uploads/local-files/known-companion.ts';

const KNOWN = { identity: '7:5', volume: 'uuid:a', sizeBytes: 10, mtimeMs: 10 };
const FACTS: FileFacts = { kind: 'file', identity: '7:5', sizeBytes: 10, mtimeMs: 10 };
const VOLUME: Volume = {
  key: 'uuid:a',
  mountPoint: '/',
  name: 'disk',
  isNetwork: false,
  isCertain: true,
  hasFileNumbers: true,
};
/** A drive that is known only by a name that other drives get, too. */
const NAMED: Partial<Volume> = { key: '/dev/sdb1 device 7', isCertain: false };

function problemOf(facts: Partial<FileFacts>, volume: Partial<Volume> = {}, known: object | null = KNOWN) {
  const volumes = { of: () => ({ ...VOLUME, ...volume }), mountPoints: () => [] };
  const companion = { path: '/in/a.vtt', ...(known === null ? {} : { known: { ...KNOWN, ...known } }) };
  return companionProblem(companion, { ...FACTS, ...facts }, volumes)?.code ?? 'none';
}

describe('a companion at its path', () => {
  it.each<[string, Partial<FileFacts>, Partial<Volume>, object | null, string]>([
    ['it is the file that was added', {}, {}, KNOWN, 'none'],
    ['it was edited in place', { sizeBytes: 12, mtimeMs: 12 }, {}, KNOWN, 'none'],
    ['its drive was mounted again with another device', { identity: '9:5' }, {}, KNOWN, 'none'],
    ['another file is there', { identity: '7:6', sizeBytes: 12 }, {}, KNOWN, 'file.replaced'],
    ['another file of its size and time is there', { identity: '7:6' }, {}, KNOWN, 'file.replaced'],
    ['its drive numbers no files', { identity: '7:0', sizeBytes: 12 }, {}, { identity: '7:0' }, 'none'],
    ['its drive numbers files anew at each mount', { identity: '7:6' }, { hasFileNumbers: false }, KNOWN, 'none'],
    [
      'another file is on such a drive',
      { identity: '7:6', sizeBytes: 12 },
      { hasFileNumbers: false },
      KNOWN,
      'file.replaced',
    ],
    ['another drive is at its path', {}, { key: 'uuid:b' }, KNOWN, 'file.drive-gone'],
    ['a drive with its name has a file with its number and size', {}, NAMED, { volume: '/dev/sdb1 device 7' }, 'none'],
    ['such a drive has another file', { sizeBytes: 12 }, NAMED, { volume: '/dev/sdb1 device 8' }, 'file.replaced'],
    ['its number was never recorded', { identity: '7:6', sizeBytes: 12 }, {}, null, 'none'],
  ])('is judged when %s', (_, facts, volume, known, expected) => {
    expect(problemOf(facts, volume, known)).toBe(expected);
  });
});
