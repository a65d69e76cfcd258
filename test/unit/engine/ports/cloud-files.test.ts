import { describe, expect, it } from 'vitest';
import { createMediaFacts } from '../../../../electron/engine/media-tags/media-facts.ts';
import type { TagParser } from '../../../../electron/engine/media-tags/tag-thread.ts';
import type { Files } from '../../../../electron/engine/ports/files.ts';
import { isOnlyInCloud } from '../../../../electron/engine/ports/system/cloud-files.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

describe('a file whose bytes are only in the cloud', () => {
  it('is one of some size without space on the disk, on Windows and macOS only', () => {
    const file = { sizeBytes: 5_000_000, blocks: 0 };
    expect(['win32', 'darwin', 'linux'].map((platform) => isOnlyInCloud(file, platform))).toEqual([true, true, false]);
    expect(isOnlyInCloud({ ...file, blocks: 8 }, 'win32')).toBe(false);
    expect(isOnlyInCloud({ sizeBytes: 600, blocks: 0 }, 'win32')).toBe(false);
  });

  it('is not opened by a preview, which says why it has no tags, and is opened when it is added', async () => {
    const opened: string[] = [];
    const files: Files = {
      facts: async () => ({ kind: 'file', sizeBytes: 5_000_000, mtimeMs: 1, identity: '1:1', isOnlyInCloud: true }),
      open: async (path) => {
        opened.push(path);
        throw new Error('the test needs no bytes');
      },
      assertReadable: async () => {},
      list: async () => [],
      within: () => files,
    };
    const tags: TagParser = { parse: async () => 'failed', stop: async () => {} };
    const read = createMediaFacts({ files, tags, clock: new ManualClock() });
    expect(await read('/a.mp3', '/a.mp3', { isLook: true })).toMatchObject({ problem: 'in-cloud', mediaTags: {} });
    expect(opened).toEqual([]);
    expect(await read('/a.mp3', '/a.mp3')).toMatchObject({ problem: 'unreadable' });
    expect(opened).toEqual(['/a.mp3']);
  });
});
