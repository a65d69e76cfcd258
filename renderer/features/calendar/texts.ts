import { counts, defineTexts } from '../../kit/text/define-texts.ts';

/** The texts of the calendar. */
export const texts = defineTexts({
  en: {
    title: 'Calendar',
    toolbar: {
      previous: { month: 'Previous month', week: 'Previous week' },
      next: { month: 'Next month', week: 'Next week' },
      today: 'Today',
      mode: 'Show',
      month: 'Month',
      week: 'Week',
      count: (count: number) => counts.items(count),
      zone: (zone: string) => `Times in ${zone}`,
      allCollections: 'All collections',
      filter: (name: string) => `Collection: ${name}`,
      collection: 'Collection',
      showAll: 'Show all collections',
      undated: 'Without a date',
      showInspector: 'Show the inspector',
      hideInspector: 'Hide the inspector',
    },
    undated: {
      label: 'Items without a date',
      hint: 'Drag one to a day to schedule it.',
      none: 'Every item has a date.',
      notListed: 'The items without a date couldn’t be loaded',
    },
    slot: {
      notListed: 'The items couldn’t be loaded',
      title: (slot: string, count: number | null) => (count === null ? slot : `${slot} · ${counts.items(count)}`),
      none: 'There are no items here any more.',
      close: 'Close',
    },
    entry: {
      label: (time: string, title: string, status: string) => `${time}, ${title}, ${status}`,
      untitled: 'Untitled',
      more: (title: string) => `Commands for “${title}”`,
      open: 'Play or open',
      details: 'Show details',
      showInLibrary: 'Show in its collection',
    },
    drag: {
      to: (title: string, when: string) => `${title}: ${when}`,
    },
    noCopy: {
      title: 'The calendar needs a copy of the library',
      copying: (items: number, total: number) =>
        `Mediadesk is copying the list of items to this computer: ${items.toLocaleString('en-US')} of ${counts.items(total)}.`,
      waiting: 'Mediadesk copies the list of items to this computer when it can reach the library.',
    },
    notLoaded: 'The calendar couldn’t be loaded',
    hours: 'Hours',
  },
});
