import { defineTexts } from '../../../text/define-texts.ts';

/** The texts of the list and the grid of items. */
export const texts = defineTexts({
  en: {
    layout: { label: 'Layout', list: 'List', grid: 'Grid' },
    tile: {
      size: 'Thumbnail size',
      /** What a screen reader reads for a tile. Parts without a value are left out. */
      summary: (parts: readonly string[]) => parts.join(', '),
    },
    sort: {
      label: 'Sort by',
      newest: 'Newest first',
      oldest: 'Oldest first',
      changed: 'Recently changed first',
      published: 'Recently published first',
      title: 'Title, A to Z',
      titleDown: 'Title, Z to A',
      popularity: 'Most viewed first',
      relevance: 'Best match first',
    },
  },
});
