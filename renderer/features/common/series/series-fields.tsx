import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { LONGEST_INTERVAL, MOST_SKIPPED_DAYS } from '../../../../shared/model/series/series-limits.ts';
import type { ReadDays } from '../../../../shared/model/series/series-text.ts';
import { Button } from '../../../kit/components/button.tsx';
import { DateField } from '../../../kit/components/forms/date-time-field.tsx';
import { fieldStyles, TextField } from '../../../kit/components/forms/field.tsx';
import { NumberStepper } from '../../../kit/components/forms/number-stepper.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { TimeZonePicker } from '../../../kit/components/forms/time-zone-picker.tsx';
import { WeekdayPicker } from '../../../kit/components/forms/weekday-picker.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { type DaysOff, dropTypedDays, saveDaysOff, typeDaysOff, useDaysOff } from '../state/days-off-store.ts';
import { readSeriesDraft, type SeriesDraft, type SeriesUnit } from '../state/series-draft.ts';
import { loadSettings, useSettings } from '../state/settings-store.ts';
import styles from './series.module.css';
import { texts } from './texts.ts';

const UNITS = (Object.keys(texts.units) as SeriesUnit[]).map((value) => ({ value, label: texts.units[value] }));
const SKIPPED_ROWS = 4;
const NOT_LOADED: DaysOff = { text: '', read: { days: [] } };

interface SeriesFieldsProps {
  draft: SeriesDraft;
  onChange: (change: Partial<SeriesDraft>) => void;
}

/** The fields of a series: first time, interval, and days without publication. */
export function SeriesFields({ draft, onChange }: SeriesFieldsProps) {
  const { first, timeZone, unit, count, weekdays } = draft;
  const hintId = useId();
  const read = readSeriesDraft(draft, useDaysOff());
  const wrong = 'wrong' in read ? read.wrong : null;
  return (
    <>
      <DateField
        label={texts.first}
        value={first}
        hasTime
        isInvalid={wrong === 'first'}
        describedBy={hintId}
        onChange={(next) => onChange({ first: next })}
      />
      <span id={hintId} className={wrong === 'first' ? fieldStyles.error : 'visually-hidden'}>
        {wrong === 'first' ? texts.firstMissing : ''}
      </span>
      <TimeZonePicker value={timeZone} onChange={(next) => onChange({ timeZone: next })} />
      <div className={styles.interval}>
        <Select label={texts.unit} value={unit} options={UNITS} onChange={(next) => onChange({ unit: next })} />
        {unit === 'weekdays' ? (
          <WeekdayPicker label={texts.weekdays} days={weekdays} onChange={(days) => onChange({ weekdays: days })} />
        ) : (
          <div className={styles.steps}>
            <NumberStepper
              label={texts.counts[unit]}
              value={count}
              min={1}
              max={LONGEST_INTERVAL}
              onChange={(next) => onChange({ count: next })}
            />
            <span className={fieldStyles.hint}>{texts.every[unit](count)}</span>
          </div>
        )}
        {wrong === 'weekdays' ? (
          <span className={fieldStyles.error} role="alert">
            {texts.weekdaysMissing}
          </span>
        ) : null}
      </div>
      <SkippedDays />
    </>
  );
}

/** The days without publication of the profile: typed, one a line, or chosen in a calendar. Stored when the user leaves them. */
function SkippedDays() {
  const [day, setDay] = useState('');
  const hintId = useId();
  const daysOff = useDaysOff();
  const error = useSettings((state) => state.error);
  const isLoaded = daysOff !== null;
  useEffect(() => {
    if (!isLoaded) void loadSettings();
  }, [isLoaded]);
  useEffect(() => dropTypedDays, []);
  if (daysOff === null && error !== null) return <InlineError error={error} onRetry={() => void loadSettings()} />;
  const { text, read } = daysOff ?? NOT_LOADED;
  const add = () => {
    typeDaysOff([...text.split('\n').filter((line) => line.trim() !== ''), day].join('\n'));
    void saveDaysOff();
    setDay('');
  };
  // In the parts of the date, Enter would submit the form without the day.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target as HTMLElement).matches('[role="spinbutton"]')) return;
    event.preventDefault();
    event.stopPropagation();
    if (day !== '' && isLoaded) add();
  };
  return (
    <>
      <TextField
        label={texts.skipped}
        value={text}
        rows={SKIPPED_ROWS}
        spellCheck="false"
        isDisabled={!isLoaded}
        onChange={typeDaysOff}
        onBlur={() => void saveDaysOff()}
        hint={'days' in read ? texts.skippedHint(read.days.length) : undefined}
        error={'days' in read ? null : { message: problemText(read) }}
      />
      <div className={styles.addDay} onKeyDownCapture={onKeyDown}>
        <DateField label={texts.addDay} value={day} describedBy={hintId} onChange={setDay} />
        <span id={hintId} hidden>
          {texts.skipped}
        </span>
        <Button isDisabled={day === '' || !isLoaded} onPress={add}>
          {texts.add}
        </Button>
      </div>
    </>
  );
}

function problemText({ problem }: Exclude<ReadDays, { days: string[] }>): string {
  return problem.kind === 'no-day'
    ? texts.notADay(problem.line, problem.text)
    : texts.tooManyDays(problem.count, MOST_SKIPPED_DAYS);
}
