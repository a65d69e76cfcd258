import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTrash, readSource, requirePossible } from '../../../electron/cli/arguments/upload-options.ts';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { readWatchRules } from '../../../electron/cli/arguments/watch-options.ts';
import { failedFollowUps } from '../../../electron/cli/uploads/follow-up-report.ts';
import { appError } from '../../../shared/contract/app-error.ts';

describe('--trash', () => {
  it.each(['win32', 'darwin'])(
    'is refused before anything is queued on %s, where a command has no trash',
    (platform) => {
      expect(() => readSource(null, true, platform)).toThrow(UsageError);
      expect(() => readSource(null, true, platform)).toThrow('--move-to');
      expect(readSource(tmpdir(), false, platform)).toMatchObject({ kind: 'move' });
      expect(readSource(null, false, platform)).toEqual({ kind: 'keep' });
    },
  );

  it('is accepted on Linux', () => expect(readSource(null, true, 'linux')).toEqual({ kind: 'trash' }));

  it('is judged for a file of rules like for the option', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mediadesk-rules-'));
    try {
      const path = join(folder, 'rules.json');
      const collection = { kind: 'fixed', collection: { kind: 'ref', ref: 'library' } };
      const rule = { id: 'r', name: 'R', action: { kind: 'upload', settings: { source: { kind: 'trash' } } } };
      writeFileSync(path, JSON.stringify({ rules: [rule], defaults: { settings: { collection } } }));
      const read = () => readWatchRules({ rules: path }, 's', null);
      if (hasTrash(process.platform)) expect(read().rules).toHaveLength(1);
      else expect(read).toThrow(UsageError);
      expect(() => requirePossible({ kind: 'trash' }, 'darwin')).toThrow(UsageError);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('--move-to', () => {
  it('is refused before anything is queued when the folder doesn’t exist, or is a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mediadesk-move-'));
    try {
      const file = join(folder, 'file');
      writeFileSync(file, '');
      for (const path of [join(folder, 'none'), file, join(file, 'below')]) {
        expect(() => readSource(path, false)).toThrow(`The folder for uploaded files doesn’t exist: ${path}.`);
      }
      expect(readSource(folder, false)).toEqual({ kind: 'move', folder });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the failed follow-ups of an upload', () => {
  const error = appError('trash.unavailable').toData();
  const followUps = [
    { kind: 'captions' as const, state: 'failed' as const, fileName: 'talk.vtt', error },
    { kind: 'tags' as const, state: 'done' as const, fileName: '', error: null },
    { kind: 'source' as const, state: 'failed' as const, fileName: '', error },
  ];

  it('are named by their file, or by what they do', () => {
    const found = failedFollowUps({ state: 'complete', path: '/r/talk.mp4', followUps });
    expect(found.map(({ what }) => what)).toEqual(['/r/talk.mp4: talk.vtt', '/r/talk.mp4: local file']);
  });

  it('count only when the upload itself is complete', () =>
    expect(failedFollowUps({ state: 'publishing', path: '/r/talk.mp4', followUps })).toEqual([]));
});
