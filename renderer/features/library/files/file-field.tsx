import { type ReactNode, useId } from 'react';
import { Button } from '../../../kit/components/button.tsx';
import { fieldStyles } from '../../../kit/components/forms/field.tsx';
import styles from './files.module.css';
import { texts } from './texts.ts';

interface FileFieldProps {
  label: string;
  icon: ReactNode;
  /** The name of the chosen file; null when none is chosen. */
  name: string | null;
  hint: string | null;
  error: { message: string; nextStep: string | null } | null;
  autoFocus?: boolean;
  onChoose: () => void;
}

/** A field that chooses a file of this computer, with its error below. */
export function FileField({ label, icon, name, hint, error, autoFocus = false, onChoose }: FileFieldProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out like the other fields
    <div className={fieldStyles.field} role="group" aria-labelledby={`${id}-label`}>
      <span id={`${id}-label`} className={fieldStyles.label}>
        {label}
      </span>
      <div className={styles.chosen}>
        {icon}
        <span className={styles.chosenName} title={name ?? ''}>
          {name ?? texts.noFileChosen}
        </span>
        <Button autoFocus={autoFocus} aria-describedby={`${id}-note`} onPress={onChoose}>
          {texts.chooseFile}
        </Button>
      </div>
      <div id={`${id}-note`} aria-live="polite">
        {error === null ? (
          hint !== null && <span className={fieldStyles.hint}>{hint}</span>
        ) : (
          <span className={fieldStyles.error}>
            <span>{error.message}</span>
            {error.nextStep === null ? null : <span className={fieldStyles.next}>{error.nextStep}</span>}
          </span>
        )}
      </div>
    </div>
  );
}
