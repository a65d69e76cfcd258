import { useEffect, useState } from 'react';
import type { Series } from '../../../../shared/contract/series.ts';
import { isoOf } from '../../../../shared/model/iso-instant.ts';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { Segments } from '../../../kit/components/forms/choice.tsx';
import {
  draftOfTime,
  instantOfDraft,
  nextFullHour,
  type ZonedTimeDraft,
} from '../../../kit/components/forms/zoned-time-draft.ts';
import { ZonedTimeField } from '../../../kit/components/forms/zoned-time-field.tsx';
import { ClockNotice } from '../../common/clock-notice.tsx';
import { SeriesFields } from '../../common/series/series-fields.tsx';
import { seriesSummary } from '../../common/series/series-preview.tsx';
import { texts as seriesTexts } from '../../common/series/texts.ts';
import { useDaysOff } from '../../common/state/days-off-store.ts';
import { newSeriesDraft, readSeriesDraft, type SeriesDraft } from '../../common/state/series-draft.ts';
import { chooseSeries, filesOf, seriesProblem, useAdd } from '../state/add-store.ts';
import styles from './add-sheet.module.css';
import { texts } from './texts.ts';

type Order = keyof typeof seriesTexts.orders;

const ORDERS = (['together', 'series'] as const).map((value) => ({ value, label: seriesTexts.orders[value] }));

/** The publish times that the user enters in the sheet. */
interface PublishTimesState {
  order: Order;
  at: ZonedTimeDraft;
  draft: SeriesDraft;
  /** The instant of the one time for all; null when it is invalid, and in a series. */
  instant: string | null;
  /** Why the files have no times one after another; null when they have. Absent: all have one time. */
  series?: string | null;
  /** A sentence about the times of the files one after another; empty without any. */
  summary: string;
  set: (change: Partial<Pick<PublishTimesState, 'order' | 'at' | 'draft'>>) => void;
}

/** The state of the fields for publish times. `isOn`: whether the files are published at a time. */
export function usePublishTimes(isOn: boolean): PublishTimesState {
  const fileCount = useAdd((all) => filesOf(all.preview).length);
  const times = useAdd((all) => all.times);
  const problem = useAdd(seriesProblem);
  const daysOff = useDaysOff();
  const [state, setState] = useState(() => {
    const now = nextFullHour(Date.now());
    return { order: 'together' as Order, at: draftOfTime(now, localTimeZone()), draft: newSeriesDraft(now) };
  });
  const isSeries = isOn && state.order === 'series' && fileCount > 1;
  const read = readSeriesDraft(state.draft, daysOff);
  const series = isSeries && 'series' in read ? read.series : null;
  const key = JSON.stringify(series);
  useEffect(() => chooseSeries(JSON.parse(key) as Series | null), [key]);
  const set: PublishTimesState['set'] = (change) => setState((before) => ({ ...before, ...change }));
  if (!isSeries) {
    const epochMs = instantOfDraft(state.at);
    return { ...state, set, summary: '', instant: epochMs === null ? null : isoOf(epochMs) };
  }
  if (series === null) return { ...state, set, summary: '', instant: null, series: texts.sheet.problems.series };
  const summary = seriesSummary([...(times?.times.values() ?? [])], series.timeZone);
  return { ...state, set, summary, instant: null, series: problem };
}

interface PublishTimesProps {
  siteId: string | null;
  times: PublishTimesState;
  /** The problem of the last attempt to add the files. */
  error: string | null;
}

/** One publish time for all files, or times one after another, which the table shows. */
export function PublishTimes({ siteId, times, error }: PublishTimesProps) {
  const { order, at, draft, set, series, summary } = times;
  const count = useAdd((state) => filesOf(state.preview).length);
  return (
    <div className={styles.time} data-field="publish-at">
      {count < 2 ? null : (
        <Segments label={seriesTexts.order} value={order} options={ORDERS} onChange={(next) => set({ order: next })} />
      )}
      {series === undefined ? (
        <ZonedTimeField
          label={texts.sheet.publishAt}
          draft={at}
          onChange={(next) => set({ at: next })}
          isInvalid={error !== null}
        />
      ) : (
        <>
          <SeriesFields draft={draft} onChange={(change) => set({ draft: { ...draft, ...change } })} />
          {error === null ? null : (
            <span className={styles.problem} role="alert">
              {error}
            </span>
          )}
          <p className={styles.meaning} role="status">
            {texts.sheet.seriesMeaning(summary)}
          </p>
        </>
      )}
      <ClockNotice siteId={siteId} />
    </div>
  );
}
