import type { RuleConditions } from '../../../../shared/contract/watch-rules.ts';
import { texts } from '../texts.ts';
import { SIZE_UNITS, TIME_UNITS } from './amount.ts';
import { AmountField } from './amount-field.tsx';
import { GlobField } from './glob-field.tsx';
import styles from './rules.module.css';

interface ConditionFieldsProps {
  conditions: RuleConditions;
  onChange: (patch: Partial<RuleConditions>) => void;
  /** The pattern that decided about the file that is selected in the preview. */
  marked?: string | null;
}

const { fields } = texts;

const PRESETS = [
  { label: fields.video, glob: '*.{mp4,mov,m4v,mkv,webm,avi,mxf,mpg,mpeg,mts,m2ts,wmv}' },
  { label: fields.audio, glob: '*.{wav,mp3,m4a,aac,flac,ogg,opus,wma,aif,aiff}' },
];
const YEAR_MS = 366 * 24 * 60 * 60_000;
const [, MB] = SIZE_UNITS;
const [MINUTES] = TIME_UNITS;

/** The conditions that a file has to meet: names, size, age. */
export function ConditionFields({ conditions, onChange, marked = null }: ConditionFieldsProps) {
  const { include, exclude, minSizeBytes, minAgeMs } = conditions;
  return (
    <>
      <GlobField
        label={fields.include}
        hint={fields.includeHint}
        globs={include}
        presets={PRESETS}
        marked={marked}
        onChange={(next) => onChange({ include: next })}
      />
      <GlobField
        label={fields.exclude}
        globs={exclude}
        marked={marked}
        onChange={(next) => onChange({ exclude: next })}
      />
      <div className={styles.pair}>
        {MB === undefined ? null : (
          <AmountField
            label={fields.minSize}
            value={minSizeBytes}
            units={SIZE_UNITS}
            startUnit={MB}
            max={Number.MAX_SAFE_INTEGER}
            onChange={(next) => onChange({ minSizeBytes: next })}
          />
        )}
        {MINUTES === undefined ? null : (
          <AmountField
            label={fields.minAge}
            value={minAgeMs}
            units={TIME_UNITS}
            startUnit={MINUTES}
            max={YEAR_MS}
            onChange={(next) => onChange({ minAgeMs: next })}
          />
        )}
      </div>
    </>
  );
}
