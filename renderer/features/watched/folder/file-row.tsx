import { ArrowUpFromLine, FolderSearch, Upload } from 'lucide-react';
import type { WatchedFileRow } from '../../../../shared/contract/watch.ts';
import { splitFileName } from '../../../../shared/model/title-template.ts';
import { Cell, RowTextButton } from '../../../kit/components/list/cell.tsx';
import { type MenuEntry, RowMenu } from '../../../kit/components/overlay/menu.tsx';
import { StateChip } from '../../../kit/components/status/state-chip.tsx';
import { formatBytes, formatDateTime, formatListDate } from '../../../kit/text/format.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { UPLOAD_LOOKS } from '../../../kit/text/states.ts';
import { showInFolder } from '../../common/state/show-in-folder.ts';
import { showUpload } from '../../uploads/state/upload-row-commands.ts';
import { passedTexts, shortVerdictText, verdictText } from '../clause-text.ts';
import { readyText, reasonText, subFolder } from '../folder-text.ts';
import { uploadAnyway } from '../state/watch-commands.ts';
import { type FilesFilter, useWatched } from '../state/watched-store.ts';
import { texts } from '../texts.ts';
import styles from './folder.module.css';

interface FileRowProps {
  row: WatchedFileRow | undefined;
  filter: FilesFilter;
  /** Epoch milliseconds, for the remaining time. */
  now: number;
}

/** One file of a watched folder: its name, and the reason why it is in its tab. */
export function WatchedFileLine({ row, filter, now }: FileRowProps) {
  if (row === undefined) return <Placeholder />;
  const folder = subFolder(row.path);
  return (
    <div className={styles.file} role="presentation" data-file-id={row.id} data-state={row.state}>
      <Cell className={styles.type} isHidden>
        {splitFileName(row.fileName).extension.slice(0, 4).toUpperCase() || '–'}
      </Cell>
      <Cell className={styles.fileName} title={row.path}>
        <span className={styles.fileTitle}>{shownName(row.fileName)}</span>
        <span className={styles.under}>
          {[folder, formatBytes(row.sizeBytes), row.isGone ? texts.files.gone : '']
            .filter((part) => part !== '')
            .join(' · ')}
        </span>
      </Cell>
      <Cell className={styles.why}>
        <Why row={row} filter={filter} now={now} />
      </Cell>
      <Cell className={styles.actions}>
        <Actions row={row} filter={filter} />
      </Cell>
    </div>
  );
}

function Why({ row, filter, now }: { row: WatchedFileRow; filter: FilesFilter; now: number }) {
  const rules = useWatched(({ folders }) => folders?.find(({ id }) => id === row.folderId)?.rules.rules) ?? [];
  const decision = row.verdict === null ? [] : [...passedTexts(row.verdict, rules), verdictText(row.verdict)];
  const tip = decision.join('\n');
  const short = row.verdict === null ? '' : shortVerdictText(row.verdict);
  if (filter === 'recent') {
    return (
      <>
        {row.uploadState === null ? (
          <span className={styles.whyText}>{reasonText(row) || texts.files.noUpload}</span>
        ) : (
          <StateChip look={UPLOAD_LOOKS[row.uploadState]} state={row.uploadState} />
        )}
        <span className={styles.whyText} title={tip}>
          {row.handledAt === null ? null : (
            <time dateTime={new Date(row.handledAt).toISOString()} title={formatDateTime(row.handledAt)}>
              {texts.files.queuedAt(formatListDate(new Date(row.handledAt).toISOString(), now), short)}
            </time>
          )}
        </span>
      </>
    );
  }
  const ready = filter === 'settling' ? readyText(row, now) : null;
  // Under “attention” the text is the message without its next step, because the button beside it names that step.
  const text = filter === 'attention' && row.reason !== null ? row.reason.message : reasonText(row);
  // The most common reason is shown once, above the list.
  const isUsual = ready !== null && row.reason?.code === 'watch.settling';
  return (
    <span className={styles.whyText} title={text === reasonText(row) && !isUsual ? tip : reasonText(row)}>
      {isUsual ? '' : `${text} `}
      {ready === null ? null : <span className={styles.ready}>{ready}</span>}
    </span>
  );
}

function Actions({ row, filter }: { row: WatchedFileRow; filter: FilesFilter }) {
  const { uploadId } = row;
  const root = useWatched(({ folders }) => folders?.find(({ id }) => id === row.folderId)?.root) ?? '';
  const show: MenuEntry = {
    id: 'upload',
    label: texts.files.showUpload,
    icon: <ArrowUpFromLine size={14} aria-hidden />,
    onAction: () => uploadId !== null && showUpload(uploadId, row.batchId),
  };
  const anyway: MenuEntry = {
    id: 'anyway',
    label: texts.files.anyway,
    icon: <Upload size={14} aria-hidden />,
    onAction: () => void uploadAnyway([row.id]),
  };
  const folder: MenuEntry = {
    id: 'folder',
    label: texts.files.showFile,
    icon: <FolderSearch size={14} aria-hidden />,
    onAction: () => void showInFolder(joined(root, row.path)),
  };
  const main = filter === 'attention' ? anyway : uploadId === null ? null : show;
  const entries = [
    ...(uploadId === null ? [] : [show]),
    ...(filter === 'recent' || row.isGone ? [] : [anyway]),
    ...(row.isGone ? [] : [folder]),
  ];
  return (
    <>
      {main === null ? null : (
        <RowTextButton
          label={main.label}
          of={row.fileName}
          className={filter === 'attention' ? undefined : styles.spare}
          onClick={main.onAction}
        />
      )}
      {entries.length === 0 ? null : (
        <RowMenu rowId={row.id} label={texts.files.more(row.fileName)} groups={() => [{ entries }]} />
      )}
    </>
  );
}

/** Returns the full path: joins a relative path with `/` to a root in the notation of this system. */
function joined(root: string, path: string): string {
  const separator = root.includes('\\') && !root.includes('/') ? '\\' : '/';
  return `${root.replace(/[\\/]$/, '')}${separator}${path.replaceAll('/', separator)}`;
}

function Placeholder() {
  return (
    <div className={styles.file} role="presentation" aria-busy="true">
      <Cell className={styles.type}>
        <span className="visually-hidden">{texts.files.loading}</span>
      </Cell>
      <span className={styles.bone} style={{ width: '46%' }} />
      <span className={styles.bone} style={{ width: '64%' }} />
    </div>
  );
}
