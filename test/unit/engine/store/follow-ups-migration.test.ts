import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failpoints } from '../../../../electron/engine/ports/failpoints.ts';
import { NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { failDamagedRows } from '../../../../electron/engine/store/damaged-rows.ts';
import { openDatabase } from '../../../../electron/engine/store/database.ts';
import { migrationName } from '../../../../electron/engine/store/failpoint-database.ts';
import { MIGRATIONS } from '../../../../electron/engine/store/migrations.ts';
import { openQueueStore, type QueueStoreOptions } from '../../../../electron/engine/store/open-queue-store.ts';
import { FollowUpRows } from '../../../../electron/engine/uploads/journal/follow-up-rows.ts';
import { UploadStore } from '../../../../electron/engine/uploads/journal/upload-store.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { type FollowUp, newFollowUp } from '../../../../shared/model/uploads/follow-ups.ts';
import { arbitraryFollowUp } from '../../../helpers/data/arbitrary-follow-up.ts';
import { storedRows } from '../../../helpers/data/upload-rows.ts';
import { takeQueueBack } from '../../../helpers/engine/queue-of-version.ts';

/** The last version that stored follow-ups as JSON in the row of their upload. */
const WITH_JSON = MIGRATIONS.findIndex((step) => step.includes('CREATE TABLE follow_ups'));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-migration-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Creates a queue of that version with one complete upload for each text in the JSON column. */
async function makeOldQueue(followUps: readonly string[], error: string | null = null, path = join(dir, 'queue.db')) {
  const database = await openDatabase(path);
  database.exec('PRAGMA synchronous = OFF');
  for (const step of MIGRATIONS.slice(0, WITH_JSON)) database.exec(step);
  database.exec(`PRAGMA user_version = ${WITH_JSON}`);
  database.exec(`INSERT INTO batches (id, site_id, collection_id, collection_name, defaults, added_at)
     VALUES ('batch', 'site', '1', 'c', '{}', 1)`);
  const add = database.prepare(
    `INSERT INTO uploads (id, batch_id, site_id, collection_id, path, file_name, size_bytes, mtime_ms, identity, title,
       tags, publish, state, attempts, added_at, ended_at, error, follow_ups, follow_up_at)
     VALUES ($id, 'batch', 'site', '1', '/a', 'a', 1, 1, '1:1', 'a', '[]', '{"kind":"draft"}', 'complete', 0, 1, 2,
       $error, $followUps, $followUpAt)`,
  );
  for (const [index, text] of followUps.entries()) {
    const followUpAt = text.includes('"state":"pending"') ? 0 : null;
    add.run({ id: `u${index}`, error, followUps: text, followUpAt });
  }
  if (path !== ':memory:') database.close();
  return database;
}

async function withQueue<T>(
  work: (store: Awaited<ReturnType<typeof openQueueStore>>) => T,
  options?: QueueStoreOptions,
) {
  const store = await openQueueStore(dir, nodeClock, options);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

const refused = appError('api.forbidden', {
  details: { status: 403, text: 'No “LIKE” here: "state":"failed"' },
}).toData();
const captions = newFollowUp({ kind: 'captions', path: '/talks/a.vtt', fileName: 'a.vtt' });
const source = newFollowUp({ kind: 'source', path: '/talks/a.mp4', fileName: 'a.mp4', source: { kind: 'trash' } });

/** The follow-ups of several uploads, with values in all their fields. */
const WRITTEN: FollowUp[][] = [
  [],
  [captions, source],
  [
    { ...captions, state: 'done', wasTried: true, intentAt: 10, fileId: '7', sentAt: 11, looks: 3, fingerprint: '9:8' },
    { ...newFollowUp({ kind: 'thumbnail', path: '/talks/a.png', fileName: 'a.png' }), state: 'failed', error: refused },
    {
      ...newFollowUp({ kind: 'tags', path: '', fileName: '' }),
      retries: 4,
      nextAt: 1_760_000_000_123,
      wasTried: true,
    },
    { ...source, state: 'done', source: { kind: 'move', folder: '/sent “2026”' }, target: '/sent “2026”/a (1).mp4' },
  ],
  [
    {
      ...captions,
      retriesByStep: { do: { count: 2, answered: 0 }, delivery: { count: 1, answered: 3 } },
      error: refused,
    },
    { ...newFollowUp({ kind: 'publish', path: '', fileName: '' }), state: 'failed', wasTried: true, error: refused },
  ],
  [{ ...captions, path: '/tab\t, quote ", backslash \\ and \u{10fde9}.vtt', retriesByStep: {} }],
];

/** Returns the JSON of follow-ups, with the field names of the versions that stored JSON. */
function writtenText(followUps: readonly Partial<FollowUp>[]): string {
  return JSON.stringify(
    followUps.map(({ retries, retriesByStep, ...rest }) => ({ ...rest, attempts: retries, tries: retriesByStep })),
  );
}

describe('a queue whose follow-ups are JSON', () => {
  it('keeps every value of them in the new table', async () => {
    await makeOldQueue(WRITTEN.map((followUps) => writtenText(followUps)));
    await withQueue(({ database }) => {
      const store = new UploadStore(database);
      for (const [index, followUps] of WRITTEN.entries()) {
        expect(store.get(`u${index}`)?.followUps).toStrictEqual(followUps);
        expect(store.get(`u${index}`)).toMatchObject({ state: 'complete', error: null });
      }
      const rows = new FollowUpRows(database);
      expect(rows.counts()).toEqual({ pending: 4, failed: 2 });
      expect(rows.withFailed()).toEqual(['u2', 'u3']);
      expect(rows.due(1, 1, 9, [])).toHaveLength(4);
    });
  });

  it('keeps all possible values of follow-ups', async () => {
    // The properties of local files were not stored then.
    const followUp = arbitraryFollowUp.map(({ known: _, ...others }) => others);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(followUp, { maxLength: 5 }), { maxLength: 20 }), async (written) => {
        const texts = written.map((followUps) => writtenText(followUps));
        const database = await makeOldQueue(texts, null, ':memory:');
        for (const step of MIGRATIONS.slice(WITH_JSON)) database.exec(step);
        const migrated = storedRows(database).map(({ followUps }) => followUps);
        expect(failDamagedRows(database, 1)).toBe(0);
        database.close();
        expect(migrated).toStrictEqual(written);
      }),
      { numRuns: 50 },
    );
  });

  it('adds the missing values to a follow-up of the first version', async () => {
    const { retriesByStep: _, wasTried: __, looks: ___, target: ____, ...first } = captions;
    await makeOldQueue([writtenText([first])]);
    const [row] = await withQueue(({ database }) => storedRows(database));
    expect(row?.followUps).toStrictEqual([captions]);
  });

  it('has the same rows after a downgrade and another migration', async () => {
    await makeOldQueue(WRITTEN.map((followUps) => writtenText(followUps)));
    const before = await withQueue(({ database }) => storedRows(database));
    takeQueueBack(join(dir, 'queue.db'), WITH_JSON);
    const after = await withQueue(({ database }) => storedRows(database));
    // The downgraded queue has retry counts in every follow-up, also in those without them before.
    const counted = before.map((row) => ({
      ...row,
      followUps: row.followUps.map((each) => ({ retriesByStep: {}, ...each })),
    }));
    expect(after).toStrictEqual(counted);
  });

  it('is unchanged after a migration that failed half-way, and is migrated at the next start', async () => {
    await makeOldQueue(WRITTEN.map((followUps) => writtenText(followUps)));
    class Death extends Error {}
    const failpoints: Failpoints = {
      ...NO_FAILPOINTS,
      run(name, effect) {
        const result = effect();
        if (name === 'store.transaction' && ++transactions === 1) throw new Death(migrationName(WITH_JSON + 1));
        return result;
      },
    };
    let transactions = 0;
    await expect(openQueueStore(dir, nodeClock, { failpoints })).rejects.toThrow(Death);
    const rows = await withQueue(({ database }) => storedRows(database));
    expect(rows.map(({ followUps }) => followUps)).toStrictEqual(WRITTEN);
  });

  it.each([
    '{"torn',
    '7',
    '{}',
    'null',
    '"x"',
    '[null]',
    '["captions"]',
    '[[]]',
    '[{"kind":"captions"}]',
    '[{"kind":"captious","state":"pending"}]',
    '[{"kind":"captions","state":"pendimg"}]',
    '[{"kind":"captions","state":"pending","error":"x"}]',
    '[{"kind":"captions","state":"pending","error":{"message":"x"}}]',
    '[{"kind":"captions","state":"pending","tries":[]}]',
    '[{"kind":"source","state":"pending","source":{"kind":"burn"}}]',
    '[{"kind":"source","state":"pending","source":{"kind":"move"}}]',
    `[${writtenText([source]).slice(1, -1)},{"kind":7,"state":{},"path":[],"attempts":"many","nextAt":1e400,"looks":{}}]`,
  ])('reports a row that a disk damaged, and keeps all others: %s', async (damaged) => {
    const whole = writtenText(WRITTEN[2] ?? []);
    await makeOldQueue([whole, damaged, whole]);
    const rows = await withQueue(({ database }) => storedRows(database));
    expect(rows.map(({ id, state, error, followUps }) => [id, state, error?.code ?? null, followUps])).toStrictEqual([
      ['u0', 'complete', null, WRITTEN[2]],
      ['u1', 'failed', 'profile.row-damaged', []],
      ['u2', 'complete', null, WRITTEN[2]],
    ]);
  });
});

describe('the error code column', () => {
  const codeOf = async (error: string | null) => {
    await makeOldQueue(['[]'], error);
    return withQueue(({ database }) => {
      const row = database.prepare('SELECT error, error_code FROM uploads').get();
      return {
        code: row?.error_code,
        written: (JSON.parse(String(row?.error)) as { code: string } | null)?.code ?? null,
      };
    });
  };

  it.each([
    [null, null],
    [JSON.stringify(refused), 'api.forbidden'],
    ['{"message":"the code is last","code":"upload.duplicate"}', 'upload.duplicate'],
    ['{"torn', 'profile.row-damaged'],
    ['7', 'profile.row-damaged'],
    ['{"code":7}', 'profile.row-damaged'],
  ])('is filled by the migration: %s', async (error, code) => {
    expect(await codeOf(error)).toEqual({ code, written: code });
  });

  it('is repaired from the stored error at the next start when a disk changed it', async () => {
    await makeOldQueue(['[]', JSON.stringify(WRITTEN[3])], JSON.stringify(refused));
    await withQueue(({ database }) => {
      database.exec(`UPDATE uploads SET error_code = 'api.forbiddem'; UPDATE follow_ups SET error_code = NULL`);
    });
    await withQueue(({ database }) => {
      const codes = (table: string) => database.prepare(`SELECT DISTINCT error_code AS code FROM ${table}`).all();
      expect([codes('uploads'), codes('follow_ups')].flat().map(({ code }) => code)).toEqual([
        'api.forbidden',
        'api.forbidden',
      ]);
    });
  });
});
