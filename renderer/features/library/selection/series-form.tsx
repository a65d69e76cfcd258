import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { Series } from '../../../../shared/contract/series.ts';
import { MOST_SERIES_ITEMS, SERIES_ORDERS, type SeriesOrder } from '../../../../shared/model/series/series-limits.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { Select } from '../../../kit/components/forms/select.tsx';
import { nextFullHour } from '../../../kit/components/forms/zoned-time-draft.ts';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { useSettled } from '../../../kit/components/time-hooks.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import seriesStyles from '../../common/series/series.module.css';
import { SeriesFields } from '../../common/series/series-fields.tsx';
import { SeriesPreview, type SeriesRow } from '../../common/series/series-preview.tsx';
import { texts as seriesTexts } from '../../common/series/texts.ts';
import { useDaysOff } from '../../common/state/days-off-store.ts';
import { newSeriesDraft, readSeriesDraft, type SeriesDraft } from '../../common/state/series-draft.ts';
import { focusMediaList } from '../focus.ts';
import { closeBulkDialog } from '../state/selection/bulk-store.ts';
import type { Target } from '../state/selection/media-selection.ts';
import {
  applySeries,
  inListOrder,
  isPublicNow,
  plannedTime,
  planSeries,
  type SeriesPlan,
} from '../state/selection/series-plan.ts';
import { texts } from './texts.ts';

const ORDERS = SERIES_ORDERS.map((value) => ({ value, label: texts.form.seriesOrders[value] }));

/** When the user stops typing for this time, the preview is updated. */
const PAUSE_MS = 300;

/** What is planned; `round` counts the tries. */
type Wanted = Pick<Target, 'selection'> & { series: Series | null; order: SeriesOrder; round: number };

interface SeriesFormState {
  draft: SeriesDraft;
  onChange: (change: Partial<SeriesDraft>) => void;
  order: SeriesOrder;
  setOrder: (order: SeriesOrder) => void;
  plan: SeriesPlan | null;
  error: AppErrorData | null;
  /** Whether the plan belongs to an earlier draft. */
  isOld: boolean;
  /** Items that get a time. */
  count: number;
  isReady: boolean;
  isApplying: boolean;
  apply: () => void;
  /** Makes the plan again, after an error. */
  planAgain: () => void;
}

/** The series of a selection, and its plan, which follows the form and the days without publication. `isOn`: false reads nothing. */
export function useSeriesPlan(target: Target, isOn: boolean): SeriesFormState {
  const [draft, setDraft] = useState(() => newSeriesDraft(nextFullHour(Date.now())));
  const [answer, setAnswer] = useState<{ key: string; plan: SeriesPlan } | { key: string; error: AppErrorData } | null>(
    null,
  );
  const [order, setOrder] = useState<SeriesOrder>('listed');
  const [isApplying, setApplying] = useState(false);
  const [round, setRound] = useState(0);
  const daysOff = useDaysOff();
  const read = useMemo(() => readSeriesDraft(draft, daysOff), [draft, daysOff]);
  const isPlanned = isOn && target.count <= MOST_SERIES_ITEMS;
  // By value: days that were typed are other objects, but the same days, after they were stored.
  const wanted = useMemo(() => {
    const plan: Wanted = {
      selection: target.selection,
      series: isPlanned && 'series' in read ? read.series : null,
      order,
      round,
    };
    return JSON.stringify(plan);
  }, [target, read, isPlanned, order, round]);
  const { settled: key } = useSettled(wanted, PAUSE_MS);
  useEffect(() => {
    const { selection: selected, series, order } = JSON.parse(key) as Wanted;
    if (series === null) return;
    return untilCancelled(
      inListOrder(selected).then((selection) => planSeries(selection, series, order)),
      (plan) => setAnswer({ key, plan }),
      (thrown) => setAnswer({ key, error: toErrorData(thrown) }),
    );
  }, [key]);
  const plan = answer !== null && 'plan' in answer ? answer.plan : null;
  const isOld = key !== wanted || answer?.key !== key;
  const apply = () => {
    if (plan === null || isApplying) return;
    setApplying(true);
    applySeries(plan.planId).then(
      () => {
        closeBulkDialog();
        focusMediaList();
      },
      (thrown) => {
        setApplying(false);
        setAnswer({ key, error: toErrorData(thrown) });
      },
    );
  };
  return {
    draft,
    plan,
    isOld,
    isApplying,
    apply,
    order,
    setOrder,
    planAgain: () => setRound(round + 1),
    onChange: (change) => setDraft((before) => ({ ...before, ...change })),
    error: answer !== null && 'error' in answer && !isOld ? answer.error : null,
    count: plan?.rows.length ?? 0,
    isReady: plan !== null && !isOld && plan.rows.length > 0,
  };
}

interface SeriesFormProps {
  form: SeriesFormState;
  /** Parts of the form before and after the fields. */
  before: ReactNode;
  after: ReactNode;
}

/** The form of a series beside the items with their times. */
export function SeriesForm({ form, before, after }: SeriesFormProps) {
  const { draft, onChange, order, setOrder, plan, error, isOld, planAgain } = form;
  const rows = useMemo(() => plan?.rows.flatMap(rowOf) ?? [], [plan]);
  const remarks = useMemo(
    () => [
      ...(plan === null || plan.unchanged === 0 ? [] : [seriesTexts.unchanged(plan.unchanged)]),
      ...(plan === null || plan.missing === 0 ? [] : [seriesTexts.missing(plan.missing)]),
    ],
    [plan],
  );
  return (
    <div className={seriesStyles.parts}>
      <div className={seriesStyles.form}>
        {before}
        <Select label={texts.form.seriesOrder} value={order} options={ORDERS} onChange={setOrder} />
        <SeriesFields draft={draft} onChange={onChange} />
        {after}
      </div>
      {error === null ? (
        <SeriesPreview rows={rows} timeZone={draft.timeZone} isBusy={isOld} remarks={remarks} />
      ) : (
        <InlineError error={error} onRetry={planAgain} />
      )}
    </div>
  );
}

function rowOf(row: SeriesPlan['rows'][number]): SeriesRow[] {
  const at = plannedTime(row);
  if (at === null) return [];
  return [{ id: row.entityId, title: row.name, at, notes: row.notes ?? [], isPublic: isPublicNow(row) }];
}
