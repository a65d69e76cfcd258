import { useEffect, useState } from 'react';
import { Button } from '../../../kit/components/button.tsx';
import { keepFocusInView } from '../../../kit/components/forms/keep-focus-in-view.ts';
import { submitChange } from '../state/selection/bulk-store.ts';
import {
  type ChangeDraft,
  type ChangeProblems,
  EMPTY_CHANGE,
  hasTicks,
  readChange,
} from '../state/selection/change-draft.ts';
import { keepForm, keptForm } from '../state/selection/kept-form.ts';
import type { Target } from '../state/selection/media-selection.ts';
import { texts as storeTexts } from '../state/selection/texts.ts';
import { ChangeForm } from './change-form.tsx';
import styles from './selection.module.css';
import { texts } from './texts.ts';
import { useCurrentValues } from './use-current-values.ts';

/** The state of a form for several items, for the inspector and for a dialog. */
export function useChangeForm(target: Target, start: ChangeDraft = EMPTY_CHANGE) {
  const [draft, setDraft] = useState(start);
  const [problems, setProblems] = useState<ChangeProblems>({});
  const current = useCurrentValues(target);
  return {
    draft,
    problems,
    current,
    canSubmit: hasTicks(draft),
    onChange(next: ChangeDraft) {
      setDraft(next);
      setProblems({});
    },
    clear: () => setDraft(EMPTY_CHANGE),
    /** Opens the review of the change that the form describes, or shows the problems to correct. */
    submit(label: string) {
      const read = readChange(draft);
      setProblems(read.problems);
      if (Object.keys(read.problems).length === 0) void submitChange(target, read.change, label);
    },
  };
}

/** The fields of several selected items, in the inspector. */
export function SelectionForm({ target }: { target: Target }) {
  const [start] = useState(() => keptForm(target));
  const form = useChangeForm(target, start);
  const { draft, problems, current, canSubmit, onChange } = form;
  // A narrow window has another inspector, and a hidden inspector does not exist, so the form is stored outside it.
  useEffect(() => keepForm(target, draft), [target, draft]);
  return (
    <form
      ref={keepFocusInView}
      className={styles.selectionForm}
      aria-label={texts.form.label}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit(storeTexts.labels.fields);
      }}
    >
      <p className={styles.hint}>{texts.form.hint}</p>
      <ChangeForm {...{ target, draft, problems, current, onChange }} />
      {canSubmit ? (
        <div className={styles.formFoot} data-form-foot>
          <Button onPress={form.clear}>{texts.form.clearForm}</Button>
          <Button variant="primary" type="submit">
            {texts.form.review(target.count)}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
