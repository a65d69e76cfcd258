import { useId } from 'react';
import { localTimeZone } from '../../../../shared/model/local-time-zone.ts';
import { offsetText } from '../../../../shared/model/zoned-time.ts';
import { formatDateTime, formatInZone, formatUtc } from '../../text/format.ts';
import { texts } from '../texts.ts';
import { DateField } from './date-time-field.tsx';
import { fieldStyles } from './field.tsx';
import { RadioList } from './radio-list.tsx';
import { TimeZonePicker } from './time-zone-picker.tsx';
import { instantOfDraft, meaningsOfDraft, type ZonedTimeDraft } from './zoned-time-draft.ts';

interface ZonedTimeFieldProps {
  label: string;
  draft: ZonedTimeDraft;
  onChange: (draft: ZonedTimeDraft) => void;
  /** The hint for a time in the past. */
  pastHint?: string;
  /** Whether the time was refused: the hint says why. */
  isInvalid?: boolean;
  /** Takes the focus when it appears: for a field that replaces the button that had the focus. */
  autoFocus?: boolean;
}

/**
 * A date and time in a time zone that the user chooses, with the same instant in local time and in UTC below it. When clocks
 * change and the time occurs twice or not at all, the user chooses one of two instants.
 */
export function ZonedTimeField({
  label,
  draft,
  onChange,
  pastHint = texts.forms.time.past,
  isInvalid = false,
  autoFocus = false,
}: ZonedTimeFieldProps) {
  const hintId = useId();
  const instant = instantOfDraft(draft);
  const meanings = meaningsOfDraft(draft);
  const { timeZone } = draft;
  const shown = (epochMs: number) =>
    texts.forms.time.inZone(formatInZone(epochMs, timeZone), offsetText(epochMs, timeZone));
  return (
    <>
      <DateField
        label={label}
        value={draft.local}
        hasTime
        autoFocus={autoFocus}
        isInvalid={isInvalid}
        describedBy={hintId}
        onChange={(local) => onChange({ ...draft, local, choice: null })}
      />
      <TimeZonePicker value={timeZone} onChange={(next) => onChange({ ...draft, timeZone: next, choice: null })} />
      {meanings === null ? null : (
        <RadioList
          label={meanings.kind === 'twice' ? texts.forms.time.twice : texts.forms.time.skipped}
          value={draft.choice ?? ''}
          options={[
            { value: 'earlier', label: shown(meanings.earlier) },
            { value: 'later', label: shown(meanings.later) },
          ]}
          onChange={(choice) => onChange({ ...draft, choice })}
        />
      )}
      <span id={hintId} className={isInvalid ? fieldStyles.error : fieldStyles.hint} aria-live="polite">
        {hintOf({ instant, timeZone, isAmbiguous: meanings !== null, pastHint })}
      </span>
    </>
  );
}

interface HintFacts {
  instant: number | null;
  timeZone: string;
  isAmbiguous: boolean;
  pastHint: string;
}

function hintOf({ instant, timeZone, isAmbiguous, pastHint }: HintFacts): string {
  if (instant === null) return isAmbiguous ? texts.forms.time.choose : texts.forms.time.missing;
  if (instant < Date.now()) return pastHint;
  return timeZone === localTimeZone()
    ? formatUtc(instant)
    : texts.forms.time.alsoAt(formatDateTime(instant), formatUtc(instant));
}
