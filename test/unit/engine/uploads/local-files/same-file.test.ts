import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../../../../electron/engine/ports/files.ts';
import type { Volume } from '../../../../../electron/engine/ports/volumes.ts';
import { sameFile } from '../../../../../electron/engine/uploads/local-files/same-file.ts';

const UPLOAD = { identity: '5:7', sizeBytes: 100, mtimeMs: 1, volume: 'uuid:a' };
const STICK: Volume = {
  key: 'uuid:a',
  name: 'STICK',
  mountPoint: '/media/stick',
  isNetwork: false,
  isCertain: true,
  hasFileNumbers: true,
};
/** A drive of which the system only knows a name that the next drive gets, too. */
const NAMED: Volume = { ...STICK, key: '/dev/sdb1 device 5', isCertain: false };

const found = (changes: Partial<FileFacts> = {}): FileFacts => ({
  kind: 'file',
  sizeBytes: 100,
  mtimeMs: 1,
  identity: '5:7',
  ...changes,
});

describe('a file at the path of an upload', () => {
  it.for<[string, FileFacts, Volume, ReturnType<typeof sameFile>]>([
    ['is the same when nothing changed', found(), STICK, 'same'],
    ['is the same when it was rewritten in place', found({ sizeBytes: 200, mtimeMs: 2 }), STICK, 'same'],
    ['is the same when its drive was mounted again with another device', found({ identity: '6:7' }), STICK, 'same'],
    ['is another when its number and its time differ', found({ identity: '5:8', mtimeMs: 2 }), STICK, 'another'],
    ['is likely the same when only its number differs', found({ identity: '5:8' }), STICK, 'likely'],
    [
      'is likely the same when only its number differs, on a drive that numbers files anew at each mount',
      found({ identity: '5:8' }),
      { ...STICK, hasFileNumbers: false },
      'likely',
    ],
    ['is the same when its drive has no numbers', found({ identity: '5:0', sizeBytes: 200 }), STICK, 'same'],
    ['belongs to another stick with the same device', found(), { ...STICK, key: 'uuid:b' }, 'other-volume'],
  ])('%s', ([, facts, volume, expected]) => {
    expect(sameFile(UPLOAD, facts, volume)).toBe(expected);
  });

  it.for<[string, string, FileFacts, ReturnType<typeof sameFile>]>([
    ['is the same when nothing changed', NAMED.key, found(), 'same'],
    ['is another when the first files of two sticks have one number', NAMED.key, found({ sizeBytes: 200 }), 'another'],
    ['is likely the same when only the device differs', '/dev/sdb1 device 4', found({ identity: '6:7' }), 'likely'],
    ['is the same when it was rewritten, and an earlier version added it', '', found({ sizeBytes: 200 }), 'same'],
    [
      'is likely the same when an earlier version added it and its number differs',
      '',
      found({ identity: '5:8' }),
      'likely',
    ],
    [
      'is another when an earlier version added it and nothing agrees',
      '',
      found({ identity: '5:8', mtimeMs: 2 }),
      'another',
    ],
    ['is likely the same when no number distinguishes it', NAMED.key, found({ identity: '5:0' }), 'likely'],
  ])('on a drive without an identifier %s', ([, volume, facts, expected]) => {
    expect(sameFile({ ...UPLOAD, volume }, facts, NAMED)).toBe(expected);
  });
});
