import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../kit/components/button.tsx';
import { keepFocusInView } from '../../../kit/components/forms/focus-and-escape.ts';
import { RestoredNote } from '../../common/restored-note.tsx';
import { submitChange } from '../state/selection/bulk-store.ts';
import {
  type ChangeDraft,
  type ChangeProblems,
  EMPTY_CHANGE,
  hasTicks,
  readDraftChange,
} from '../state/selection/change-draft.ts';
import { followSelection, keepForm, keptForm, leaveForm } from '../state/selection/kept-forms.ts';
import type { Target } from '../state/selection/media-selection.ts';
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
  const [start] = useState(() => keptForm(target.selection) ?? EMPTY_CHANGE);
  const [isRestored, setRestored] = useState(() => hasTicks(start));
  const form = useChangeForm(target, start);
  const { draft, problems, current, canSubmit } = form;
  const shown = useRef(target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another selection changes the form
  useLayoutEffect(() => {
    const next = followSelection(shown.current.selection, target.selection, draft);
    shown.current = target;
    if (next === draft) return;
    form.onChange(next);
    setRestored(hasTicks(next));
  }, [target]);
  useEffect(() => () => leaveForm(shown.current), []);
  // A narrow window has another inspector, and a hidden inspector does not exist, so the form is stored outside it.
  const change = (next: ChangeDraft) => {
    keepForm(target.selection, next);
    form.onChange(next);
  };
  const clear = () => {
    change(EMPTY_CHANGE);
    setRestored(false);
  };
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
      {isRestored ? <RestoredNote onDiscard={clear} /> : null}
      <ChangeForm target={target} draft={draft} problems={problems} current={current} onChange={change} />
      {canSubmit ? (
        <div className={styles.formFoot} data-form-foot>
          <Button onPress={clear}>{texts.form.clearForm}</Button>
          <Button variant="primary" type="submit">
            {texts.form.review(target.count)}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
