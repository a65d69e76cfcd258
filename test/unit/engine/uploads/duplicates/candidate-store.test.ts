import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { nextStep } from '../../../../../electron/engine/uploads/delivery/planner.ts';
import { CandidateStore } from '../../../../../electron/engine/uploads/duplicates/candidate-store.ts';
import { BatchStore } from '../../../../../electron/engine/uploads/journal/batch-store.ts';
import { UploadStore } from '../../../../../electron/engine/uploads/journal/upload-store.ts';
import type { Upload, UploadEvent } from '../../../../../shared/model/uploads/upload.ts';
import { applyUploadEvent } from '../../../../../shared/model/uploads/upload-machine.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { aBatch, anUpload, DESTINATION } from '../../../../helpers/data/upload-rows.ts';

const CREATED: UploadEvent[] = [
  { kind: 'started' },
  { kind: 'duplicates-checked', at: 1 },
  { kind: 'item-intended', at: 1 },
  { kind: 'item-created', mediaId: 'm1' },
  { kind: 'file-intended', at: 2 },
  { kind: 'file-created', fileId: 'f1', destination: DESTINATION, at: 3 },
];
const SENDING: UploadEvent[] = [...CREATED, { kind: 'send-started', at: 4 }, { kind: 'interrupted' }];
const UNDONE: UploadEvent[] = [{ kind: 'cancelled', at: 5 }, { kind: 'cancel-undone' }];
const RETRIED: UploadEvent[] = [{ kind: 'cancelled', at: 5 }, { kind: 'retried' }];

let database: Database;

beforeEach(async () => {
  database = await emptyDatabase();
});
afterEach(() => database.close());

function insert(uploads: readonly Upload[]): void {
  new BatchStore(database).add(aBatch());
  new UploadStore(database).insert(uploads, (_, index) => index);
}

/** Inserts the upload and another one, `u2`, of the same contents. Returns the ids of uploads that `u2` has to wait for. */
function candidatesAheadOf(upload: Upload): string[] {
  const other = anUpload({ id: 'u2' });
  insert([upload, other]);
  return new CandidateStore(database).candidatesOf(other).map(({ id }) => id);
}

describe('one of two uploads of the same contents', () => {
  it.each<[string, UploadEvent[]]>([
    ['undone', UNDONE],
    ['retried', RETRIED],
  ])(
    'is checked for duplicates again, and does not block the other, when its cancel was %s before it was sent',
    (_, after) => {
      const upload = [...CREATED, ...after].reduce(applyUploadEvent, anUpload());
      expect(nextStep(upload, 6).kind).toBe('check-duplicates');
      expect(candidatesAheadOf(upload)).toEqual([]);
    },
  );

  it.each<[string, UploadEvent[]]>([
    ['undone', UNDONE],
    ['retried', RETRIED],
  ])('still blocks the other when its cancel was %s after its bytes may have arrived', (_, after) => {
    const upload = [...SENDING, ...after].reduce(applyUploadEvent, anUpload());
    expect(nextStep(upload, 6).kind).toBe('check-file');
    expect(candidatesAheadOf(upload)).toEqual(['u1']);
    const dropped = applyUploadEvent(upload, { kind: 'file-dropped' });
    expect(nextStep(dropped, 7).kind).toBe('check-duplicates');
  });
});

describe('the thumbnail of a collection', () => {
  it('neither blocks an upload of the same picture into the collection, nor makes it a duplicate', () => {
    const thumbnail = [{ kind: 'started' } as const, { kind: 'send-started', at: 4 } as const].reduce<Upload>(
      applyUploadEvent,
      anUpload({ addition: { kind: 'thumbnail', of: 'collection' }, duplicates: 'upload', duplicateCheckedAt: 1 }),
    );
    expect(candidatesAheadOf(thumbnail)).toEqual([]);
    const { siteId, collectionId, fileName, sizeBytes, identity, mtimeMs } = thumbnail;
    const file = { fileName, sizeBytes, identity, mtimeMs, sha256: null };
    database.exec("DELETE FROM uploads WHERE id <> 'u1'");
    expect(new CandidateStore(database).looksKnown({ siteId, collectionId }, file)).toBe(false);
    database.exec('UPDATE uploads SET addition = \'{"kind":"thumbnail"}\'');
    expect(new CandidateStore(database).looksKnown({ siteId, collectionId }, file)).toBe(true);
  });

  it('does not hide an item with the same picture when a collection has had many thumbnails', () => {
    const thumbnails = Array.from({ length: 100 }, (_, index) =>
      anUpload({ id: `t${index}`, addition: { kind: 'thumbnail', of: 'collection' } }),
    );
    const item = anUpload({ id: 'u3' });
    insert([...thumbnails, item]);
    const { siteId, collectionId, fileName, sizeBytes, identity, mtimeMs } = item;
    const file = { fileName, sizeBytes, identity, mtimeMs, sha256: null };
    expect(new CandidateStore(database).looksKnown({ siteId, collectionId }, file)).toBe(true);
  });
});
