// The commands that list uploads, on a profile with uploads of every state.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../electron/engine/ports/system/node-clock.ts';
import { openQueueStore } from '../../../electron/engine/store/open-queue-store.ts';
import { BatchStore } from '../../../electron/engine/uploads/journal/batch-store.ts';
import { UploadStore } from '../../../electron/engine/uploads/journal/upload-store.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { UploadFilter, UploadRow } from '../../../shared/contract/uploads.ts';
import { UPLOAD_STATES, type UploadState } from '../../../shared/model/uploads/upload-states.ts';
import { runCli } from '../../helpers/cli/cli.ts';
import { aBatch, anUpload } from '../../helpers/data/upload-rows.ts';

/** Uploads that failed, by their id, with the error of each. */
const FAILED: Record<string, { code: ErrorCode; details?: Record<string, unknown> }> = {
  refused: { code: 'api.forbidden' },
  twin: { code: 'upload.duplicate', details: { title: 'Optics', match: 'contents', url: null, where: 'history' } },
  likely: {
    code: 'upload.duplicate',
    details: { title: 'Waves', match: 'name-and-size', url: null, where: 'library' },
  },
  'maybe-there': {
    code: 'upload.may-exist',
    details: { items: [{ id: '41', title: 'Mechanics', createdOn: null }] },
  },
};
const OTHERS = UPLOAD_STATES.filter((state) => state !== 'failed');

let folder: string;
const profile = () => join(folder, 'profile');
const cli = (...words: string[]) => runCli([...words, '--profile', profile(), '--keychain', 'memory']);

async function addRows(): Promise<void> {
  const store = await openQueueStore(profile(), nodeClock);
  try {
    for (const [at, id] of ['b1', 'b2'].entries()) new BatchStore(store.database).add(aBatch({ id, addedAt: at }));
    const inState = (state: UploadState) => anUpload({ id: state, fileName: `${state}.mp4`, path: `/${state}`, state });
    const failed = Object.entries(FAILED).map(([id, { code, details }]) => {
      const error = appError(code, details === undefined ? {} : { details }).toData();
      return anUpload({ id, fileName: `${id}.mp4`, path: `/${id}`, state: 'failed', error });
    });
    const rows = [...OTHERS.map(inState), ...failed, anUpload({ id: 'other', batchId: 'b2', path: '/other' })];
    new UploadStore(store.database).insert(rows, (_upload, index) => index);
  } finally {
    store.close();
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-lists-'));
  await addRows();
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a list of uploads', { timeout: 300_000 }, () => {
  const failed = Object.keys(FAILED);
  it.each<[UploadFilter, string[]]>([
    ['all', [...OTHERS, ...failed]],
    ['unskipped', [...OTHERS.filter((state) => state !== 'skipped'), ...failed]],
    // A start of the engine queues again what was being sent when the last process ended.
    ['active', ['processing', 'publishing']],
    ['waiting', ['queued', 'preparing', 'sending', 'finishing', 'waiting', 'paused']],
    ['needs-decision', ['twin', 'likely']],
    ['failed', ['refused', 'maybe-there']],
    ['complete', ['complete']],
    ['skipped', ['skipped']],
  ])('has exactly the uploads of its filter: %s', async (filter, expected) => {
    const { code, records } = await cli('queue', 'list', '--filter', filter, '--batch', 'b1', '--json');
    expect(code).toBe(0);
    expect(records.map(({ upload }) => (upload as UploadRow).id).sort()).toEqual([...expected].sort());
  });

  it('names every filter in its help', async () => {
    const { stdout } = await cli('queue', 'list', '--help');
    for (const filter of ['all', 'unskipped', 'active', 'waiting', 'needs-decision', 'failed', 'complete', 'skipped'])
      expect(stdout).toMatch(new RegExp(`--filter .*${filter}`, 's'));
  });

  it('has a header row and the reason of each upload', async () => {
    const { stdout } = await cli('queue', 'list', '--filter', 'failed');
    expect(stdout.split('\n')[0]).toMatch(/^UPLOAD +FILE +SIZE +STATE$/);
    expect(stdout).toMatch(/^refused .*failed: \S/m);
  });
});

describe('duplicates list', { timeout: 300_000 }, () => {
  it('has exactly the duplicates that need a decision, with the item that the collection has', async () => {
    const { records } = await cli('duplicates', 'list', '--json');
    expect(records.map(({ duplicate }) => (duplicate as UploadRow).id)).toEqual(['twin', 'likely']);
    const { stdout } = await cli('duplicates', 'list', '--batch', 'b1');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^UPLOAD +FILE +EXISTING ITEM$/),
      expect.stringMatching(/^twin +twin\.mp4 +“Optics”, the same contents$/),
      expect.stringMatching(/^likely +likely\.mp4 +“Waves”, probably: the same title and size$/),
    ]);
  });

  it('is empty for a batch without duplicates', async () => {
    const { stdout, stderr } = await cli('duplicates', 'list', '--batch', 'b2');
    expect([stdout, stderr]).toEqual(['', 'No duplicates need your decision.\n']);
  });
});

describe('items list', { timeout: 300_000 }, () => {
  it('has exactly the uploads that may have an item, with the items to choose from', async () => {
    const { stdout, code } = await cli('items', 'list');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^UPLOAD +FILE +ITEM +TITLE$/),
      expect.stringMatching(/^maybe-there +maybe-there\.mp4 +41 +“Mechanics”$/),
    ]);
  });

  it('ends with exit code 1 and the id when the batch is unknown', async () => {
    const { code, stderr } = await cli('items', 'list', '--batch', 'b9');
    expect(code).toBe(1);
    expect(stderr).toContain('b9');
  });
});

describe('receipt', { timeout: 300_000 }, () => {
  it('names the batch that doesn’t exist, and no upload', async () => {
    const { code, stderr } = await cli('receipt', 'b9');
    expect(code).toBe(1);
    expect(stderr).toContain('Unknown batch: “b9”');
    expect(stderr).not.toContain('upload doesn');
  });
});
