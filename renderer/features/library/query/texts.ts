import { counts } from '../../../kit/text/counts.ts';
import { defineTexts, plural } from '../../../kit/text/define-texts.ts';

const DATE_HINT = 'Use a date such as 2026, 2026-03 or 2026-03-31.';

/** The texts of the search field, the filters and the chips. */
export const texts = defineTexts({
  en: {
    search: 'Search items',
    filter: 'Filter',
    filters: 'Filters',
    chips: 'Active filters',
    clear: 'Clear all',
    more: (label: string) => `Options for ${label}`,
    remove: 'Remove',
    removeChip: (label: string) => `Remove ${label}`,
    edit: 'Change…',
    invert: 'Exclude these items instead',
    include: 'Include these items instead',
    kinds: {
      type: 'Type',
      status: 'Status',
      tag: 'Tag',
      in: 'Collection',
      byline: 'Byline',
      related: 'Related to',
      created: 'Added',
      modified: 'Changed',
      published: 'Published',
      duration: 'Length',
    },
    types: { video: 'Video', audio: 'Audio', doc: 'Document', image: 'Image' },
    statuses: { published: 'Published', scheduled: 'Scheduled', draft: 'Draft' },
    states: {
      pending: 'Not sent yet',
      deleted: 'Deletion not sent yet',
      published: 'Published',
      scheduled: 'Scheduled',
      draft: 'Draft',
      podcast: 'In a podcast',
    },
    with: { captions: 'With captions', description: 'With description', byline: 'With byline', tags: 'With tags' },
    without: {
      captions: 'Without captions',
      description: 'Without description',
      byline: 'Without byline',
      tags: 'Without tags',
    },
    /** Groups of the filter menu. */
    groups: { contents: 'Contents', more: 'More filters' },
    menu: {
      tag: 'Tag…',
      byline: 'Byline…',
      created: 'Added between…',
      modified: 'Changed between…',
      published: 'Published between…',
      duration: 'Length…',
      pending: 'Not sent yet',
    },
    or: (labels: readonly string[]) => labels.join(' or '),
    /** Follows the name of the property: `Type: not Video`. */
    isNot: (value: string) => `not ${value}`,
    not: (label: string) => `Not ${label}`,
    valueOf: (kind: string, value: string) => `${kind}: ${value}`,
    phrase: (text: string) => `“${text}”`,
    ranges: {
      between: (from: string, to: string) => `${from} to ${to}`,
      since: (from: string) => `since ${from}`,
      until: (to: string) => `until ${to}`,
      after: (from: string) => `after ${from}`,
      before: (to: string) => `before ${to}`,
      atLeast: (from: string) => `${from} or longer`,
      atMost: (to: string) => `${to} or shorter`,
      longer: (from: string) => `longer than ${from}`,
      shorter: (to: string) => `shorter than ${to}`,
    },
    captionsUnknown: (count: number) =>
      plural(count, {
        one: '# more item may belong here: Mediadesk hasn’t checked its captions yet.',
        other: '# more items may belong here: Mediadesk hasn’t checked their captions yet.',
      }),
    saved: {
      title: 'Saved searches',
      none: 'Search for something, then save it here.',
      current: ', shown',
      save: 'Save this search…',
      saveNothing: 'Search for something to save it here',
      more: (name: string) => `More for ${name}`,
      open: 'Show items',
      rename: 'Rename…',
      up: 'Move up',
      down: 'Move down',
      remove: 'Delete…',
      saveTitle: 'Save search',
      saveAction: 'Save',
      everywhere: (search: string) => `In all collections: ${search}`,
      within: (search: string, collection: string, includesBelow: boolean) =>
        includesBelow ? `In ${collection} and its subcollections: ${search}` : `In ${collection}: ${search}`,
      renameTitle: 'Rename search',
      renameAction: 'Rename',
      removeTitle: (name: string) => `Delete “${name}”?`,
      removeText: 'This deletes the saved search. The items it finds stay in the library.',
      removeAction: 'Delete search',
      atLeast: (count: number, unknown: number) =>
        `${counts.items(count)}, and ${plural(unknown, {
          one: '# more whose captions aren’t checked yet',
          other: '# more whose captions aren’t checked yet',
        })}`,
    },
    dialog: {
      titles: {
        tag: 'Filter by tag',
        byline: 'Filter by byline',
        created: 'Filter by the date items were added',
        modified: 'Filter by the date items were changed',
        published: 'Filter by the date items were published',
        duration: 'Filter by length',
      },
      tag: 'Tag',
      byline: 'Byline contains',
      first: 'From',
      last: 'To',
      daysHint: 'Leave one of them empty for an open range. Both days are included.',
      atLeast: 'At least',
      atMost: 'At most',
      lengthHint: 'For example 90s, 30m or 1h30m',
      apply: 'Apply',
      problems: {
        text: 'Enter some text. It can’t contain double quotes.',
        days: 'Enter at least one date, and the earlier one first.',
        length: 'Enter a length such as 90s, 30m or 1h30m, and the shorter one first.',
      },
      noTag: 'No such tag in the copy of your library on this computer.',
      showTags: 'Show tags',
    },
    hints: {
      unknown: (qualifier: string) =>
        `“${qualifier}:” isn’t a filter, so Mediadesk searches for these words. Choose a filter from the Filter menu.`,
      values: {
        date: (qualifier: string, value: string) => `“${qualifier}:${value}” isn’t a date. ${DATE_HINT}`,
        duration: (value: string) => `“duration:${value}” isn’t a length. Use a length such as >30m or 5m..1h30m.`,
        other: (qualifier: string, value: string, known: string) =>
          `“${qualifier}:${value}” isn’t a filter. After “${qualifier}:” use ${known}.`,
        text: (qualifier: string) => `Add a value after “${qualifier}:”.`,
      },
    },
  },
});
