import { useLayoutEffect, useRef, useState } from 'react';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { MOST_SERIES_ITEMS } from '../../../../shared/model/series/series-limits.ts';
import { Segments } from '../../../kit/components/forms/choice.tsx';
import { draftOfTime, instantOfDraft, nextFullHour } from '../../../kit/components/forms/zoned-time-draft.ts';
import { ZonedTimeField } from '../../../kit/components/forms/zoned-time-field.tsx';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { ClockNotice } from '../../common/clock-notice.tsx';
import { texts as seriesTexts } from '../../common/series/texts.ts';
import { closeBulkDialog, submitChange } from '../state/selection/bulk-store.ts';
import type { Target } from '../state/selection/media-selection.ts';
import { texts as storeTexts } from '../state/texts.ts';
import { SeriesForm, useSeriesPlan } from './series-form.tsx';
import { texts } from './texts.ts';

type Order = keyof typeof seriesTexts.orders;

const ORDERS = (['together', 'series'] as const).map((value) => ({ value, label: seriesTexts.orders[value] }));
const SERIES_WIDTH = 960;

interface ScheduleDialogProps {
  target: Target;
  /** The choice at the start; null: one time for all. */
  startsWith?: Order | null;
}

/** Schedules the selected items: all for one time, or one after another. */
export function ScheduleDialog({ target, startsWith = null }: ScheduleDialogProps) {
  const { siteId } = target.selection;
  /** null: the user has not chosen yet. */
  const [chosen, setOrder] = useState(startsWith);
  const order = chosen ?? 'together';
  const [time, setTime] = useState(() => draftOfTime(nextFullHour(Date.now()), localTimeZone()));
  const series = useSeriesPlan(target, order === 'series');
  const instant = instantOfDraft(time);
  const isSeries = order === 'series';
  const choiceBox = useRef<HTMLDivElement>(null);
  // The choice moves to another place of the form, where it is a new element: it gets the focus that the old one had.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the user chooses
  useLayoutEffect(() => choiceBox.current?.querySelector<HTMLElement>('input:checked')?.focus(), [chosen]);
  const choice =
    target.count < 2 ? null : (
      <div ref={chosen === null ? null : choiceBox}>
        <Segments label={seriesTexts.order} value={order} options={ORDERS} onChange={setOrder} />
      </div>
    );
  const together = () => {
    if (instant === null) return;
    const at = new Date(instant).toISOString();
    void submitChange(target, { publication: { kind: 'at', at } }, storeTexts.selection.labels.schedule);
  };
  if (isSeries) {
    return (
      <FormDialog
        title={texts.dialogs.schedule(target.count)}
        action={texts.form.schedule(series.count)}
        width={SERIES_WIDTH}
        isBusy={series.isApplying}
        isDisabled={!series.isReady}
        onSubmit={series.apply}
        onClose={closeBulkDialog}
      >
        {target.count > MOST_SERIES_ITEMS ? (
          <>
            {choice}
            <p role="alert">{texts.form.seriesTooLong(target.count, MOST_SERIES_ITEMS)}</p>
          </>
        ) : (
          <SeriesForm form={series} before={choice} after={<ClockNotice siteId={siteId} />} />
        )}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      title={texts.dialogs.schedule(target.count)}
      action={texts.form.review(target.count)}
      isDisabled={instant === null || instant < Date.now()}
      onSubmit={together}
      onClose={closeBulkDialog}
    >
      {choice}
      <ZonedTimeField autoFocus={chosen === null} label={texts.form.at} draft={time} onChange={setTime} />
      <ClockNotice siteId={siteId} />
    </FormDialog>
  );
}
