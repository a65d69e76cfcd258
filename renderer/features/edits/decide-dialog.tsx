import { type FormEvent, useMemo, useState } from 'react';
import type { EditChoice, EditRow } from '../../../shared/contract/edits.ts';
import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { decidedText, type MergedText } from '../../../shared/model/edits/merge-text.ts';
import { isoOf } from '../../../shared/model/iso-instant.ts';
import { localTimeZone } from '../../../shared/model/local-time-zone.ts';
import { Button } from '../../kit/components/button.tsx';
import { draftOfTime, instantOfDraft, nextFullHour } from '../../kit/components/forms/zoned-time-draft.ts';
import { ZonedTimeField } from '../../kit/components/forms/zoned-time-field.tsx';
import { Dialog, FooterSpace } from '../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { ClockNotice } from '../common/clock-notice.tsx';
import { copyToClipboard } from '../common/commands/commands.ts';
import { texts as sharedTexts } from '../common/texts.ts';
import { type AnswerChoice, Answers, ForAll, NewValue } from './answers.tsx';
import { DeletionQuestion } from './deletion-question.tsx';
import styles from './edits.module.css';
import { conflictText, ENTERED_TEXTS, isHtmlField, mergedOf } from './row-values.ts';
import { closeDecision, openFields, saveDecision, useDecision } from './state/decide-store.ts';
import { texts } from './texts.ts';
import { FieldValues } from './values.tsx';

const FORM = 'decide-edit';
const words = texts.decide;

/** Asks about an edit that is on hold or in conflict: one question for each field. */
export function DecideDialog() {
  const row = useDecision((state) => state.row);
  const at = useDecision((state) => state.at);
  if (row === null) return null;
  const key = `${row.id}/${at}`;
  const deletion = openFields(row)[at];
  if (deletion?.field === 'item') return <DeletionQuestion key={key} row={row} change={deletion} />;
  return <Question key={key} row={row} at={at} />;
}

type Kind = 'mine' | 'theirs' | 'value' | 'now' | 'at' | 'drop';

/** Returns the possible answers to a question. A publish time in the past has answers of its own. */
function answersFor(isTime: boolean, field: AnyField | null, isMerged: boolean): readonly AnswerChoice<Kind>[] {
  const drop: AnswerChoice<Kind> = { kind: 'drop', label: words.drop };
  if (isTime) return [{ kind: 'now', label: words.now }, { kind: 'at', label: words.at }, drop];
  // There are no values to compare, for example for an edit that can't be read.
  if (field === null) return [drop];
  const canEdit = ENTERED_TEXTS.has(field);
  return [
    { kind: 'mine', label: words.keepMine },
    { kind: 'theirs', label: words.takeTheirs },
    ...(canEdit ? [{ kind: 'value' as const, label: isMerged ? words.merge : words.edit }] : []),
  ];
}

function Question({ row, at }: { row: EditRow; at: number }) {
  const fields = openFields(row);
  const change = fields[at] ?? null;
  // Found by the field, not by the error of the row: a row can contain several questions, and its error is about one of them.
  const isTime = change?.field === 'publication' && change.theirs === null;
  const field = change?.field ?? null;
  const merged = useMemo(() => (change === null ? null : mergedOf(change)), [change]);
  const answers = answersFor(isTime, field, merged !== null);
  const [kind, setKind] = useState<Kind>(answers[0]?.kind ?? 'mine');
  const [text, setText] = useState(() => textOf(change, merged));
  const [time, setTime] = useState(() => draftOfTime(nextFullHour(Date.now()), localTimeZone()));
  const [isForAll, setForAll] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const epochMs = instantOfDraft(time);
  const instant = epochMs === null ? null : isoOf(epochMs);
  const canSave = !isBusy && isComplete(kind, instant);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!canSave) return;
    setBusy(true);
    const choice = choiceOf(kind, text, instant ?? '');
    await saveDecision({ row, field, choice, isForAll: isForAll && kind !== 'value' });
  };
  return (
    <Dialog
      title={words.title(row.name || texts.untitled)}
      width={560}
      isOpen
      onClose={closeDecision}
      footer={
        <>
          {fields.length > 1 ? <span className={styles.of}>{words.oneByOne(at + 1, fields.length)}</span> : null}
          <FooterSpace />
          <Button onPress={closeDecision}>{words.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={!canSave}>
            {words.confirm}
          </Button>
        </>
      }
    >
      {row.error === null ? null : <InlineError error={row.error} isNotice />}
      <form id={FORM} className={styles.decide} onSubmit={(event) => void submit(event)}>
        {change === null ? null : <ConflictValues siteId={row.siteId} change={change} showsTheirs={!isTime} />}
        <Answers
          label={field === null ? words.confirm : sharedTexts.fields[field]}
          answers={answers}
          kind={kind}
          onChange={setKind}
        />
        {kind === 'value' && field !== null ? (
          <NewValue autoFocus field={field} label={words.newText} value={text} onChange={setText} />
        ) : null}
        {kind === 'value' && field !== null && merged !== null ? (
          <MergeConflicts merged={merged} isHtml={isHtmlField(field)} />
        ) : null}
        {kind === 'at' ? (
          <>
            <ZonedTimeField autoFocus label={words.time} draft={time} onChange={setTime} />
            <ClockNotice siteId={row.siteId} />
          </>
        ) : null}
        {/* Another value is for this item only. */}
        {kind === 'value' || field === null ? null : (
          <ForAll
            siteId={row.siteId}
            question={(count) =>
              isTime ? words.sameForHeld(count) : words.sameForAll(count, sharedTexts.fields[field])
            }
            isSelected={isForAll}
            onChange={setForAll}
          />
        )}
      </form>
    </Dialog>
  );
}

/**
 * Returns the initial text of the field for another value: the merged text, with the user's own words where both sides changed
 * the same passage.
 */
function textOf(change: EditRow['changes'][number] | null, merged: MergedText | null): string {
  if (merged !== null) return decidedText(merged, 'mine');
  return typeof change?.after === 'string' ? change.after : '';
}

/** Lists the passages that both sides changed: the text field contains the user's own words there. */
function MergeConflicts({ merged, isHtml }: { merged: MergedText; isHtml: boolean }) {
  const places = merged.parts.flatMap((part) => (part.kind === 'conflict' ? [conflictText(part, isHtml)] : []));
  if (places.length === 0) return <p className={styles.merged}>{words.mergedCleanly}</p>;
  return (
    <div className={styles.merged}>
      <p>{words.bothChanged(places.length)}</p>
      <ul>
        {places.map(({ mine, theirs }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places of one merged text never change
          <li key={index}>
            <ins>{mine.trim() === '' ? words.nothing : mine}</ins>{' '}
            <del>{theirs.trim() === '' ? words.nothing : theirs}</del>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns whether an answer can be saved: a time has to be in the future. */
function isComplete(kind: Kind, instant: string | null): boolean {
  return kind !== 'at' || (instant !== null && Date.parse(instant) > Date.now());
}

function choiceOf(kind: Kind, value: string, at: string): EditChoice | { kind: 'drop' } {
  if (kind === 'value') return { kind, value };
  return kind === 'at' ? { kind, at } : { kind };
}

interface ConflictValuesProps {
  siteId: string;
  change: EditRow['changes'][number];
  showsTheirs: boolean;
}

/** Shows the value that the user saw, the user's own value, and the value of someone else. */
function ConflictValues({ siteId, change, showsTheirs }: ConflictValuesProps) {
  const { field, before, after, theirs } = change;
  const values = [
    { name: words.base, value: before },
    { name: words.mine, value: after, isMine: true },
    ...(showsTheirs ? [{ name: words.theirs, value: theirs }] : []),
  ];
  return (
    <FieldValues siteId={siteId} field={field} values={values}>
      {typeof after === 'string' && after !== '' && field !== 'collection' && field !== 'parent' ? (
        <div>
          <Button variant="link" onPress={() => void copyToClipboard(after)}>
            {texts.copy}
          </Button>
        </div>
      ) : null}
    </FieldValues>
  );
}
