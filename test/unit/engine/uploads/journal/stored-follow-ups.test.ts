import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../../../electron/engine/store/migrations.ts';
import { BatchStore } from '../../../../../electron/engine/uploads/journal/batch-store.ts';
import { UploadStore } from '../../../../../electron/engine/uploads/journal/upload-store.ts';
import { type FollowUp, newFollowUp } from '../../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../../shared/model/uploads/upload.ts';
import { applyUploadEvent } from '../../../../../shared/model/uploads/upload-machine.ts';
import { arbitraryFollowUp } from '../../../../helpers/data/arbitrary-follow-up.ts';
import { aBatch, anUpload, storedRows } from '../../../../helpers/data/upload-rows.ts';

let database: Database;
let store: UploadStore;
let written: string[];

beforeEach(async () => {
  database = await openDatabase(':memory:');
  database.exec('PRAGMA foreign_keys = ON');
  for (const step of MIGRATIONS) database.exec(step);
  new BatchStore(database).add(aBatch());
  written = [];
  store = new UploadStore({
    ...database,
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        ...statement,
        run(parameters) {
          written.push(`${sql.split(/\s+/, 3).join(' ')} ${parameters?.position ?? ''}`.trim());
          return statement.run(parameters);
        },
      };
    },
  });
});
afterEach(() => database.close());

const captions = newFollowUp({ kind: 'captions', path: '/a.vtt', fileName: 'a.vtt' });
const tags = newFollowUp({ kind: 'tags', path: '', fileName: '' });
const source = newFollowUp({ kind: 'source', path: '/a.mp4', fileName: 'a.mp4', source: { kind: 'trash' } });

function added(followUps: FollowUp[], changes: Partial<Upload> = {}): Upload {
  const upload = anUpload({ state: 'complete', endedAt: 2, ...changes, followUps });
  store.insert([upload], () => 1);
  written = [];
  return upload;
}

describe('the follow-ups of an upload', () => {
  it('are loaded as they were stored, in their order', () => {
    const many = fc.array(arbitraryFollowUp, { maxLength: 6 });
    fc.assert(
      fc.property(many, many, (first, second) => {
        database.exec('DELETE FROM uploads');
        expect(database.prepare('SELECT count(*) AS n FROM follow_ups').get()?.n).toBe(0);
        const before = anUpload({ followUps: first });
        store.insert([before], () => 1);
        expect(storedRows(database)).toStrictEqual([before]);
        const after = { ...before, followUps: second };
        store.save(before, after);
        expect(storedRows(database)).toStrictEqual([after]);
        expect(new UploadStore(database).get('u1')).toStrictEqual(after);
      }),
      { numRuns: 60 },
    );
  });

  it('are written only when they changed', () => {
    let upload = added([captions, tags, source]);
    const record = (event: Parameters<typeof applyUploadEvent>[1]) => {
      const after = applyUploadEvent(upload, event);
      store.save(upload, after);
      upload = after;
      return written.splice(0);
    };
    expect(record({ kind: 'follow-up-noted', index: 1, facts: { intentAt: 5 } })).toEqual([
      'UPDATE uploads AS',
      'INSERT INTO follow_ups 1',
    ]);
    expect(record({ kind: 'follow-up-noted', index: 1, facts: { sentAt: 6 } })).toEqual(['INSERT INTO follow_ups 1']);
    expect(record({ kind: 'watched', ms: 5 })).toEqual(['UPDATE uploads AS']);
    expect(record({ kind: 'follow-ups-retried' })).toEqual([]);
    expect(storedRows(database)).toStrictEqual([upload]);
  });

  it('are deleted when the upload no longer has them', () => {
    const before = added([captions, tags, source]);
    const after = { ...before, followUps: [captions, source] };
    store.save(before, after);
    expect(written).toEqual(['INSERT INTO follow_ups 1', 'DELETE FROM follow_ups 2']);
    expect(storedRows(database)).toStrictEqual([after]);
  });

  it.each(['save', 'saveMany'] as const)('are stored together with their row, or not at all, by %s', (method) => {
    const before = added([captions, source]);
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON follow_ups BEGIN SELECT raise(ABORT, 'full'); END`);
    const after = applyUploadEvent(before, { kind: 'follow-up-done', index: 0 });
    const both = { ...after, watchedMs: 9 };
    expect(() => (method === 'save' ? store.save(before, both) : store.saveMany([{ before, after: both }]))).toThrow();
    expect(storedRows(database)).toStrictEqual([before]);
    expect(store.get('u1')).toStrictEqual(before);
  });

  it('cause no statement when the upload has none', () => {
    const before = added([]);
    store.save(before, applyUploadEvent(before, { kind: 'watched', ms: 5 }));
    expect(written).toEqual(['UPDATE uploads AS']);
  });
});
