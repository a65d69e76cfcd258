import { Select } from '../../../kit/components/forms/select.tsx';
import { formatWait } from '../../../kit/text/format.ts';
import { texts } from '../texts.ts';

const MINUTE_MS = 60_000;
const CHOICES_MS = [1, 5, 15, 60, 6 * 60].map((minutes) => minutes * MINUTE_MS);

interface SweepFieldProps {
  /** Milliseconds; null: Mediadesk chooses. */
  value: number | null;
  onChange: (value: number | null) => void;
}

/** How often the folder is swept. */
export function SweepField({ value, onChange }: SweepFieldProps) {
  // The command line accepts any value, so a value that is no choice is offered as well.
  const all = value === null || CHOICES_MS.includes(value) ? CHOICES_MS : [...CHOICES_MS, value].sort((a, b) => a - b);
  return (
    <Select
      label={texts.fields.sweepEvery}
      value={value === null ? 'auto' : String(value)}
      options={[
        { value: 'auto', label: texts.fields.sweepAuto },
        ...all.map((ms) => ({ value: String(ms), label: texts.fields.sweepEveryMs(formatWait(ms / 1000)) })),
      ]}
      onChange={(next) => onChange(next === 'auto' ? null : Number(next))}
    />
  );
}
