import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

const tags = (count: number) => plural(count, { one: '# tag', other: '# tags' });

/** The texts of the tags in the administration. */
export const texts = defineTexts({
  en: {
    list: 'Tags',
    search: 'Find a tag',
    facet: 'Show',
    facets: { all: 'All tags', similar: 'Similar names' },
    add: 'New tag…',
    columns: { name: 'Name', items: 'Items' },
    itemsHint: 'The number in this computer’s copy of the library',
    count: formatCount,
    notLoaded: 'The tags couldn’t be loaded',
    noneFound: { title: 'No tag found', text: 'No tag of the library has this name.' },
    noneSimilar: {
      title: 'No similar names',
      text: 'No two tags differ only in letter case, accents, separators or a plural.',
    },
    nothing: { title: 'No tags', text: 'The library has no tags yet. Items get tags in the library, too.' },
    none: { title: 'No tag selected', text: 'Select a tag to see how many items have it.' },
    used: 'Used by',
    counting: 'Counting…',
    unknown: 'An unknown number of items',
    items: counts.items,
    rename: 'Rename…',
    remove: 'Delete…',
    mergeHint: 'To merge tags, select two or more of them.',
    bar: 'Selected tags',
    selected: (count: number) => `${tags(count)} selected`,
    deselect: 'Deselect all',
    newTitle: 'New tag',
    create: 'Create',
    renameTitle: (name: string) => `Rename the tag “${name}”`,
    renameHint: 'All items with this tag get the new name.',
    renameAction: 'Rename',
    deletion: {
      title: (count: number) => `Delete ${tags(count)}?`,
      use: (name: string, items: number) => `${name}: ${counts.items(items)}`,
      unknown: (name: string) => `${name}: an unknown number of items`,
      more: (count: number) => `and ${formatCount(count)} more`,
      counting: 'Counting the items with these tags…',
      text: 'The tags are also removed from these items. This can’t be undone.',
      action: (count: number) => `Delete ${tags(count)}`,
      keep: 'Keep',
    },
    merge: {
      command: 'Merge…',
      tooMany: (most: number) => `At most ${tags(most)} can be merged at once.`,
      title: (count: number) => `Merge ${tags(count)}`,
      stays: 'Tag that stays',
      text: (kept: string) =>
        `Items with the other tags get “${kept}” in place of them, and keep the rest of their tags. Then the other tags are deleted. This can’t be undone.`,
      action: (count: number) => `Merge ${tags(count)}`,
      cancel: 'Cancel',
      reading: 'Reading the items with these tags…',
      progress: (done: number, items: number) => `${formatCount(done)} of ${counts.items(items)}`,
      stop: 'Stop',
      stopping: 'Stopping…',
      done: (changed: number, kept: string, deleted: number) =>
        [
          `${plural(changed, { one: '# item has', other: '# items have' })} “${kept}” now.`,
          plural(deleted, { one: '# tag was deleted.', other: '# tags were deleted.' }),
        ].join(' '),
      failed: (count: number) =>
        plural(count, { one: '# item couldn’t be changed:', other: '# items couldn’t be changed:' }),
      left: (count: number) => plural(count, { one: '# tag wasn’t deleted:', other: '# tags weren’t deleted:' }),
      again: 'Merge again',
      close: 'Close',
    },
  },
});
