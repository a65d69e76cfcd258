import { useState } from 'react';
import type { TagMergeOutcome } from '../../../../shared/contract/admin/admin-calls.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { Button } from '../../../kit/components/button.tsx';
import { RadioList } from '../../../kit/components/forms/radio-list.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { percent } from '../../../kit/text/format.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import adminStyles from '../admin.module.css';
import { useAdmin } from '../state/admin-store.ts';
import type { ListedTag } from '../state/tag-list.ts';
import { mergeTags, stopTagMerge, useTagMerge } from '../state/tag-merge.ts';
import styles from './tags.module.css';
import { texts } from './texts.ts';
import { useTagUses } from './use-tag-uses.ts';

const words = texts.merge;
/** The number of tags to choose from, those with the most items. */
const MOST_OPTIONS = 50;
/** The number of items and tags that the outcome lists. */
const MOST_LINES = 100;

interface MergeTagsDialogProps {
  /** Two or more. */
  tags: readonly ListedTag[];
  onClose: () => void;
}

/**
 * Asks which of several tags stays, with the numbers of their items, and merges the others into it. While it runs, it shows the progress;
 * afterwards it shows what could not be changed. When all others are gone, it closes.
 */
export function MergeTagsDialog({ tags, onClose }: MergeTagsDialogProps) {
  const siteId = useAdmin((state) => state.siteId);
  const progress = useTagMerge((state) => state.progress);
  const choice = useChoice(tags);
  const { kept } = choice;
  const [outcome, setOutcome] = useState<TagMergeOutcome | null>(null);
  const [error, setError] = useState<AppErrorData | null>(null);
  const close = () => {
    if (progress === null) onClose();
  };
  const merge = async () => {
    if (siteId === null || kept === null) return;
    choice.choose(kept.id);
    setError(null);
    try {
      const left = new Set(outcome?.left.map(({ id }) => id) ?? tags.map(({ id }) => id));
      const next = await mergeTags(
        siteId,
        kept,
        tags.filter(({ id }) => left.has(id)),
      );
      if (next.left.length === 0) onClose();
      else setOutcome(next);
    } catch (thrown) {
      setError(toErrorData(thrown));
    }
  };
  const title = words.title(tags.length);
  const stop = (
    <Button autoFocus isDisabled={progress?.isStopping === true} onPress={stopTagMerge}>
      {progress?.isStopping === true ? words.stopping : words.stop}
    </Button>
  );
  const answers = (
    <>
      <Button autoFocus onPress={close}>
        {outcome === null ? words.cancel : words.close}
      </Button>
      <Button variant="primary" isBusy={!choice.isCounted} onPress={() => void merge()}>
        {outcome === null ? words.action(tags.length) : words.again}
      </Button>
    </>
  );
  return (
    <Dialog
      title={title}
      isOpen
      onClose={close}
      width={480}
      footer={
        <>
          <FooterSpace />
          {progress === null ? answers : stop}
        </>
      }
    >
      <div className={styles.merge}>
        {error === null ? null : <InlineError error={error} />}
        {progress !== null ? (
          <Running done={progress.done} items={progress.items} title={title} />
        ) : outcome !== null ? (
          <Outcome outcome={outcome} kept={kept?.name ?? ''} />
        ) : (
          <Question choice={choice} more={tags.length - choice.listed.length} />
        )}
      </div>
    </Dialog>
  );
}

/** The tag that stays: the chosen one, by default the one with the most items in the library. */
function useChoice(tags: readonly ListedTag[]) {
  // As they were when the dialog opened: the list is loaded again after a merge.
  const [listed] = useState(() => mostUsed(tags, ({ items }) => items ?? 0).slice(0, MOST_OPTIONS));
  const { counts, isDone, error, load } = useTagUses(listed.map(({ name }) => name));
  const [chosenId, choose] = useState<string | null>(null);
  const kept = listed.find(({ id }) => id === chosenId) ?? mostUsed(listed, ({ name }) => counts.get(name) ?? 0)[0];
  return { listed, counts, isCounted: isDone || error !== null, error, load, kept: kept ?? null, choose };
}

function Question({ choice, more }: { choice: ReturnType<typeof useChoice>; more: number }) {
  const { listed, counts, isCounted, error, load, kept, choose } = choice;
  return (
    <>
      {error === null ? null : <InlineError error={error} onRetry={load} />}
      <div className={adminStyles.choices}>
        <RadioList
          label={words.stays}
          value={kept?.id ?? ''}
          options={listed.map(({ id, name }) => ({
            value: id,
            label: name,
            meaning: itemsText(counts.get(name), isCounted),
          }))}
          onChange={choose}
        />
      </div>
      {more > 0 ? <p className={adminStyles.more}>{texts.deletion.more(more)}</p> : null}
      <p>{words.text(kept?.name ?? '')}</p>
    </>
  );
}

function itemsText(items: number | undefined, isCounted: boolean): string {
  if (items !== undefined) return texts.items(items);
  return isCounted ? texts.unknown : texts.counting;
}

function Running({ done, items, title }: { done: number; items: number | null; title: string }) {
  return (
    <div className={styles.merge} role="status">
      <p>{items === null ? words.reading : words.progress(done, items)}</p>
      <ProgressBar label={title} value={items === null ? null : percent(done, items)} />
    </div>
  );
}

/** What a merge did and what it could not do, with the reasons. */
function Outcome({ outcome: { changed, failed, deleted, left }, kept }: { outcome: TagMergeOutcome; kept: string }) {
  return (
    <div className={styles.merge} role="status">
      <p>{words.done(changed, kept, deleted.length)}</p>
      <Reasons title={words.failed(failed.length)} entries={failed} />
      <Reasons title={words.left(left.length)} entries={left} />
    </div>
  );
}

function Reasons({ title, entries }: { title: string; entries: TagMergeOutcome['failed'] }) {
  if (entries.length === 0) return null;
  return (
    <div>
      <h3 className={styles.heading}>{title}</h3>
      <ul className={`${adminStyles.choices} ${adminStyles.lines}`}>
        {entries.slice(0, MOST_LINES).map(({ id, name, error }) => (
          <li key={id}>
            {shownName(name)}
            <br />
            <span className={adminStyles.note}>{error.message}</span>
          </li>
        ))}
        {entries.length > MOST_LINES ? (
          <li className={adminStyles.more}>{texts.deletion.more(entries.length - MOST_LINES)}</li>
        ) : null}
      </ul>
    </div>
  );
}

function mostUsed(tags: readonly ListedTag[], itemsOf: (tag: ListedTag) => number): ListedTag[] {
  return [...tags].sort((one, other) => itemsOf(other) - itemsOf(one));
}
