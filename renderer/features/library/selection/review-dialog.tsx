import { CheckCheck } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { EditPlan } from '../../../../shared/contract/edits.ts';
import { EDIT_FIELDS } from '../../../../shared/model/edits/edit-ops.ts';
import { Button } from '../../../kit/components/button.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { EmptyState, InlineError } from '../../../kit/components/status/empty-state.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { formatCount, percent } from '../../../kit/text/format.ts';
import { texts as sharedTexts } from '../../common/texts.ts';
import { focusMediaList } from '../focus.ts';
import { isLarge } from '../state/collections/delete-collections.ts';
import { deselectMedia } from '../state/selection/media-selection.ts';
import {
  applyReview,
  closeReview,
  countToApply,
  type Review,
  repeatReview,
  useReview,
} from '../state/selection/review-store.ts';
import { ReviewList } from './review-list.tsx';
import styles from './selection.module.css';
import { texts } from './texts.ts';

const words = texts.review;
const FORM = 'review-changes';
const WIDTH = 860;

/** Shows the effect of a change on each item before it is applied; asks for confirmation before a deletion. */
export function ReviewDialog() {
  const review = useReview((state) => state.review);
  if (review === null) return null;
  return <OpenReview key={JSON.stringify([review.change, review.planId])} review={review} />;
}

/** The texts that differ between a change and a deletion. */
const CHANGE_WORDS = {
  loading: words.loading,
  title: words.title,
  apply: words.apply,
  applying: words.applying,
  nothing: words.nothing,
};
const DELETE_WORDS: typeof CHANGE_WORDS = {
  loading: words.loadingDelete,
  title: words.deleteTitle,
  apply: words.remove,
  applying: words.deleting,
  nothing: words.nothingDelete,
};

function OpenReview({ review }: { review: Review }) {
  const { plan, excluded, isApplying } = useReview();
  const [typed, setTyped] = useState('');
  const isDeletion = review.change.delete === true;
  const own = isDeletion ? DELETE_WORDS : CHANGE_WORDS;
  const count = countToApply({ plan, excluded });
  const asksForWord = isDeletion && isLarge({ collections: 0, items: count });
  const isConfirmed = !asksForWord || typed.trim() === words.typeWord;
  const isReady = count > 0 && !isApplying && isConfirmed;
  const isPlanned = plan !== null;
  // Enter applies the reviewed change. A deletion requires its button.
  useEffect(() => {
    if (isPlanned && !isDeletion) document.querySelector<HTMLElement>(`button[form="${FORM}"]`)?.focus();
  }, [isPlanned, isDeletion]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || (await applyReview()) === null) return;
    // Deleted and moved items leave the list: a selection of all results would then contain other items.
    if (isDeletion || review.change.collectionId !== undefined) deselectMedia();
    focusMediaList();
  };
  return (
    <Dialog
      title={plan === null ? own.loading : own.title(plan.changed)}
      width={WIDTH}
      isOpen
      role={isDeletion ? 'alertdialog' : 'dialog'}
      onClose={() => {
        if (!isApplying) closeReview();
      }}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeReview} isDisabled={isApplying} autoFocus={isDeletion}>
            {texts.cancel}
          </Button>
          <Button variant={isDeletion ? 'danger' : 'primary'} type="submit" form={FORM} isDisabled={!isReady}>
            {isApplying ? own.applying : own.apply(count)}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.review} onSubmit={(event) => void submit(event)}>
        <ReviewState />
        {plan === null ? null : <Reviewed review={review} plan={plan} nothing={own.nothing} />}
        {asksForWord ? (
          <TextField label={words.type(words.typeWord)} value={typed} onChange={setTyped} autoComplete="off" />
        ) : null}
      </form>
    </Dialog>
  );
}

/** The error of the last step, or how many items were read so far. */
function ReviewState() {
  const { plan, progress, error } = useReview();
  if (error !== null) {
    return (
      <InlineError error={error}>
        <Button onPress={() => void repeatReview()}>{words.again}</Button>
      </InlineError>
    );
  }
  if (plan !== null) return null;
  return (
    <div className={styles.reading} role="status">
      <span>{progress === null ? words.loading : words.progress(progress.read, progress.total)}</span>
      <ProgressBar
        label={words.loading}
        value={progress?.total == null ? null : percent(progress.read, progress.total)}
      />
    </div>
  );
}

function Reviewed({ review, plan, nothing }: { review: Review; plan: EditPlan; nothing: string }) {
  const excluded = useReview((state) => state.excluded);
  const isDeletion = review.change.delete === true;
  return (
    <>
      {isDeletion && plan.changed > 0 ? <p className={styles.warning}>{words.deleteText}</p> : null}
      <ReviewSummary plan={plan} excluded={excluded.size} isDeletion={isDeletion} />
      {plan.total === 0 ? (
        <EmptyState icon={CheckCheck} title={nothing} text="" />
      ) : (
        <ReviewList review={review} plan={plan} />
      )}
    </>
  );
}

interface ReviewSummaryProps {
  plan: EditPlan;
  excluded: number;
  isDeletion: boolean;
}

/** The changed items by field, and why items of the selection are not changed. */
function ReviewSummary({ plan, excluded, isDeletion }: ReviewSummaryProps) {
  const { problems, unchanged, missing, byField } = plan;
  const words = texts.review;
  const fields = isDeletion ? [] : EDIT_FIELDS.filter((field) => (byField[field] ?? 0) > 0);
  const notes = [
    ...(problems > 0 ? [{ text: words.problems(problems), isBad: true }] : []),
    ...(excluded > 0 ? [{ text: words.excluded(excluded), isBad: false }] : []),
    ...(unchanged > 0 && plan.total > 0 ? [{ text: words.unchanged(unchanged), isBad: false }] : []),
    ...(missing > 0 ? [{ text: words.missing(missing), isBad: true }] : []),
  ];
  return (
    <div className={styles.summary}>
      {fields.map((field) => (
        <span key={field} className={styles.fieldCount}>
          {sharedTexts.fields[field]} <b>{formatCount(byField[field] ?? 0)}</b>
        </span>
      ))}
      {notes.map(({ text, isBad }) => (
        <span key={text} className={isBad ? styles.badNote : styles.note}>
          {text}
        </span>
      ))}
    </div>
  );
}
