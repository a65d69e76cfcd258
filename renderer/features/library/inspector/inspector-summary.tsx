import { useMemo } from 'react';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { Button } from '../../../kit/components/button.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { formatCount, formatDuration } from '../../../kit/text/format.ts';
import { mediaLook, typeWord } from '../../../kit/text/states.ts';
import { CollectionPicture } from '../collections/collection-picture.tsx';
import { COLLECTION_COMMANDS, type CollectionCommand } from '../commands/collection-commands.ts';
import { DownloadsList } from '../files/downloads-list.tsx';
import { SelectionForm } from '../selection/selection-form.tsx';
import { mediaList, selectedRows } from '../state/media-store.ts';
import { selectedTarget, type Target, useSelectedCount } from '../state/selection/media-selection.ts';
import { useAppliedChanges } from '../state/selection/review-store.ts';
import { refusalOf, useKnownRights } from '../state/selection/rights-store.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';

/** The totals of several selected items. */
export function InspectorSummary() {
  const selection = mediaList.useList((state) => state.selection);
  const count = useSelectedCount();
  const applied = useAppliedChanges((state) => state.count);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these change with the list, which the target is read from
  const target = useMemo(selectedTarget, [selection, count]);
  const version = mediaList.useList((state) => state.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` changes with the cache that the rows are read from
  const rows = useMemo(() => selectedRows(selection), [selection, version]);
  const seconds = rows.reduce((sum, row) => sum + (row.durationSeconds ?? 0), 0);
  const lines: [string, string][] = [
    [texts.selection.status, tally(rows.map((row) => mediaLook(row.status).word))],
    [texts.selection.type, tally(rows.map((row) => typeWord(row.type)))],
    [texts.selection.length, seconds > 0 ? formatDuration(seconds) : '–'],
    [texts.selection.tags, tally(rows.flatMap((row) => row.tags)) || texts.selection.noTags],
  ];
  return (
    <>
      <header className={styles.head}>
        <h2 className={styles.name}>{texts.selection.title(count)}</h2>
        {rows.length < count ? <p className={styles.small}>{texts.selection.partial(rows.length)}</p> : null}
      </header>
      <div className={styles.scroll}>
        <dl className={styles.sums}>
          {lines.map(([label, text]) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        {target === null ? null : <Changes key={applied} target={target} />}
        <DownloadsList siteId={target?.selection.siteId ?? null} isShown={(id) => selection.ids.has(id)} />
      </div>
    </>
  );
}

/** The form for the selected items; or the reason why the account can't change them. */
function Changes({ target }: { target: Target }) {
  useKnownRights();
  const refusal = refusalOf(target, 'edit');
  if (refusal === null) return <SelectionForm target={target} />;
  return <InlineError isNotice error={refusal} />;
}

/**
 * Returns a text such as `12 Published, 3 Draft`: the most frequent words first, at most ten. A line never breaks between a
 * number and its word.
 */
function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 10);
  return sorted.map(([word, count]) => `${count}\u00a0${word}`).join(', ');
}

const COMMANDS: readonly CollectionCommand[] = [
  COLLECTION_COMMANDS.edit,
  COLLECTION_COMMANDS.podcast,
  COLLECTION_COMMANDS.thumbnail,
  COLLECTION_COMMANDS.people,
];

/** Shows facts about the open collection and its most important commands, while no item is selected. */
export function InspectorCollection({ row }: { row: CollectionRow }) {
  const { mediaCount, mediaCountBelow, childCount } = row;
  const facts: [string, string][] = [
    [texts.item.collection.items, mediaCount === null ? '–' : formatCount(mediaCount)],
    ...(childCount === 0
      ? []
      : ([
          [texts.item.collection.children, formatCount(childCount)],
          [texts.item.collection.itemsBelow, mediaCountBelow === null ? '–' : formatCount(mediaCountBelow)],
        ] satisfies [string, string][])),
    [texts.item.collection.kind, row.isPodcast ? texts.item.collection.podcast : texts.item.collection.plain],
    ...(row.slug === '' ? [] : ([[texts.item.collection.slug, row.slug]] satisfies [string, string][])),
  ];
  return (
    <>
      <header className={styles.head}>
        <h2 className={styles.name} title={row.displayName}>
          {row.displayName}
        </h2>
        <p className={styles.small}>{texts.item.collection.hint}</p>
      </header>
      <div className={styles.scroll}>
        <CollectionPicture key={row.id} id={row.id} className={styles.cover}>
          {null}
        </CollectionPicture>
        <dl className={styles.sums}>
          {facts.map(([label, text]) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.commands}>
          {COMMANDS.filter(({ isFor }) => isFor?.(row) !== false).map(({ id, label, icon: Icon, run }) => (
            <Button key={id} variant="quiet" icon={<Icon size={15} strokeWidth={1.75} />} onPress={() => run(row)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
    </>
  );
}
