import { useEffect, useState } from 'react';
import { Button } from '../../../kit/components/button.tsx';
import { keepFocusInView } from '../../../kit/components/forms/focus-and-escape.ts';
import { submitChange } from '../state/selection/bulk-store.ts';
import {
  type ChangeDraft,
  type ChangeProblems,
  EMPTY_CHANGE,
  hasTicks,
  readDraftChange,
} from '../state/selection/change-draft.ts';
import type { Target } from '../state/selection/media-selection.ts';
import { useAppliedChanges } from '../state/selection/review-store.ts';
import { texts as storeTexts } from '../state/texts.ts';
import { ChangeForm } from './change-form.tsx';
import { useCurrentValues } from './current-values.ts';
import styles from './selection.module.css';
import { texts } from './texts.ts';

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
      const read = readDraftChange(draft);
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
        form.submit(storeTexts.selection.labels.fields);
      }}
    >
      <p className={styles.hint}>{texts.form.hint}</p>
      <ChangeForm target={target} draft={draft} problems={problems} current={current} onChange={onChange} />
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

let kept: { draft: ChangeDraft; of: string } | null = null;

/** Returns the key of the selection that a form belongs to. It changes when a change of the selection was applied. */
function ownerOf({ selection }: Target): string {
  return JSON.stringify([selection, useAppliedChanges.getState().count]);
}

/** Keeps the form for several items while the inspector is hidden or moves to a drawer. */
function keepForm(target: Target, draft: ChangeDraft): void {
  kept = { draft, of: ownerOf(target) };
}

/** Returns the form that the user filled in for the same items before, or an empty form. */
function keptForm(target: Target): ChangeDraft {
  return kept !== null && kept.of === ownerOf(target) ? kept.draft : EMPTY_CHANGE;
}
