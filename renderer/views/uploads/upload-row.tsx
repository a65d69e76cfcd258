import { FolderSearch, LibraryBig, Pause, Play, RotateCw, X } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { splitFileName } from '../../../shared/model/title-template.ts';
import { call } from '../../bridge/bridge.ts';
import { classes } from '../../components/button.tsx';
import { Cell } from '../../components/cell.tsx';
import { type MenuEntry, RowButton, RowMenu } from '../../components/menu.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { StateChip } from '../../components/state-chip.tsx';
import { useApp } from '../../stores/app-store.ts';
import { openCollection } from '../../stores/commands.ts';
import { attempt } from '../../stores/messages-store.ts';
import { command, useUploadRow } from '../../stores/uploads-store.ts';
import { formatBytes, formatSpeed, formatWait } from '../../text/format.ts';
import { UPLOAD_LOOKS } from '../../text/states.ts';
import { isSentOut, type RowAction, rowActions, rowNote, rowPercent, showsBar } from '../../text/upload-text.ts';
import styles from './upload-row.module.css';

/** One upload. It listens to its own row only, so that a tick elsewhere costs nothing here. */
export const UploadRowCells = memo(function UploadRowCells({ id }: { id: string | undefined }) {
  const row = useUploadRow(id);
  if (row === undefined) return <Placeholder />;
  const isSending = row.state === 'sending';
  return (
    <div className={styles.row} role="presentation" data-upload-id={row.id} data-state={row.state}>
      <Cell className={styles.type} isHidden>
        {splitFileName(row.fileName).extension.slice(0, 4).toUpperCase() || '–'}
      </Cell>
      <Cell className={styles.names} title={row.path}>
        <div className={styles.title}>{row.title}</div>
        <div className={styles.file}>
          {row.fileName} → {row.collectionName}
        </div>
      </Cell>
      <Cell className={styles.number}>{formatBytes(row.sizeBytes)}</Cell>
      <Cell className={classes(styles.state, row.error !== null && !isSending && styles.wide)}>
        <StateCell row={row} />
      </Cell>
      {isSending ? (
        <>
          <Cell className={classes(styles.number, styles.speed)}>
            {row.bytesPerSecond === null || isSentOut(row) ? '' : formatSpeed(row.bytesPerSecond)}
          </Cell>
          <Cell className={classes(styles.number, styles.left)}>
            {row.secondsLeft === null || isSentOut(row) ? '' : `${formatWait(row.secondsLeft)} left`}
          </Cell>
        </>
      ) : null}
      <Cell className={styles.actions}>
        <Actions row={row} />
      </Cell>
    </div>
  );
});

function StateCell({ row }: { row: UploadRow }) {
  const now = useNow(row.state === 'waiting' && row.nextAttemptAt !== null);
  const look = UPLOAD_LOOKS[row.state];
  const note = rowNote(row, now);
  const reason = row.error === null ? null : `${row.error.message} ${row.error.nextStep ?? ''}`.trim();
  const value = row.state === 'processing' || row.state === 'publishing' ? null : rowPercent(row);
  return (
    <>
      <span className={styles.stateLine}>
        <StateChip look={look} state={row.state} />
        {note === null ? null : <span className={styles.note}>{note}</span>}
        {row.state === 'sending' && !isSentOut(row) ? (
          <span className={styles.percent}>{rowPercent(row)} %</span>
        ) : null}
      </span>
      {showsBar(row) && reason === null ? (
        <ProgressBar
          label={`Progress of ${row.fileName}`}
          value={value}
          tone={row.state === 'paused' ? 'neutral' : 'active'}
        />
      ) : null}
      {reason === null ? null : (
        <span className={styles.reason} title={reason}>
          {reason}
        </span>
      )}
    </>
  );
}

/** The time, by the second while `isTicking`. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    setNow(Date.now());
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, [isTicking]);
  return now;
}

const ACTIONS = {
  pause: { label: 'Pause', Icon: Pause },
  resume: { label: 'Resume', Icon: Play },
  retry: { label: 'Retry', Icon: RotateCw },
  cancel: { label: 'Cancel', Icon: X },
} as const satisfies Record<RowAction, unknown>;

function Actions({ row }: { row: UploadRow }) {
  const actions = rowActions(row.state);
  const [first, ...others] = actions;
  const run = (action: RowAction) => void command(action, { kind: 'ids', ids: [row.id] });
  const entries: MenuEntry[] = others.map((action) => {
    const { label, Icon } = ACTIONS[action];
    return {
      id: action,
      label: action === 'retry' && row.state === 'waiting' ? 'Try now' : label,
      icon: <Icon size={14} aria-hidden />,
      isDanger: action === 'cancel',
      onAction: () => run(action),
    };
  });
  entries.push({
    id: 'collection',
    label: `Open ${row.collectionName}`,
    icon: <LibraryBig size={14} aria-hidden />,
    isDisabled: row.siteId !== useApp.getState().siteId,
    onAction: () => openCollection(row.collectionId),
  });
  entries.push({
    id: 'show',
    label: 'Show in folder',
    icon: <FolderSearch size={14} aria-hidden />,
    onAction: () => void attempt(async () => void (await call('shell.showInFolder', { path: row.path }))),
  });
  const primary = first === undefined ? null : ACTIONS[first];
  return (
    <>
      {first === undefined || primary === null ? null : (
        <RowButton label={`${primary.label} ${row.fileName}`} onClick={() => run(first)}>
          <primary.Icon size={14} aria-hidden />
        </RowButton>
      )}
      <RowMenu label={`More for ${row.fileName}`} groups={[{ entries }]} />
    </>
  );
}

function Placeholder() {
  return (
    <div className={styles.row} role="presentation" aria-busy="true">
      <Cell className={styles.type}>
        <span className="visually-hidden">Loading</span>
      </Cell>
      <span className={styles.bone} style={{ width: '52%' }} />
      <span className={styles.bone} style={{ width: '70%' }} />
    </div>
  );
}
