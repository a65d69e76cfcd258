import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { MEDIA_STATUSES, MEDIA_TYPES } from '../../../../shared/api/media.ts';
import type { MediaQuery, MediaRow } from '../../../../shared/contract/library.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { clearJournal, journalOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';

const it = deskTest();

// A list that the mirror can't answer comes from the service, and the fault is only logged; so a test checks the log.
const log = captureLogger();
it.override({ serviceStart: { seed: 'bulk:400:60' }, host: { logger: log } });

const WORDS = ['atom', 'river', 'su', 'harbour 12', 'h', 'cipher echo', 'zzz', '37', 'copper, dune'];

async function rowsOf(engine: Engine, query: MediaQuery): Promise<{ total: number; rows: MediaRow[] }> {
  const rows: MediaRow[] = [];
  for (;;) {
    const window = await engine.call('library.mediaWindow', { query, offset: rows.length, limit: 200 });
    // The mirror also knows the files of some items.
    rows.push(...window.rows.map(({ sizeBytes: _size, hasCaptions: _captions, ...row }) => row));
    if (window.rows.length === 0 || rows.length >= window.total) return { total: window.total, rows };
  }
}

describe('the mirror', () => {
  it('lists the same rows in the same order as the service, for any query', { timeout: 300_000 }, async ({ desk }) => {
    const { engine, siteId, service } = desk;
    // The same account on another profile without a copy: its lists come from the service.
    const admin = await clientFor(service);
    const some = (await admin.get('/api2/collections?per_page=200')).body.items as { id: string }[];
    const collections = some.map(({ id }) => id);
    await using direct = await Desk.open(service);
    expect((await engine.call('library.syncNow', { siteId })).phase).toBe('ready');

    const queries = fc.record({
      collectionId: fc.option(fc.constantFrom(...collections), { nil: null }),
      includesBelow: fc.boolean(),
      search: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, fc.constantFrom(...WORDS)),
      type: fc.option(fc.constantFrom(...MEDIA_TYPES), { nil: null }),
      status: fc.option(fc.constantFrom(...MEDIA_STATUSES), { nil: null }),
      sort: fc.constantFrom('created_on', 'modified_on', 'publish_on', 'popularity', 'title'),
      order: fc.constantFrom('asc', 'desc'),
      more: fc.record({ tag: fc.constantFrom('river', 'Atom', 'nothing') }, { requiredKeys: [] }),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ more, ...given }) => {
        const query = { ...given, ...more } as Omit<MediaQuery, 'siteId'>;
        const mirrored = await rowsOf(engine, { ...query, siteId });
        const asked = await rowsOf(direct.engine, { ...query, siteId: direct.siteId });
        expect(mirrored).toEqual(asked);
      }),
      { numRuns: 150 },
    );
    expect(log.lines.filter(({ event }) => event.startsWith('mirror.'))).toEqual([]);
    expect((await direct.engine.call('library.syncStatus', { siteId: direct.siteId })).phase).toBe('none');
  });

  it('answers lists and ids without a request once the first sync is complete', async ({ desk }) => {
    const { engine, siteId, service } = desk;
    const query: MediaQuery = {
      siteId,
      collectionId: null,
      search: 'river',
      type: null,
      status: null,
      sort: 'title',
      order: 'asc',
    };
    await engine.call('library.syncNow', { siteId });
    await clearJournal(service);
    const { rows, total } = await engine.call('library.mediaWindow', { query, offset: 0, limit: 200 });
    expect(total).toBeGreaterThan(10);
    const { ids, isAll } = await engine.call('library.mediaIds', { query });
    expect({ ids: ids.slice(0, rows.length), isAll }).toEqual({ ids: rows.map(({ id }) => id), isAll: true });
    expect(await journalOf(service)).toEqual([]);
  });

  it('are sorted by the names of collections, in both directions', async ({ desk }) => {
    const { engine, siteId } = desk;
    await engine.call('library.syncNow', { siteId });
    const all = { siteId, collectionId: null, search: '', type: null, status: null };
    const rows = async (order: 'asc' | 'desc') => (await rowsOf(engine, { ...all, sort: 'collection', order })).rows;
    const up = await rows('asc');
    const names = up.map(({ collectionName }) => collectionName?.toLowerCase() ?? '');
    expect(new Set(names).size).toBeGreaterThan(5);
    expect(names).toEqual([...names].sort());
    expect((await rows('desc')).map(({ id }) => id)).toEqual(up.map(({ id }) => id).toReversed());
    const { rows: newest } = await rowsOf(engine, { ...all, sort: 'created_on', order: 'desc' });
    expect(up.map(({ id }) => id).sort()).toEqual(newest.map(({ id }) => id).sort());
  });
});
