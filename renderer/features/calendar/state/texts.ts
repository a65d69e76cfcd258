import { dayText, MONTH_NAMES, MONTHS } from '../../../../shared/model/date-time.ts';
import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { DAY_NAMES } from '../../../kit/text/weekdays.ts';

/** The year, the month (1 to 12) and the day of `2026-05-05`. */
function partsOf(day: string): { year: number; month: number; day: number } {
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)), day: Number(day.slice(8, 10)) };
}

/** The names of days, and the texts of messages about the calendar. Days are `2026-05-05`, days of the week 0 (Sunday) to 6. */
export const texts = defineTexts({
  en: {
    dates: {
      /** `Tuesday 5 May 2026`. */
      full: (day: string, weekday: number) => {
        const { year, month, day: date } = partsOf(day);
        return `${DAY_NAMES[weekday]} ${date} ${MONTH_NAMES[month - 1]} ${year}`;
      },
      /** `May 2026`. */
      month: (day: string) => `${MONTH_NAMES[partsOf(day).month - 1]} ${partsOf(day).year}`,
      /** `4–10 May 2026`, `27 Apr – 3 May 2026`. */
      span: (from: string, to: string) => {
        const [first, last] = [partsOf(from), partsOf(to)];
        if (first.year !== last.year) return `${dayText(first)} – ${dayText(last)}`;
        if (first.month === last.month) return `${first.day}–${dayText(last)}`;
        return `${first.day} ${MONTHS[first.month - 1]} – ${dayText(last)}`;
      },
      /** `5`, or `1 Jun` for the first day of a month. */
      inMonth: (day: string) => {
        const { month, day: date } = partsOf(day);
        return date === 1 ? `1 ${MONTHS[month - 1]}` : String(date);
      },
    },
    cell: {
      day: (day: string, count: number) => `${day}, ${counts.items(count)}`,
      time: (day: string, time: string) => `${day}, ${time}`,
      hour: (day: string, time: string, count: number) => `${day}, ${time}, ${counts.items(count)}`,
      skippedHour: (day: string, time: string) => `${day}, ${time}, clocks skip this hour`,
      today: (name: string) => `${name}, today`,
    },
    more: (count: number) => plural(count, { one: '+# more', other: '+# more' }),
    moved: {
      label: (day: string) => `Reschedule to ${day}`,
      /** `skipped`: the time that clocks skip on that day; null: none. `isAgain`: the item had another time before. */
      done: (title: string, when: string, skipped: string | null, isAgain: boolean) => {
        const moved = isAgain ? `Rescheduled “${title}” to ${when}.` : `Scheduled “${title}” for ${when}.`;
        return skipped === null ? moved : `${moved} Clocks skip ${skipped} on that day, so the time was moved forward.`;
      },
      waiting: (done: string) => `${done} Mediadesk sends the change later.`,
    },
    refused: {
      published: {
        text: (title: string) => `“${title}” is published, so it can’t be moved to another day.`,
        nextStep: 'Unpublish it first, then schedule it again.',
      },
      deleted: {
        text: (title: string) => `“${title}” is about to be deleted.`,
        nextStep: 'Open Edits to undo the deletion.',
      },
      status: {
        text: (title: string) => `“${title}” can’t be scheduled in its present state.`,
        nextStep: 'Open the item to see its state.',
      },
      past: {
        text: (title: string, when: string) =>
          `“${title}” can’t be scheduled for ${when}, because that time has passed.`,
        nextStep: 'Choose a later time, or publish the item now.',
      },
    },
  },
});
