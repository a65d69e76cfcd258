import { type ReactNode, useState } from 'react';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import { CollectionPicker } from '../../common/collection-picker.tsx';
import { closeBulkDialog, submitChange, useBulk } from '../state/selection/bulk-store.ts';
import { EMPTY_CHANGE } from '../state/selection/change-draft.ts';
import type { Target } from '../state/selection/media-selection.ts';
import { texts as storeTexts } from '../state/texts.ts';
import { ChangeForm } from './change-form.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import styles from './selection.module.css';
import { useChangeForm } from './selection-form.tsx';
import { TagChange } from './tag-change.tsx';
import { texts } from './texts.ts';

const { labels, form: problems } = storeTexts.selection;

/** All dialogs about selected items. Each dialog is closed unless its command opened it. */
export function BulkDialogs() {
  const dialog = useBulk((state) => state.dialog);
  return (
    <>
      {dialog === null ? null : DIALOGS[dialog.kind](dialog.target)}
      <ReviewDialog />
    </>
  );
}

const DIALOGS = {
  fields: (target: Target) => <FieldsDialog target={target} />,
  tags: (target: Target) => <TagsDialog target={target} />,
  move: (target: Target) => <MoveDialog target={target} />,
  schedule: (target: Target) => <ScheduleDialog target={target} />,
  series: (target: Target) => <ScheduleDialog target={target} startsWith="series" />,
} as const;

interface FrameProps {
  title: string;
  target: Target;
  isDisabled?: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

function Frame({ title, target, isDisabled = false, onSubmit, children }: FrameProps) {
  const action = texts.form.review(target.count);
  return (
    <FormDialog title={title} action={action} isDisabled={isDisabled} onSubmit={onSubmit} onClose={closeBulkDialog}>
      {children}
    </FormDialog>
  );
}

function FieldsDialog({ target }: { target: Target }) {
  const form = useChangeForm(target);
  const { draft, problems, current, onChange } = form;
  return (
    <Frame
      title={texts.dialogs.fields(target.count)}
      target={target}
      isDisabled={!form.canSubmit}
      onSubmit={() => form.submit(labels.fields)}
    >
      <p className={styles.hint}>{texts.form.hint}</p>
      <ChangeForm target={target} draft={draft} problems={problems} current={current} onChange={onChange} />
    </Frame>
  );
}

const TAGS_ONLY = { ...EMPTY_CHANGE, tags: { ...EMPTY_CHANGE.tags, on: true } };

function TagsDialog({ target }: { target: Target }) {
  const form = useChangeForm(target, TAGS_ONLY);
  const { draft, problems, current } = form;
  return (
    <Frame title={texts.dialogs.tags(target.count)} target={target} onSubmit={() => form.submit(labels.tags)}>
      <TagChange
        draft={draft.tags}
        problem={problems.tags}
        tags={current?.tags ?? []}
        autoFocus
        onChange={(change) => form.onChange({ ...draft, tags: { ...draft.tags, ...change } })}
      />
    </Frame>
  );
}

function MoveDialog({ target }: { target: Target }) {
  const [chosen, setChosen] = useState<{ id: string; name: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = () => {
    if (chosen === null) return setProblem(problems.collectionMissing);
    void submitChange(target, { collectionId: chosen.id }, labels.move(chosen.name));
  };
  return (
    <Frame title={texts.dialogs.move(target.count)} target={target} onSubmit={submit}>
      <CollectionPicker
        label={texts.form.collection}
        siteId={target.selection.siteId}
        value={chosen?.id ?? null}
        autoFocus
        onChange={(id, name) => {
          setChosen(id === null ? null : { id, name });
          setProblem(null);
        }}
        error={problem}
      />
    </Frame>
  );
}
