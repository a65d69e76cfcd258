import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { MirrorFolder } from '../../../../electron/engine/mirror/mirror-file.ts';
import { apiInstantOf, secondsOf } from '../../../../electron/engine/mirror/mirror-rows.ts';
import { MirrorStore } from '../../../../electron/engine/mirror/mirror-store.ts';
import { NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import { type MediaItem, mediaItemSchema } from '../../../../shared/api/media.ts';
import type { MediaQuery } from '../../../../shared/contract/library.ts';
import { folded } from '../../../../shared/model/library-query/searched-text.ts';
import { Prng } from '../../../helpers/data/prng.ts';

const WORDS = ['river', 'rivers', 'summit', 'su', 'sun', 'harbour', 'overriver', 'Éclair', 'a', 's', '12', '漢字'];
const SEARCHED = ['river', 'riv', 'ive', 'r', 's', 'su', 'sum', 'summit', 'harbour', 'our', 'eclair', 'a', '1', '漢'];
/** So many items that SQLite follows the index of the order for large results, and sorts the items of small ones. */
const ITEMS = 2600;

/**
 * A search: words that must all occur, a phrase, a word that must not occur, two words of which one must occur, two words that must
 * not both occur, and two words or a third one of which one side must occur.
 */
interface Search {
  words: string[];
  phrase: string[];
  without: string | null;
  either: [string, string] | null;
  notBoth: [string, string] | null;
  bothOr: [string, string, string] | null;
}

const searches = fc.record({
  words: fc.array(fc.constantFrom(...SEARCHED), { maxLength: 3 }),
  phrase: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    fc.array(fc.constantFrom(...SEARCHED), { maxLength: 2 }),
  ),
  without: fc.option(fc.constantFrom(...SEARCHED), { nil: null, freq: 4 }),
  either: fc.option(fc.tuple(fc.constantFrom(...SEARCHED), fc.constantFrom(...SEARCHED)), { nil: null, freq: 4 }),
  notBoth: fc.option(fc.tuple(fc.constantFrom(...SEARCHED), fc.constantFrom(...SEARCHED)), { nil: null, freq: 3 }),
  bothOr: fc.option(
    fc.tuple(fc.constantFrom(...SEARCHED), fc.constantFrom(...SEARCHED), fc.constantFrom(...SEARCHED)),
    { nil: null, freq: 3 },
  ),
});
const filters = fc.record(
  { type: fc.constantFrom('video', 'audio'), status: fc.constant('draft'), tag: fc.constantFrom('river', 'SUMMIT') },
  { requiredKeys: [] },
);
const changes = fc.oneof(
  fc.record({
    kind: fc.constantFrom('put', 'overlay', 'undo'),
    at: fc.nat(ITEMS - 1),
    title: fc.constantFrom(...WORDS),
  }),
  fc.record({ kind: fc.constantFrom('remove', 'vanish', 'failed'), at: fc.nat(ITEMS - 1), title: fc.constant('') }),
);

function textOf({ words, phrase, without, either, notBoth, bothOr }: Search): string {
  return [
    ...words,
    ...(phrase.length === 0 ? [] : [`"${phrase.join(' ')}"`]),
    ...(without === null ? [] : [`-${without}`]),
    ...(either === null ? [] : [either.join(' OR ')]),
    ...(notBoth === null ? [] : [`-(${notBoth.join(' ')})`]),
    ...(bothOr === null ? [] : [`(${bothOr[0]} ${bothOr[1]}) OR ${bothOr[2]}`]),
  ].join(' ');
}

interface ScannedItem {
  item: MediaItem;
  title: string;
  words: string[];
  text: string;
}

function scanned(item: MediaItem): ScannedItem {
  const text = [item.title, item.byline ?? '', item.description_plain ?? '', item.tags.join('\n')].map(folded);
  return { item, title: folded(item.title), words: text.flatMap((each) => each.split(' ')), text: text.join(' ') };
}

/** Returns whether a search for these words finds the item, by the rule of the search field and without an index. */
function hasWords({ title, words }: ScannedItem, wanted: readonly string[]): boolean {
  if (wanted.every((word) => words.some((each) => each.startsWith(word)))) return true;
  return wanted.some((word) => [...word].length >= 3) && wanted.every((word) => title.includes(word));
}

function matches(one: ScannedItem, { words, phrase, without, either, notBoth, bothOr }: Search): boolean {
  return (
    (words.length === 0 || hasWords(one, words)) &&
    (phrase.length === 0 || ` ${one.text.replaceAll(/ +/g, ' ')}`.includes(` ${phrase.join(' ')}`)) &&
    (without === null || !hasWords(one, [without])) &&
    (either === null || either.some((word) => hasWords(one, [word]))) &&
    (notBoth === null || !hasWords(one, notBoth)) &&
    (bothOr === null || hasWords(one, bothOr.slice(0, 2)) || hasWords(one, bothOr.slice(2)))
  );
}

/** Returns the score of an item as the search ranks it: a lower score is a better match. */
function scoreOf({ item, title }: ScannedItem, words: readonly string[]): number {
  const begins = (text: string, word: string) =>
    folded(text)
      .split(' ')
      .some((each) => each.startsWith(word));
  return [...new Set(words)].reduce(
    (score, word) =>
      score -
      (begins(title, word) ? 10 : 0) -
      (title.split(' ').includes(word) ? 5 : 0) -
      (begins(item.tags.join('\n'), word) ? 6 : 0) -
      (begins(item.byline ?? '', word) ? 4 : 0),
    0,
  );
}

describe('a search of the mirror', () => {
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-scan-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('finds what a scan of all items finds, in the same order, also after changes and a failed write', {
    timeout: 300_000,
  }, async () => {
    const store = new MirrorStore(await new MirrorFolder(dir, NO_FAILPOINTS).open('site'), Date.now);
    const prng = new Prng(11);
    const some = (most: number) => Array.from({ length: prng.int(0, most) }, () => prng.pick(WORDS)).join(' ');
    const items = new Map(
      Array.from({ length: ITEMS }, (_, index): [string, MediaItem] => [
        String(index),
        mediaItemSchema.parse({
          id: String(index),
          type: index % 3 === 0 ? 'audio' : 'video',
          collection_id: '1',
          links: {},
          status: index % 5 === 0 ? 'draft' : 'published',
          title: some(3),
          byline: some(1),
          description_plain: prng.chance(0.8) ? `river ${some(2)}` : some(2),
          tags: [...new Set(some(2).split(' '))],
          created_on: apiInstantOf(1_700_000_000 + prng.int(0, 2000)),
        }),
      ]),
    );
    store.putAll([...items.values()], store.moment());
    const overlays = new Map<string, string>();
    const shown = () => [...items.values()].map((item) => ({ ...item, title: overlays.get(item.id) ?? item.title }));

    function change({ kind, at, title }: { kind: string; at: number; title: string }): void {
      const id = String(at);
      const item = items.get(id);
      if (item === undefined) return;
      switch (kind) {
        case 'put':
          store.putNow({ ...item, title });
          items.set(id, { ...item, title });
          break;
        case 'overlay':
          store.setOverlay(id, { title });
          overlays.set(id, title);
          break;
        case 'undo':
          store.setOverlay(id, null);
          overlays.delete(id);
          break;
        case 'remove':
          store.remove(id);
          overlays.delete(id);
          items.delete(id);
          break;
        case 'vanish':
          store.vanishAll([id]);
          // An item with pending edits stays visible.
          if (!overlays.has(id)) items.delete(id);
          break;
        case 'failed': {
          // Without an id the write fails in SQLite, without tags before it.
          const broken = (at % 2 === 0 ? { ...item, id: null } : { ...item, tags: null }) as unknown as MediaItem;
          store.putSlice([{ ...item, description_plain: 'undone' }], store.moment(), false);
          expect(store.lists.count(queryOf('undone', {}))).toBe(1);
          expect(() => store.putSlice([broken], store.moment(), true)).toThrow();
          expect(store.lists.count(queryOf('undone', {}))).toBe(0);
        }
      }
    }

    fc.assert(
      fc.property(searches, filters, fc.boolean(), fc.option(changes), (search, more, isRanked, next) => {
        if (next !== null) change(next);
        const query = queryOf(textOf(search), { ...more, sort: isRanked ? 'relevance' : 'created_on' });
        const found = shown()
          .filter(({ type, status, tags }) => {
            const isTagged =
              more.tag === undefined || tags.some((tag) => tag.toLowerCase() === more.tag?.toLowerCase());
            return (more.type ?? type) === type && (more.status ?? status) === status && isTagged;
          })
          .map(scanned)
          .filter((one) => matches(one, search));
        const ranked = isRanked ? search.words : [];
        const order = found
          .map((one) => ({ score: scoreOf(one, ranked), at: secondsOf(one.item.created_on) ?? 0, id: one.item.id }))
          .sort((one, other) => one.score - other.score || other.at - one.at || Number(other.id) - Number(one.id))
          .map(({ id }) => id);
        expect(store.lists.ids(query, ITEMS)).toEqual(order);
        expect(store.lists.count(query)).toBe(order.length);
        const offset = Math.floor(order.length / 3);
        const window = store.lists.window(query, offset, 20);
        expect(window.rows.map(({ id }) => id)).toEqual(order.slice(offset, offset + 20));
        expect(window.total).toBe(order.length);
      }),
      // Each run continues with the items of the previous one, so no failure can be reproduced in a smaller form.
      { numRuns: 120, endOnFailure: true },
    );
    store.close();
  });
});

function queryOf(search: string, over: Partial<MediaQuery>): MediaQuery {
  return {
    siteId: 'site',
    collectionId: null,
    search,
    type: null,
    status: null,
    sort: 'created_on',
    order: 'desc',
    ...over,
  };
}
