import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { Cell } from '../../kit/components/list/cell.tsx';
import { type MenuEntry, RowMenu } from '../../kit/components/overlay/menu.tsx';
import { StateChip } from '../../kit/components/status/state-chip.tsx';
import { errorText } from '../../kit/text/errors.ts';
import { formatBytes, formatDateTime, formatListDate, formatUtc } from '../../kit/text/format.ts';
import { shownName } from '../../kit/text/shown-name.ts';
import { uploadLook } from '../../kit/text/states.ts';
import { openItemPage } from '../common/commands/commands.ts';
import { copyHashEntry, folderEntry, itemEntry, webPageEntry } from '../common/menus.tsx';
import styles from './receipts-view.module.css';
import { texts } from './texts.ts';

export function ReceiptHead() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the head of a grid that is placed by CSS
    <div role="row" tabIndex={-1} aria-rowindex={1} className={styles.lineHead}>
      <Cell role="columnheader">{texts.columns.status}</Cell>
      <Cell role="columnheader">{texts.columns.file}</Cell>
      <Cell role="columnheader" className={styles.number}>
        {texts.columns.size}
      </Cell>
      <Cell role="columnheader">{texts.columns.ended}</Cell>
      <Cell role="columnheader">{texts.columns.hash}</Cell>
      <Cell role="columnheader">
        <span className="visually-hidden">{texts.columns.actions}</span>
      </Cell>
    </div>
  );
}

/** The only cell of a row that is not loaded. */
export function LoadingCell() {
  return (
    <Cell>
      <span className="visually-hidden">{texts.fileLoading}</span>
      <span className={styles.bone} />
    </Cell>
  );
}

/** The outcome of one file. */
export function ReceiptLineView({ row }: { row: UploadRow | undefined }) {
  if (row === undefined) return <LoadingCell />;
  const reason = row.error === null ? null : errorText(row.error);
  return (
    <>
      <Cell>
        <StateChip look={uploadLook(row)} state={row.state} />
      </Cell>
      <Cell className={styles.file} title={reason === null ? row.path : `${row.path}\n${reason}`}>
        <span className={styles.fileName}>{shownName(row.fileName)}</span>
        <span className={styles.when}>{reason ?? row.title}</span>
      </Cell>
      <Cell className={styles.number}>{formatBytes(row.sizeBytes)}</Cell>
      <Cell
        className={styles.muted}
        title={row.endedAt === null ? '' : `${formatDateTime(row.endedAt)} (${formatUtc(row.endedAt)})`}
      >
        {row.endedAt === null ? '–' : formatListDate(new Date(row.endedAt).toISOString(), Date.now())}
      </Cell>
      <Cell className={styles.hash} title={row.sha256 ?? ''}>
        {row.sha256 === null ? '–' : row.sha256.slice(0, 12)}
      </Cell>
      <Cell className={styles.actions}>
        <RowMenu rowId={row.id} label={texts.more(row.fileName)} groups={() => [{ entries: entriesFor(row) }]} />
      </Cell>
    </>
  );
}

function entriesFor({ siteId, collectionId, mediaId, sha256, path }: UploadRow): MenuEntry[] {
  const place = mediaId === null ? null : { siteId, collectionId, mediaId };
  return [
    ...(place === null ? [] : [itemEntry(place), webPageEntry(() => openItemPage(place))]),
    ...(sha256 === null ? [] : [copyHashEntry(sha256)]),
    folderEntry(path),
  ];
}
