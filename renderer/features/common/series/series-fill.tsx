import { useMemo, useState } from 'react';
import type { GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { MOST_SERIES_ITEMS } from '../../../../shared/model/series/series-limits.ts';
import { Button } from '../../../kit/components/button.tsx';
import { nextFullHour } from '../../../kit/components/forms/zoned-time-draft.ts';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { gridOutcomeText } from '../grid/use-grid.ts';
import { useDaysOff } from '../state/days-off-store.ts';
import { announce } from '../state/messages-store.ts';
import { newSeriesDraft, readSeriesDraft } from '../state/series-draft.ts';
import { applySeriesFill, planSeriesFill, rowsToFill } from '../state/series-fill.ts';
import styles from './series.module.css';
import { SeriesFields } from './series-fields.tsx';
import { SeriesPreview, type SeriesRow } from './series-preview.tsx';
import { texts } from './texts.ts';

interface SeriesFillProps {
  table: GridModel;
  /** The key of the column of publish times, and of the column whose text names a row. */
  column: string;
  nameColumn: string;
  onModel: (model: GridModel) => void;
}

const WIDTH = 960;

/** A button above a table that fills the publish times of its selected rows, one after another. */
export function SeriesFill(props: SeriesFillProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" onPress={() => setOpen(true)}>
        {texts.fill.open}
      </Button>
      {isOpen ? <SeriesFillDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function SeriesFillDialog({ table, column, nameColumn, onModel, onClose }: SeriesFillProps & { onClose: () => void }) {
  const [draft, setDraft] = useState(() => newSeriesDraft(nextFullHour(Date.now())));
  const rows = useMemo(() => rowsToFill(table), [table]);
  const daysOff = useDaysOff();
  const plan = useMemo(() => {
    const read = readSeriesDraft(draft, daysOff);
    return 'series' in read ? planSeriesFill(rows.slice(0, MOST_SERIES_ITEMS), read.series, Date.now()) : null;
  }, [rows, draft, daysOff]);
  const times = plan !== null && 'times' in plan ? plan.times : null;
  const shown = useMemo(() => {
    const nameAt = table.columns.findIndex(({ key }) => key === nameColumn);
    return (times ?? []).map(({ at, notes }, index): SeriesRow => {
      const row = rows[index] ?? 0;
      return { id: String(row), title: table.rows[row]?.cells[nameAt] ?? '', at, notes, isPublic: false };
    });
  }, [times, rows, table, nameColumn]);
  const isTooLong = rows.length > MOST_SERIES_ITEMS;
  const submit = () => {
    if (times === null) return;
    const next = applySeriesFill(table, column, rows, times);
    onModel(next);
    if (next.last !== null) announce(gridOutcomeText(next.last));
    onClose();
  };
  return (
    <FormDialog
      title={texts.fill.title}
      action={texts.fill.submit(rows.length)}
      width={WIDTH}
      isDisabled={times === null || rows.length === 0 || isTooLong}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.parts}>
        <div className={styles.form}>
          {isTooLong ? <p role="alert">{texts.fill.tooMany(rows.length, MOST_SERIES_ITEMS)}</p> : null}
          <SeriesFields draft={draft} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
        </div>
        {plan !== null && 'reason' in plan ? (
          <p role="alert">{plan.reason}</p>
        ) : (
          <SeriesPreview rows={shown} timeZone={draft.timeZone} isBusy={false} remarks={[]} />
        )}
      </div>
    </FormDialog>
  );
}
