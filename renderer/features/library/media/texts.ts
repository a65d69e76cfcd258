import { defineTexts } from '../../../kit/text/define-texts.ts';

/** The texts of the list and the grid of items. */
export const texts = defineTexts({
  en: {
    pending: { edited: 'Not sent yet', deleted: 'Deletion not sent yet' },
    needs: {
      decision: { mark: 'Decide', title: 'These edits need your decision. Open Edits to see them.' },
      retry: { mark: 'Refused', title: 'The library refused these edits. Open Edits to retry, change or drop them.' },
    },
    layout: { label: 'Layout', list: 'List', grid: 'Grid' },
    tile: { size: 'Thumbnail size' },
    columns: {
      choose: 'Columns',
      reset: 'Reset columns',
      title: 'Title',
      collection: 'Collection',
      type: 'Type',
      status: 'Status',
      length: 'Length',
      size: 'Size',
      captions: 'Captions',
      byline: 'Byline',
      created_on: 'Added',
      modified_on: 'Changed',
      publish_on: 'Published',
      tags: 'Tags',
      hasCaptions: 'Yes',
      noCaptions: 'No',
      unknown: '–',
      sortBy: (column: string) => `Sort by ${column.toLowerCase()}`,
      /** The tooltip of each resizable column repeats this text. */
      resize: 'Drag its left edge, or press Shift+Left or Shift+Right, to change the width.',
      cannotSort: (column: string) => `The library can’t sort by ${column.toLowerCase()}.`,
      notYetSorted: (column: string) =>
        `You can sort by ${column.toLowerCase()} as soon as this library is copied to your computer.`,
      width: (column: string, pixels: number) => `${column}: ${pixels} pixels wide`,
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
