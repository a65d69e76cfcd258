import { setImmediate as nextTurn } from 'node:timers/promises';
import { SimilarTitles } from '../../../../shared/model/titles/similar-titles.ts';
import { SeriesFinder } from '../../../../shared/model/titles/title-series.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Handlers } from '../../common/handlers.ts';
import type { Mirrors, TitledItem } from '../../mirror/mirrors.ts';

type TitleCall = 'library.similarItems' | 'library.titleSeries';

interface TitleHandlerTools {
  /** Throws for an unknown account. */
  clientFor(siteId: string): SiteClient;
  mirrors: Mirrors;
}

/** Items that are read with one statement, and items that are compared in one turn of the event loop. */
const PAGE = 500;
const SLICE = 25;

/** The calls about titles that items will get. */
export function titleHandlers({ clientFor, mirrors }: TitleHandlerTools): Pick<Handlers, TitleCall> {
  let latest = 0;

  /** Returns the items of collections one after the other, read in pages. Throws `NO_COPY` without a complete copy. */
  function* itemsIn(siteId: string, collectionIds: readonly string[]): Generator<TitledItem> {
    for (let after = -1; ; ) {
      const items = mirrors.titles(siteId, collectionIds, after, PAGE);
      if (items === null) throw NO_COPY;
      yield* items;
      after = items.at(-1)?.seq ?? after;
      if (items.length < PAGE) return;
    }
  }

  return {
    async 'library.similarItems'({ siteId, titles }) {
      clientFor(siteId);
      latest += 1;
      const call = latest;
      const found = new SimilarTitles<TitledItem>();
      const collectionIds = [...new Set(titles.map(({ collectionId }) => collectionId))];
      const compare = (item: TitledItem) => {
        const { title, collectionId, durationSeconds: seconds } = item;
        found.add({ title, collectionId, seconds, item });
      };
      const isLatest = () => call === latest;
      const isAll =
        (await inSlices(found.take(titles), () => {}, isLatest)) &&
        (await inSlices(itemsIn(siteId, collectionIds), compare, isLatest));
      if (!isAll) return { similar: null };
      const similar = [...found.result()].map(([key, { item: known, isEqual }]) => {
        const { seq: _seq, ...item } = known;
        return { key, item, isEqual };
      });
      return { similar };
    },
    async 'library.titleSeries'({ siteId, collectionId }) {
      clientFor(siteId);
      const finder = new SeriesFinder();
      const isAll = await inSlices(itemsIn(siteId, [collectionId]), ({ title }) => finder.add(title));
      return { series: isAll ? finder.result() : null };
    },
  };
}

/** Thrown inside of this file only. */
const NO_COPY = new Error('there is no complete copy of the library');

/**
 * Calls `visit` with each value; other work runs between slices. Returns false when `continues` does, and without a complete copy of
 * the library.
 */
async function inSlices<T>(
  values: Iterable<T>,
  visit: (value: T) => void,
  continues: () => boolean = () => true,
): Promise<boolean> {
  let count = 0;
  try {
    for (const value of values) {
      visit(value);
      count += 1;
      if (count % SLICE > 0) continue;
      await nextTurn();
      if (!continues()) return false;
    }
    return true;
  } catch (error) {
    if (error === NO_COPY) return false;
    throw error;
  }
}
