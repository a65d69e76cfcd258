import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../../electron/engine/store/migrations.ts';
import { nextStep } from '../../../../electron/engine/uploads/delivery/planner.ts';
import { TwinStore } from '../../../../electron/engine/uploads/duplicates/twin-store.ts';
import { BatchStore } from '../../../../electron/engine/uploads/journal/batch-store.ts';
import { UploadStore } from '../../../../electron/engine/uploads/journal/upload-store.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/upload.ts';
import { applyUploadEvent } from '../../../../shared/model/upload-machine.ts';
import { anUpload, DESTINATION } from '../../../helpers/data/upload-rows.ts';

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
  database = await openDatabase(':memory:');
  for (const step of MIGRATIONS) database.exec(step);
});
afterEach(() => database.close());

/** The uploads of the same contents that another upload has to wait for. */
function twinsAheadOf(upload: Upload): string[] {
  const store = new UploadStore(database);
  new BatchStore(database).add({
    ...{ id: 'b1', siteId: 's1', collectionId: 'c1', collectionName: 'Physics', collectionRef: null },
    ...{ defaults: batchDefaultsSchema.parse({}), roots: [], addedAt: 1 },
  });
  const other = anUpload({ id: 'u2' });
  store.insert([upload, other], (_, index) => index);
  return new TwinStore(database).twinsOf(other).map(({ id }) => id);
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
      expect(twinsAheadOf(upload)).toEqual([]);
    },
  );

  it.each<[string, UploadEvent[]]>([
    ['undone', UNDONE],
    ['retried', RETRIED],
  ])('still blocks the other when its cancel was %s after its bytes may have arrived', (_, after) => {
    const upload = [...SENDING, ...after].reduce(applyUploadEvent, anUpload());
    expect(nextStep(upload, 6).kind).toBe('check-file');
    expect(twinsAheadOf(upload)).toEqual(['u1']);
    const dropped = applyUploadEvent(upload, { kind: 'file-dropped' });
    expect(nextStep(dropped, 7).kind).toBe('check-duplicates');
  });
});
