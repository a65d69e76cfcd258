// Data that another version of Mediadesk stored on this computer still exists after this version has stored its own data.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const items = new Map<string, string>();
let isFull = false;
beforeEach(() => {
  items.clear();
  isFull = false;
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (isFull && text.length > 200) throw new Error('full');
      items.set(key, text);
    },
    removeItem: (key: string) => void items.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The stores read the stored data when their modules are loaded. */
const load = {
  preferences: () => import('../../../renderer/features/common/state/preferences.ts'),
  columns: () => import('../../../renderer/features/library/state/media-columns.ts'),
  edits: () => import('../../../renderer/features/library/state/unsaved-edits.ts'),
  podcasts: () => import('../../../renderer/features/library/state/podcast/stored-podcast-edits.ts'),
  drafts: () => import('../../../renderer/features/watched/state/stored-draft.ts'),
};
const edit = (mine: string) => ({ title: { mine, base: 'Talk' } });

describe('choices about the layout', () => {
  const KEY = 'mediadesk.preferences';

  it('keep the values of a newer version, byte for byte, when another choice changes', async () => {
    const newer =
      '{"newer":{"a":[1]},"treeWidth":300,"mediaLayout":"timeline","expanded":["1",{"id":2},"3"],' +
      '"gridWidths":{"items":{"title":99,"newer":"auto"}}}';
    items.set(KEY, newer);
    const { savePreferences } = await load.preferences();
    savePreferences({ treeWidth: 250 });
    expect(items.get(KEY)).toBe(newer.replace('300', '250'));
    savePreferences({ gridWidths: { items: { title: 120 } }, expanded: ['1', '4'] });
    expect(items.get(KEY)).toBe(
      newer.replace('300', '250').replace('99', '120').replace('["1",{"id":2},"3"]', '["1",{"id":2},"4"]'),
    );
    savePreferences({ mediaLayout: 'grid' });
    expect(JSON.parse(items.get(KEY) ?? '')).toMatchObject({ newer: { a: [1] }, mediaLayout: 'grid' });
  });

  it.each(['{"a":', '5', '[]', 'null'])('replace a stored text that this version can’t use: %s', async (text) => {
    items.set(KEY, text);
    const { savePreferences } = await load.preferences();
    savePreferences({ treeWidth: 250 });
    vi.resetModules();
    expect((await load.preferences()).preferences().treeWidth).toBe(250);
  });
});

describe('the columns of the list', () => {
  const KEY = 'mediadesk.preferences';
  const stored = () => JSON.parse(items.get(KEY) ?? '{}').mediaColumns;
  const newer = {
    chosen: ['title', 'resolution', 'status', 'mood'],
    order: 'manual',
    widths: { status: 90, resolution: 70, views: 'auto' },
  };

  it('keep columns of a newer version at their positions when a column is shown, hidden or resized', async () => {
    items.set(KEY, JSON.stringify({ mediaColumns: newer }));
    const { toggleColumn, resizeColumn, resetWidth, useMediaColumns } = await load.columns();
    expect(useMediaColumns.getState().chosen).toEqual(['title', 'status']);
    resizeColumn('status', 120, true);
    expect(stored()).toEqual({ ...newer, widths: { ...newer.widths, status: 120 } });
    toggleColumn('tags');
    expect(stored().chosen).toEqual(['title', 'resolution', 'status', 'mood', 'tags']);
    toggleColumn('status');
    expect(stored().chosen).toEqual(['title', 'resolution', 'tags', 'mood']);
    resetWidth('status');
    expect(stored()).toMatchObject({ order: 'manual', widths: { resolution: 70, views: 'auto' } });
    expect(stored().widths).not.toHaveProperty('status');
  });

  it('are the default columns after a reset', async () => {
    items.set(KEY, JSON.stringify({ mediaColumns: newer }));
    const { resetColumns } = await load.columns();
    resetColumns();
    expect(stored()).toMatchObject({ chosen: null, order: 'manual' });
    vi.resetModules();
    const { useMediaColumns } = await load.columns();
    expect(useMediaColumns.getState()).toMatchObject({ chosen: null, widths: {} });
  });
});

describe('unsaved edits of items', () => {
  const KEY = 'mediadesk.drafts';
  const stored = () => JSON.parse(items.get(KEY) ?? '[]');
  const newer = ['s/1', { chapters: { mine: ['a'], base: [] }, ...edit('One') }];
  const unknown = ['s/2', { chapters: { mine: ['b'], base: [] } }];
  const other = { item: 's/3', edits: [] };

  it('keep fields and entries of a newer version when edits are stored, saved and reverted', async () => {
    items.set(KEY, JSON.stringify([newer, unknown, other]));
    const { storeEdits, unsavedEdits, writeEdits } = await load.edits();
    expect(unsavedEdits('s', '1')).toEqual(edit('One'));
    expect(unsavedEdits('s', '2')).toEqual({});
    storeEdits('s', '4', edit('Four'));
    writeEdits();
    expect(stored()).toEqual([unknown, other, newer, ['s/4', edit('Four')]]);
    storeEdits('s', '1', edit('Two'));
    storeEdits('s', '2', edit('Second'));
    writeEdits();
    expect(stored()).toEqual([
      other,
      ['s/4', edit('Four')],
      ['s/1', { chapters: { mine: ['a'], base: [] }, ...edit('Two') }],
      ['s/2', { chapters: { mine: ['b'], base: [] }, ...edit('Second') }],
    ]);
    for (const id of ['1', '2', '4']) storeEdits('s', id, {});
    writeEdits();
    expect(stored()).toEqual([other, ['s/1', { chapters: { mine: ['a'], base: [] } }], unknown]);
  });

  it('are removed with their account, also those of a newer version', async () => {
    const elsewhere = ['t/1', { chapters: 1 }];
    items.set(KEY, JSON.stringify([newer, unknown, { account: 'site-1', edits: [] }, elsewhere, ['site-1/7', {}]]));
    items.set(`${KEY}.unreadable`, '{"site-1":');
    const { forgetEditsOf } = await load.edits();
    forgetEditsOf('site-1');
    expect(stored()).toEqual([unknown, elsewhere, newer]);
    expect(items.has(`${KEY}.unreadable`)).toBe(false);
    forgetEditsOf('s');
    expect(stored()).toEqual([elsewhere]);
  });

  it.each(['{"version":2,"drafts":{}}', '[["s/1"'])('keep a copy of a text that is no list: %s', async (text) => {
    items.set(KEY, text);
    const { storeEdits, writeEdits } = await load.edits();
    storeEdits('s', '4', edit('Four'));
    writeEdits();
    expect(stored()).toEqual([['s/4', edit('Four')]]);
    expect(items.get(`${KEY}.unreadable`)).toBe(text);
  });

  it('keep those of a newer version and the latest own edits when the storage is full', async () => {
    items.set(KEY, JSON.stringify([unknown]));
    isFull = true;
    const { storeEdits, writeEdits } = await load.edits();
    for (const id of ['5', '6', '7', '8']) storeEdits('s', id, edit(`Title ${id}`));
    writeEdits();
    expect(stored()[0]).toEqual(unknown);
    expect(stored().at(-1)).toEqual(['s/8', edit('Title 8')]);
  });
});

describe('unsaved edits of podcasts', () => {
  it('keep fields and entries of a newer version', async () => {
    const newer = ['s/1', { directory_author_name: 'Ada', trailer: { url: 'x' } }];
    const unknown = ['s/2', { trailer: {} }];
    items.set('mediadesk.podcast-drafts', JSON.stringify([newer, unknown]));
    const { podcastEditsOf, storePodcastEdits } = await load.podcasts();
    expect(podcastEditsOf('s', '1')).toEqual({ directory_author_name: 'Ada' });
    storePodcastEdits('s', '1', { directory_author_name: 'Grace' });
    const stored = () => JSON.parse(items.get('mediadesk.podcast-drafts') ?? '');
    expect(stored()).toEqual([unknown, ['s/1', { directory_author_name: 'Grace', trailer: { url: 'x' } }]]);
    storePodcastEdits('s', '1', {});
    expect(stored()).toEqual([unknown, ['s/1', { trailer: { url: 'x' } }]]);
  });
});

describe('unsaved rules of a watched folder', () => {
  const KEY = 'mediadesk.watch-draft';
  const newer = '{"version":2,"draft":{"folderId":"f1","rules":{"newer":1}}}';
  const own = { ruleId: 'r', draft: { folderId: null }, original: { folderId: null } } as never;

  it('of a newer version are kept for that version when this one stores or discards its own', async () => {
    items.set(KEY, newer);
    const { storeDraft, storedDraft } = await load.drafts();
    storeDraft(null);
    expect(items.get(KEY)).toBe(newer);
    storeDraft(own);
    expect(storedDraft([])).toEqual(own);
    expect(items.get(`${KEY} 2`)).toBe(newer);
    storeDraft(null);
    expect([...items]).toEqual([[`${KEY} 2`, newer]]);
  });

  it('are read and removed where a newer version has put them', async () => {
    items.set(KEY, newer);
    items.set(`${KEY} 1`, JSON.stringify({ version: 1, ...(own as object) }));
    const { storeDraft, storedDraft } = await load.drafts();
    expect(storedDraft([])).toEqual(own);
    storeDraft(null);
    expect([...items]).toEqual([[KEY, newer]]);
  });
});
