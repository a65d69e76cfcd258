import { CircleAlert } from 'lucide-react';
import { memo } from 'react';
import type { SeriesNote } from '../../../../shared/contract/series.ts';
import { seriesNoteText } from '../../../../shared/model/series/series-text.ts';
import type { SeriesTime } from '../../../../shared/model/series/series-times.ts';
import { offsetText } from '../../../../shared/model/zoned-time.ts';
import { classes } from '../../../kit/components/button.tsx';
import { formatDayInZone } from '../../../kit/text/weekdays.ts';
import styles from './series.module.css';
import { texts } from './texts.ts';

/** One item with its time in a series. */
export interface SeriesRow {
  id: string;
  title: string;
  /** Epoch milliseconds. */
  at: number;
  notes: readonly SeriesNote[];
  /** Whether the item is published now. */
  isPublic: boolean;
}

interface SeriesPreviewProps {
  rows: readonly SeriesRow[];
  timeZone: string;
  /** Whether the rows are being computed again. */
  isBusy: boolean;
  /** Sentences about items that have no row. */
  remarks: readonly string[];
}

/** Returns a time of a series with the day of the week and its offset: `Wed 5 May 2027, 18:00 (UTC+2)`. */
function seriesTimeText(at: number, timeZone: string): string {
  return texts.time(formatDayInZone(at, timeZone), offsetText(at, timeZone));
}

/** Returns how many times there are, the last one, and how many of them are special; an empty text without any. */
export function seriesSummary(times: readonly (SeriesTime & { isPublic?: boolean })[], timeZone: string): string {
  const last = times.at(-1);
  if (last === undefined) return '';
  const special = times.filter(({ notes, isPublic = false }) => notes.length > 0 || isPublic).length;
  const sentence = texts.summary(times.length, seriesTimeText(last.at, timeZone));
  return special === 0 ? sentence : `${sentence} ${texts.warnings(special)}`;
}

/** The items with their times, in the order of publication, and what is special about a time. */
export const SeriesPreview = memo(function SeriesPreview({ rows, timeZone, isBusy, remarks }: SeriesPreviewProps) {
  const summary = [seriesSummary(rows, timeZone), ...remarks].filter((sentence) => sentence !== '');
  return (
    <div className={styles.preview} aria-busy={isBusy}>
      <p role="status">{isBusy && rows.length === 0 ? texts.previewBusy : summary.join(' ')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className={styles.scroller} aria-label={texts.preview} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col" className={styles.head}>
                {texts.columns.item}
              </th>
              <th scope="col" className={classes(styles.head, styles.timeHead)}>
                {texts.columns.time}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <PreviewRow key={row.id} row={row} timeZone={timeZone} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
});

function PreviewRow({ row: { title, at, notes, isPublic }, timeZone }: { row: SeriesRow; timeZone: string }) {
  const sentences = [...notes.map(seriesNoteText), ...(isPublic ? [texts.isPublic] : [])];
  return (
    <tr>
      <th scope="row" className={styles.cell}>
        <div className={styles.title} title={title}>
          {title || texts.untitled}
        </div>
        {sentences.map((sentence) => (
          <div key={sentence} className={styles.warning}>
            <CircleAlert size={13} className={styles.warningIcon} aria-hidden />
            {sentence}
          </div>
        ))}
      </th>
      <td className={styles.cell}>{seriesTimeText(at, timeZone)}</td>
    </tr>
  );
}
