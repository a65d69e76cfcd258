import { ChevronRight, Pause, Play, ReceiptText, RotateCw } from 'lucide-react';
import type { ListedBatch } from '../../../../shared/contract/uploads.ts';
import { pendingOf, type UploadOutcomes, uploadOutcomes } from '../../../../shared/model/uploads/upload-counts.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { RowButton, RowMenu } from '../../../kit/components/overlay/menu.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { formatDateTime, formatSpeed, formatWait, percent } from '../../../kit/text/format.ts';
import { targetLabel } from '../../../kit/text/upload-text.ts';
import { command } from '../state/upload-commands.ts';
import { useListedBatch, useUploads } from '../state/uploads-store.ts';
import { texts } from '../texts.ts';
import { batchMenu, showReceipt } from './batch-actions.tsx';
import styles from './batch-header.module.css';

interface BatchHeaderProps {
  batchId: string;
  isExpanded: boolean;
}

/** A batch in one row: its name, its progress, and its commands. */
export function BatchHeader({ batchId, isExpanded }: BatchHeaderProps) {
  const batch = useListedBatch(batchId);
  if (batch === undefined) return null;
  const name = targetLabel(batch);
  const outcomes = uploadOutcomes(batch);
  return (
    <div className={styles.batch} role="presentation" data-batch={batchId}>
      <ChevronRight size={16} className={classes(styles.chevron, isExpanded && styles.open)} aria-hidden />
      <Cell className={styles.names} title={`${name} · ${formatDateTime(batch.addedAt)}`}>
        <span className={styles.name}>
          <span className="visually-hidden">{texts.batch.header} </span>
          {name}
        </span>
        <span className={styles.origin}>
          {batch.folderName === null ? '' : `${batch.folderName} · `}
          {formatDateTime(batch.addedAt)}
        </span>
      </Cell>
      <Cell className={styles.counts}>
        <Counts outcomes={outcomes} />
      </Cell>
      <Progress batch={batch} name={name} outcomes={outcomes} />
      <Cell className={styles.actions}>
        <Buttons batch={batch} name={name} outcomes={outcomes} />
        <RowMenu label={texts.batch.more(name)} groups={() => batchMenu(batch)} />
      </Cell>
    </div>
  );
}

/** `380 of 400 complete · 3 failed · 2 need your decision`. */
function Counts({ outcomes }: { outcomes: UploadOutcomes }) {
  const { added, complete, failed, needsDecision, cancelled, skipped } = outcomes;
  const { batch } = texts;
  const total = added - skipped - cancelled;
  return (
    <>
      {total === 0 ? null : (
        <span className={classes(complete === total && styles.good)}>{batch.complete(complete, total)}</span>
      )}
      {failed > 0 ? <span className={styles.bad}>{batch.failed(failed)}</span> : null}
      {needsDecision > 0 ? <span className={styles.ask}>{batch.needsDecision(needsDecision)}</span> : null}
      {cancelled > 0 ? <span>{batch.cancelled(cancelled)}</span> : null}
      {total === 0 && skipped > 0 ? <span>{batch.skipped(skipped)}</span> : null}
    </>
  );
}

interface PartProps {
  batch: ListedBatch;
  name: string;
  outcomes: UploadOutcomes;
}

/** The progress of a batch that is not over, with its speed and the time left. */
function Progress({ batch, name, outcomes }: PartProps) {
  const isQueuePaused = useUploads((state) => state.totals?.paused === true);
  if (outcomes.pending === 0) return <Cell className={styles.progress} />;
  const { totalBytes, sentBytes, bytesPerSecond, secondsLeft } = batch.progress;
  const isPaused = isQueuePaused || (batch.listed.counts.paused ?? 0) === pendingOf(batch.listed.counts);
  const value = Math.min(99, percent(sentBytes, totalBytes));
  const pace = bytesPerSecond > 0 ? formatSpeed(bytesPerSecond) : isPaused ? texts.batch.paused : '';
  const left = bytesPerSecond > 0 && secondsLeft !== null ? texts.left(formatWait(secondsLeft)) : null;
  return (
    <Cell className={styles.progress}>
      <span className={styles.numbers}>
        <span className={styles.paces}>
          <span className={styles.pace}>{pace}</span>
          {left === null ? null : <span className={styles.left}>{left}</span>}
        </span>
        <span className={styles.percent}>{texts.row.percent(value)}</span>
      </span>
      <ProgressBar
        label={texts.batch.progress(name)}
        value={sentBytes >= totalBytes ? null : value}
        tone={isPaused ? 'neutral' : 'active'}
      />
    </Cell>
  );
}

/** The most frequently used commands; the menu contains all commands. */
function Buttons({ batch, name, outcomes }: PartProps) {
  const isQueuePaused = useUploads((state) => state.totals?.paused === true);
  const selection = { kind: 'batch', batchId: batch.id } as const;
  const { counts } = batch.listed;
  const paused = counts.paused ?? 0;
  const canPause = !isQueuePaused && pendingOf(counts) > paused;
  return (
    <>
      {outcomes.failed > 0 ? (
        <RowButton
          label={texts.row.action(texts.batch.menu.retry, name)}
          onClick={() => void command('retry', { kind: 'failed', batchId: batch.id })}
        >
          <RotateCw size={14} aria-hidden />
        </RowButton>
      ) : null}
      {canPause ? (
        <RowButton label={texts.batch.pause(name)} onClick={() => void command('pause', selection)}>
          <Pause size={14} aria-hidden />
        </RowButton>
      ) : null}
      {!canPause && paused > 0 && !isQueuePaused ? (
        <RowButton label={texts.batch.resume(name)} onClick={() => void command('resume', selection)}>
          <Play size={14} aria-hidden />
        </RowButton>
      ) : null}
      {outcomes.pending === 0 ? (
        <RowButton label={texts.row.action(texts.batch.menu.receipt, name)} onClick={() => showReceipt(batch.id)}>
          <ReceiptText size={14} aria-hidden />
        </RowButton>
      ) : null}
    </>
  );
}

/** The header row of the skipped uploads of a batch, which expands and collapses them. */
export function SkippedHeader({ count, isOpen }: { count: number; isOpen: boolean }) {
  const { skippedRow, showSkipped, hideSkipped } = texts.batch;
  return (
    <div className={styles.skipped} role="presentation">
      <ChevronRight size={14} className={classes(styles.chevron, isOpen && styles.open)} aria-hidden />
      <Cell>
        {skippedRow(count)} <span className={styles.quiet}>{isOpen ? hideSkipped : showSkipped}</span>
      </Cell>
    </div>
  );
}
