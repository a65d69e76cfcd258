import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { TimetableWindow } from '../../../../shared/contract/settings.ts';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { TimeOfDayField } from '../../../kit/components/forms/date-time-field.tsx';
import { LimitField } from '../../../kit/components/forms/limit-field.tsx';
import { WeekdayPicker } from '../../../kit/components/forms/weekday-picker.tsx';
import { limitWords } from '../../../kit/text/limit-text.ts';
import { texts } from '../texts.ts';
import styles from './timetable.module.css';
import {
  draftOf,
  edited,
  incompleteWords,
  isComplete,
  overlapsOf,
  passesMidnight,
  stricter,
  type TimetableDraft,
  windowsOf,
  windowWords,
} from './timetable-text.ts';

interface TimetableEditorProps {
  timetable: readonly TimetableWindow[];
  onChange: (timetable: TimetableWindow[]) => void;
}

const MOST_WINDOWS = 50;
const NEW_WINDOW: TimetableWindow = {
  days: [1, 2, 3, 4, 5],
  from: '08:00',
  to: '18:00',
  limitBytesPerSecond: 1_000_000,
};

/** Edits the times of the week with their own limits. A complete change is active immediately. */
export function TimetableEditor({ timetable, onChange }: TimetableEditorProps) {
  const [drafts, setDrafts] = useState<TimetableDraft[]>(() => timetable.map(draftOf));
  const sent = useRef(JSON.stringify(timetable));
  const adder = useRef<HTMLDivElement>(null);
  // Shows a change that was made elsewhere, for example by the command line.
  useEffect(() => {
    const text = JSON.stringify(timetable);
    if (text === sent.current) return;
    sent.current = text;
    setDrafts(timetable.map(draftOf));
  }, [timetable]);
  const take = (next: TimetableDraft[]) => {
    setDrafts(next);
    const windows = windowsOf(next);
    const text = JSON.stringify(windows);
    if (text === sent.current) return;
    sent.current = text;
    onChange(windows);
  };
  const overlaps = overlapsOf(drafts.map((draft) => (isComplete(draft) ? draft : { ...draft, days: [] })));
  return (
    <div className={styles.editor}>
      {drafts.length === 0 ? (
        <p className={styles.none}>{texts.timetable.none}</p>
      ) : (
        <ul className={styles.windows} aria-label={texts.timetable.list}>
          {drafts.map((draft, index) => (
            <WindowRow
              key={draft.key}
              number={index + 1}
              draft={draft}
              others={(overlaps[index] ?? []).flatMap((other) => drafts[other] ?? [])}
              onChange={(change) => take(drafts.map((one) => (one.key === draft.key ? edited(one, change) : one)))}
              onRemove={() => {
                take(drafts.filter((one) => one.key !== draft.key));
                adder.current?.querySelector('button')?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <div ref={adder}>
        <Button
          icon={<Plus size={14} aria-hidden />}
          isDisabled={drafts.length >= MOST_WINDOWS}
          onPress={() => take([...drafts, draftOf(NEW_WINDOW)])}
        >
          {texts.timetable.add}
        </Button>
      </div>
    </div>
  );
}

interface WindowRowProps {
  number: number;
  draft: TimetableDraft;
  others: readonly TimetableDraft[];
  onChange: (change: Partial<TimetableWindow>) => void;
  onRemove: () => void;
}

function WindowRow({ number, draft, others, onChange, onRemove }: WindowRowProps) {
  const problem = incompleteWords(draft);
  const isComplete = problem === null;
  return (
    <li className={styles.window} aria-label={isComplete ? windowWords(draft) : texts.timetable.incomplete(number)}>
      <div className={styles.controls}>
        <WeekdayPicker label={texts.timetable.days(number)} days={draft.days} onChange={(days) => onChange({ days })} />
        <span className={styles.times}>
          <TimeOfDayField
            label={texts.timetable.from(number)}
            value={draft.from}
            onChange={(from) => onChange({ from })}
          />
          <span aria-hidden>–</span>
          <TimeOfDayField label={texts.timetable.to(number)} value={draft.to} onChange={(to) => onChange({ to })} />
          {isComplete && passesMidnight(draft) ? <span className={styles.next}>{texts.timetable.nextDay}</span> : null}
        </span>
        <span className={styles.grow} />
        <LimitField
          label={texts.timetable.limit(number)}
          value={draft.limitBytesPerSecond}
          allowsNothing
          onChange={(limitBytesPerSecond) => onChange({ limitBytesPerSecond })}
        />
        <IconButton label={texts.timetable.remove(number)} small onPress={onRemove}>
          <X size={14} />
        </IconButton>
      </div>
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {isComplete && others.length > 0 ? <Overlap draft={draft} others={others} /> : null}
    </li>
  );
}

function Overlap({ draft, others }: { draft: TimetableDraft; others: readonly TimetableDraft[] }) {
  const [first] = others;
  if (first === undefined) return null;
  const limit = others.reduce((sum, one) => stricter(sum, one.limitBytesPerSecond), draft.limitBytesPerSecond);
  const time = windowWords(first).split(': ')[0] ?? '';
  return <p className={styles.remark}>{texts.timetable.overlap(time, others.length - 1, limitWords(limit))}</p>;
}
