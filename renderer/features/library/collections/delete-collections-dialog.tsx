import { type FormEvent, useCallback, useEffect, useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CollectionDeletion } from '../../../../shared/contract/collections.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { percent } from '../../../kit/text/format.ts';
import { useApp } from '../../common/state/app-store.ts';
import { openCollectionDialog, useCollections } from '../state/collections/collections-store.ts';
import {
  deleteCollections,
  isLarge,
  stopDeletion,
  useCollectionDeletion,
} from '../state/collections/delete-collections.ts';
import { useTree } from '../state/tree-store.ts';
import styles from './collection-dialogs.module.css';
import { texts } from './texts.ts';

const FORM = 'delete-collections';

/** Shows exactly what a deletion removes, and runs it after a confirmation. For a large deletion, the user has to type a word. */
export function DeleteCollectionsDialog() {
  const dialog = useCollections((state) => state.dialog);
  const siteId = useApp((state) => state.siteId);
  if (dialog?.kind !== 'delete' || siteId === null) return null;
  return <Question siteId={siteId} ids={dialog.collectionIds} />;
}

function Question({ siteId, ids: chosen }: { siteId: string; ids: readonly string[] }) {
  // The rows as they were when the dialog opened, because the tree is loaded again after a deletion.
  const [rows] = useState(() => useTree.getState().rows);
  const [ids, setIds] = useState(chosen);
  const name = rows.get(ids[0] ?? '')?.displayName ?? '';
  const { plan, error: planError, count } = usePlan(siteId, ids);
  const progress = useCollectionDeletion((state) => state.progress);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<AppErrorData | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const isRunning = progress !== null;
  const close = () => openCollectionDialog(null);
  const word = ids.length === 1 ? name : texts.remove.typeWord;
  const isReady = !isRunning && isConfirmed(plan, typed, word);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || plan === null) return;
    setError(null);
    setNote(null);
    const outcome = await deleteCollections(siteId, ids, name, plan);
    if (outcome.kind === 'done') return close();
    setTyped('');
    setError(outcome.error);
    setNote(outcome.isStopped ? texts.remove.stopped(outcome.deleted) : texts.remove.partly(outcome.deleted));
    setIds(outcome.left);
    count();
  };
  return (
    <Dialog
      title={texts.remove.title(ids.length, name)}
      role="alertdialog"
      isOpen
      onClose={() => {
        if (!isRunning) close();
      }}
      footer={
        <>
          <FooterSpace />
          {isRunning ? (
            <Button isDisabled={progress.isStopping} onPress={() => void stopDeletion(siteId)}>
              {progress.isStopping ? texts.remove.stopping : texts.remove.stop}
            </Button>
          ) : (
            <>
              <Button autoFocus onPress={close}>
                {texts.remove.keep}
              </Button>
              <Button variant="danger" type="submit" form={FORM} isDisabled={!isReady}>
                {texts.remove.remove}
              </Button>
            </>
          )}
        </>
      }
    >
      {error === null ? null : <InlineError error={error} />}
      {planError === null ? null : (
        <InlineError error={planError}>
          <Button onPress={count}>{texts.retry}</Button>
        </InlineError>
      )}
      {note === null ? null : <p className={styles.note}>{note}</p>}
      {isRunning ? (
        <div className={styles.form} role="status">
          <p>{texts.remove.progress(progress.deletedItems, progress.items)}</p>
          <ProgressBar
            label={texts.remove.title(ids.length, name)}
            value={percent(progress.deletedItems, progress.items)}
          />
        </div>
      ) : (
        <form id={FORM} className={styles.form} onSubmit={(event) => void submit(event)}>
          {plan === null && planError === null ? <p className={styles.note}>{texts.remove.counting}</p> : null}
          {plan === null ? null : <Plan plan={plan} chosen={ids.length} word={word} typed={typed} onType={setTyped} />}
        </form>
      )}
    </Dialog>
  );
}

/** Returns whether the deletion is possible and, for a large deletion, whether the user typed its word. */
function isConfirmed(plan: CollectionDeletion | null, typed: string, word: string): boolean {
  if (plan === null || plan.forbidden.length > 0) return false;
  return !isLarge(plan) || typed.trim() === word.trim();
}

interface PlanProps {
  plan: CollectionDeletion;
  /** How many collections were chosen. */
  chosen: number;
  /** The word that the user has to type to confirm a large deletion. */
  word: string;
  typed: string;
  onType: (text: string) => void;
}

function Plan({ plan, chosen, word, typed, onType }: PlanProps) {
  if (plan.forbidden.length > 0) return <Forbidden plan={plan} />;
  return (
    <>
      <Contents plan={plan} chosen={chosen} />
      {isLarge(plan) ? (
        <TextField
          label={texts.remove.typeName(word)}
          value={typed}
          onChange={onType}
          spellCheck="false"
          autoComplete="off"
        />
      ) : null}
    </>
  );
}

const NAMES_SHOWN = 3;

function Forbidden({ plan }: { plan: CollectionDeletion }) {
  const names = plan.forbidden.slice(0, NAMES_SHOWN).map(({ displayName }) => `“${displayName}”`);
  const message = texts.remove.forbidden(names, plan.forbidden.length - names.length);
  return (
    <InlineError
      isNotice
      error={{ code: 'api.forbidden', message, nextStep: texts.remove.forbiddenNext, details: null }}
    />
  );
}

function Contents({ plan, chosen }: { plan: CollectionDeletion; chosen: number }) {
  const isEmpty = plan.items === 0 && plan.collections <= chosen;
  const below = plan.collections - chosen;
  return (
    <>
      {isEmpty ? (
        <p>{texts.remove.empty(chosen)}</p>
      ) : (
        <>
          <p>{texts.remove.list}</p>
          <ul className={styles.list}>
            {chosen > 1 ? <li>{texts.remove.collections(chosen)}</li> : null}
            {below > 0 ? <li>{texts.remove.subCollections(below)}</li> : null}
            <li>{texts.remove.items(plan.items)}</li>
            {plan.items === 0 || plan.files === 0 ? null : (
              <li>{plan.files === null ? texts.remove.allFiles : texts.remove.files(plan.files)}</li>
            )}
            {plan.podcasts > 0 ? <li>{texts.remove.podcasts(plan.podcasts)}</li> : null}
          </ul>
        </>
      )}
      <p className={styles.note}>{isEmpty ? texts.remove.forever : texts.remove.foreverSeen}</p>
    </>
  );
}

/** Counts the objects that the deletion removes; `count` counts them again. */
function usePlan(siteId: string, ids: readonly string[]) {
  const [state, setState] = useState<{ plan: CollectionDeletion | null; error: AppErrorData | null }>({
    plan: null,
    error: null,
  });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn counts again
  useEffect(
    () =>
      untilCancelled(
        call('library.planDeletion', { siteId, collectionIds: [...ids] }),
        (plan) => setState({ plan, error: null }),
        (thrown) => setState({ plan: null, error: toErrorData(thrown) }),
      ),
    [siteId, ids, turn],
  );
  const count = useCallback(() => {
    setState({ plan: null, error: null });
    setTurn((before) => before + 1);
  }, []);
  return { ...state, count };
}
