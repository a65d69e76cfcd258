import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { DEFAULT_RULE_ID } from '../../../../shared/model/watch/apply-rules.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Segments } from '../../../kit/components/forms/choice.tsx';
import { ConfirmDialog } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { announce } from '../../common/state/messages-store.ts';
import { problemInRule } from '../folder-text.ts';
import {
  closeDraft,
  discardFolderDraft,
  draftProblemsOf,
  keepDraft,
  saveDraft,
  useDraft,
} from '../state/folder-draft.ts';
import type { FolderDraft } from '../state/stored-draft.ts';
import { texts } from '../texts.ts';
import { DefaultsForm } from './defaults-form.tsx';
import styles from './editor.module.css';
import { PreviewPane } from './preview-pane.tsx';
import { RuleForm } from './rule-form.tsx';
import { RuleList } from './rule-list.tsx';
import { texts as editor } from './texts.ts';

/** All rules of one folder in their order, beside their result for each of its files. */
export function RulesEditor() {
  const draft = useDraft((state) => state.draft);
  const ruleId = useDraft((state) => state.ruleId);
  const [pane, setPane] = useState<'rules' | 'preview'>('rules');
  if (draft === null) return null;
  const rule = draft.rules.rules.find(({ id }) => id === ruleId);
  return (
    <div className={styles.editor}>
      <EditorHead draft={draft} />
      <div className={styles.switch}>
        <Segments
          hideLabel
          label={editor.panes}
          value={pane}
          options={[
            { value: 'rules', label: editor.paneRules },
            { value: 'preview', label: editor.panePreview },
          ]}
          onChange={setPane}
        />
      </div>
      <div className={styles.panes} data-shown={pane}>
        <section className={styles.rules} aria-label={editor.region}>
          <RuleList rules={draft.rules.rules} ruleId={rule === undefined ? DEFAULT_RULE_ID : ruleId} />
          <div className={styles.form} key={rule?.id ?? DEFAULT_RULE_ID}>
            {rule === undefined ? <DefaultsForm draft={draft} /> : <RuleForm draft={draft} rule={rule} />}
          </div>
        </section>
        <PreviewPane draft={draft} />
      </div>
      <DiscardDialog draft={draft} />
    </div>
  );
}

function EditorHead({ draft }: { draft: FolderDraft }) {
  const isSaving = useDraft((state) => state.isSaving || state.isAwaitingCount);
  const showsProblems = useDraft((state) => state.showsProblems);
  const error = useDraft((state) => state.error);
  const pathError = useDraft((state) => state.pathError);
  const problems = showsProblems ? draftProblemsOf(draft) : [];
  const [first] = problems;
  const failed = pathError ?? error;
  const isNew = draft.folderId === null;
  const save = () =>
    void saveDraft().then((obstacle) => {
      // An error of the folder is shown as an alert, which is announced without a call.
      if (obstacle !== null && obstacle !== 'path') announce(problemInRule(obstacle, draft.rules.rules));
    });
  return (
    <header className={styles.head}>
      <div className={styles.headLine}>
        <h1 className={styles.title}>{isNew ? editor.titleNew(draft.name) : editor.title(draft.name)}</h1>
        <span className={styles.headButtons}>
          <Button onPress={closeDraft}>{editor.cancel}</Button>
          <Button variant="primary" onPress={save}>
            {isSaving ? editor.saving : isNew ? texts.add.add : editor.save}
          </Button>
        </span>
      </div>
      <p className={styles.path} data-selectable>
        {draft.path}
      </p>
      {first === undefined ? null : (
        <p className={styles.blocked} role="alert">
          <CircleAlert size={14} aria-hidden />
          <span>
            {texts.problems.summary(problems.length)} {problemInRule(first, draft.rules.rules)}
          </span>
        </p>
      )}
      {failed === null ? null : <InlineError error={failed} />}
    </header>
  );
}

function DiscardDialog({ draft }: { draft: FolderDraft }) {
  const isAsking = useDraft((state) => state.isAskingToDiscard);
  return (
    <ConfirmDialog
      title={editor.discardTitle}
      text={draft.folderId === null ? editor.discardTextNew(draft.name) : editor.discardText(draft.name)}
      keep={editor.discardKeep}
      confirm={editor.discard}
      isOpen={isAsking}
      closesFirst={false}
      onConfirm={discardFolderDraft}
      onClose={keepDraft}
    />
  );
}
