import { useEffect, useState } from 'react';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { classes } from '../../components/button.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { StateChip } from '../../components/state-chip.tsx';
import { uploadLook } from '../../text/states.ts';
import { isSentOut, rowNote, rowPercent, showsBar } from '../../text/upload-text.ts';
import styles from './upload-row.module.css';

/** How an upload stands: its state, how far it is, and why it is where it is. */
export function StateCell({ row }: { row: UploadRow }) {
  const now = useNow(row.state === 'waiting' && row.nextAttemptAt !== null);
  const note = rowNote(row, now);
  const isPlain = row.error === null && row.notice === null;
  const hasBar = showsBar(row) && (row.error === null || row.state === 'sending');
  const value = row.state === 'processing' || row.state === 'publishing' ? null : rowPercent(row);
  return (
    <>
      <span className={styles.stateLine}>
        <StateChip look={uploadLook(row)} state={row.state} />
        {note === null ? null : <span className={styles.note}>{note}</span>}
        {row.state === 'sending' && !isSentOut(row) ? (
          <span className={styles.percent}>{rowPercent(row)} %</span>
        ) : null}
      </span>
      {hasBar ? (
        <ProgressBar
          label={`Progress of ${row.fileName}`}
          value={value}
          tone={row.state === 'paused' ? 'neutral' : 'active'}
        />
      ) : null}
      {isPlain ? null : <Words row={row} isShort={hasBar} />}
    </>
  );
}

/** Why it waits, failed or was left out; or what is worth knowing although nothing is wrong. */
function Words({ row, isShort }: { row: UploadRow; isShort: boolean }) {
  const words = row.error ?? row.notice;
  if (words === null) return null;
  const reason = `${words.message} ${words.nextStep ?? ''}`.trim();
  // A notice is for people who wonder; what to do about it is nothing, or stands in the tooltip.
  const isNotice = row.error === null;
  return (
    <span className={classes(styles.reason, isNotice && styles.notice, isShort && styles.short)} title={reason}>
      {isNotice ? words.message : reason}
    </span>
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
