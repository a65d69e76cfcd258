import { useEffect } from 'react';
import { create } from 'zustand';
import type { ItemFileFacts, MediaRow } from '../../../../shared/contract/library.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { StateChip } from '../../../kit/components/status/state-chip.tsx';
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatListDate,
  formatUtc,
} from '../../../kit/text/format.ts';
import { mediaLook, typeWord } from '../../../kit/text/states.ts';
import { useApp } from '../../common/state/app-store.ts';
import type { ColumnId } from '../state/media-columns.ts';
import { texts } from '../texts.ts';
import styles from './media-list.module.css';
import { tagsThatFit } from './tags-that-fit.ts';

interface MediaCellProps {
  column: Exclude<ColumnId, 'title'>;
  row: MediaRow;
  tagsWidth: number;
}

/** The cell of any column except the title. */
export function MediaCell({ column, row, tagsWidth }: MediaCellProps) {
  switch (column) {
    case 'status':
      return (
        <Cell className={styles.status}>
          <StateChip look={mediaLook(row.status)} state={row.status} />
        </Cell>
      );
    case 'length':
      return <Cell className={styles.number}>{row.durationSeconds ? formatDuration(row.durationSeconds) : ''}</Cell>;
    case 'created_on':
      return <DateCell date={row.createdOn} />;
    case 'modified_on':
      return <DateCell date={row.modifiedOn ?? null} />;
    case 'publish_on':
      return <DateCell date={row.publishOn} />;
    case 'tags':
      return <TagsCell tags={row.tags} width={tagsWidth} />;
    case 'type':
      return <TextCell text={typeWord(row.type)} />;
    case 'collection':
      return <TextCell text={row.collectionName ?? texts.media.columns.unknown} />;
    case 'byline':
      return <TextCell text={row.byline ?? ''} />;
    case 'views':
    case 'likes':
    case 'comments':
      return <Cell className={styles.number}>{formatCount(row[column])}</Cell>;
    case 'size':
    case 'captions':
      return <FileFactCell row={row} column={column} />;
  }
}

function TextCell({ text }: { text: string }) {
  return (
    <Cell className={styles.text} title={text}>
      {text}
    </Cell>
  );
}

function DateCell({ date }: { date: string | null }) {
  if (date === null) return <Cell className={styles.date}>{texts.media.columns.unknown}</Cell>;
  return (
    <Cell className={styles.date} title={`${formatDateTime(date)} (${formatUtc(date)})`}>
      {formatListDate(date, Date.now())}
    </Cell>
  );
}

function TagsCell({ tags, width }: { tags: readonly string[]; width: number }) {
  const shown = tagsThatFit(tags, width);
  return (
    <Cell className={styles.tags} title={tags.join(', ')}>
      {tags.slice(0, shown).map((tag) => (
        <span key={tag} className={styles.tag}>
          {tag}
        </span>
      ))}
      {tags.length > shown ? <span className={styles.more}>{texts.list.moreTags(tags.length - shown)}</span> : null}
    </Cell>
  );
}

/** A row that leaves the view within this time causes no request. */
const SETTLE_MS = 150;

/** A value that only the files of the item contain: they are requested when the row is shown. */
function FileFactCell({ row, column }: { row: MediaRow; column: 'size' | 'captions' }) {
  const siteId = useApp((state) => state.siteId) ?? '';
  const read = useFileFacts((state) => state.facts.get(factsKey(siteId, row)));
  const facts = read ?? storedFacts(row);
  const isKnown = facts !== undefined;
  useEffect(() => {
    if (isKnown || siteId === '') return;
    const timer = window.setTimeout(() => void loadFileFacts(siteId, row), SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [isKnown, siteId, row]);
  if (facts === undefined) return <Cell className={styles.number}>{texts.media.columns.unknown}</Cell>;
  if (column === 'captions') {
    return (
      <Cell className={styles.text}>
        {facts.hasCaptions ? texts.media.columns.hasCaptions : texts.media.columns.noCaptions}
      </Cell>
    );
  }
  return (
    <Cell className={classes(styles.number)}>
      {facts.sizeBytes === null ? texts.media.columns.unknown : formatBytes(facts.sizeBytes)}
    </Cell>
  );
}

/** Returns the facts of an item that this computer's copy of the library has; undefined when it lacks one of them. */
function storedFacts({ sizeBytes, hasCaptions }: MediaRow): ItemFileFacts | undefined {
  return sizeBytes === undefined || hasCaptions === undefined ? undefined : { sizeBytes, hasCaptions };
}

/** Facts about the files of an item that the library list lacks, by item and version. Rows request them when they show them. */
const useFileFacts = create<{ facts: ReadonlyMap<string, ItemFileFacts> }>(() => ({ facts: new Map() }));

const MAX_KEPT = 5000;
const requested = new Set<string>();

function factsKey(siteId: string, row: Pick<MediaRow, 'id' | 'modifiedOn'>): string {
  return `${siteId} ${row.id} ${row.modifiedOn ?? ''}`;
}

/** Loads the facts of an item once. A failure leaves them unknown; the row requests them again when it is shown again. */
async function loadFileFacts(siteId: string, row: MediaRow): Promise<void> {
  const key = factsKey(siteId, row);
  if (requested.has(key) || useFileFacts.getState().facts.has(key)) return;
  requested.add(key);
  try {
    const found = await call('library.fileFacts', { siteId, mediaId: row.id });
    if (found === null) return;
    useFileFacts.setState(({ facts }) => {
      const kept = [...facts].slice(Math.max(0, facts.size - MAX_KEPT + 1));
      return { facts: new Map([...(facts.size < MAX_KEPT ? facts : kept), [key, found]]) };
    });
  } catch {
    // The row shows that the facts are unknown.
  } finally {
    requested.delete(key);
  }
}
