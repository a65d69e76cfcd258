import { Ban, ChevronDown, Pause, Play, ReceiptText, RotateCw } from 'lucide-react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { UploadFilter, UploadTotals } from '../../../shared/contract/uploads.ts';
import { type CountedUploads, countFor, pendingOf } from '../../../shared/model/upload-counts.ts';
import { Button, classes } from '../../components/button.tsx';
import { Select } from '../../components/forms/select.tsx';
import { showView } from '../../stores/app/app-store.ts';
import { openReceipt } from '../../stores/receipts/receipts-store.ts';
import { cancelUploads } from '../../stores/uploads/cancel-uploads.ts';
import { command, pauseUntil } from '../../stores/uploads/upload-commands.ts';
import { ALL_UPLOADS, openUploads, uploadsList, useUploads } from '../../stores/uploads/uploads-store.ts';
import { formatCount } from '../../text/format.ts';
import { batchLabel, failuresOf, pausedWords } from '../../text/upload-text.ts';
import { AddButton } from '../shared/add-button.tsx';
import { PauseMenu } from './pause-menu.tsx';
import { SelectionCommands } from './selection-commands.tsx';
import styles from './uploads-view.module.css';

const FILTERS: readonly { id: UploadFilter; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'active', label: 'Active' },
  { id: 'waiting', label: 'Waiting' },
  { id: 'needs-decision', label: 'Needs decision' },
  { id: 'failed', label: 'Failed' },
  { id: 'complete', label: 'Complete' },
];

/** Filters and bulk commands of the uploads view. */
export function UploadsToolbar() {
  const totals = useUploads((state) => state.totals);
  const batches = useUploads((state) => state.batches);
  const { batchId, filter } = uploadsList.useList(({ query }) => query ?? ALL_UPLOADS);
  const hasSelection = uploadsList.useList((state) => state.selection.ids.size > 0);
  const batch = useUploads((state) => state.batch);
  // An open batch that is older than the listed ones is added at the end.
  const choices = batch === null || batches.some(({ id }) => id === batch.id) ? batches : [...batches, batch];
  // While the batch is loaded, the counts of the whole queue would be wrong.
  const owner: CountedUploads = (batchId === null ? totals : batch) ?? { counts: {}, duplicates: 0 };
  // An upload that needs a decision cannot be retried, so it does not count as failed.
  const failures = failuresOf(owner);
  // Decisions are rare, so their tab is shown only when it is not empty or is open.
  const filters = FILTERS.filter(({ id }) => id !== 'needs-decision' || id === filter || countFor(id, owner) > 0);
  return (
    <div className={styles.toolbar}>
      <div className={styles.line}>
        <h1 className={styles.title}>Uploads</h1>
        {choices.length === 0 ? null : (
          <Select
            flat
            label="Batch"
            value={batchId ?? ''}
            restValue=""
            options={[
              { value: '', label: 'All batches' },
              ...choices.map((candidate) => ({ value: candidate.id, label: batchLabel(candidate) })),
            ]}
            onChange={(id) => openUploads(filter, id === '' ? null : id)}
          />
        )}
        {batch === null ? null : (
          <Button
            variant="quiet"
            icon={<ReceiptText size={14} aria-hidden />}
            onPress={() => {
              openReceipt(batch.id);
              showView('receipts');
            }}
          >
            Receipt
          </Button>
        )}
        <span className={styles.grow} />
        <AddButton label="Add uploads" />
      </div>
      <div className={styles.tabs}>
        <ToggleButtonGroup
          aria-label="Which uploads"
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[filter]}
          onSelectionChange={([id]) => openUploads(id as UploadFilter, batchId)}
          className={styles.filters ?? ''}
        >
          {filters.map(({ id, label }) => {
            const count = countFor(id, owner);
            return (
              <ToggleButton key={id} id={id} className={styles.tab ?? ''}>
                {label}
                <span
                  className={classes(
                    styles.count,
                    id === 'failed' && failures > 0 && styles.badCount,
                    id === 'needs-decision' && styles.askCount,
                  )}
                >
                  {formatCount(count)}
                </span>
              </ToggleButton>
            );
          })}
        </ToggleButtonGroup>
        <span className={styles.grow} />
        {hasSelection ? (
          <SelectionCommands />
        ) : (
          <Commands totals={totals} batchId={batchId} counts={owner.counts} failures={failures} />
        )}
      </div>
    </div>
  );
}

interface CommandsProps {
  totals: UploadTotals | null;
  batchId: string | null;
  counts: CountedUploads['counts'];
  failures: number;
}

/** Commands for the batch or the whole queue, while nothing is selected. */
function Commands({ totals, batchId, counts, failures }: CommandsProps) {
  if (totals === null) return null;
  const all = batchId === null ? ({ kind: 'all' } as const) : ({ kind: 'batch', batchId } as const);
  const what = batchId === null ? 'all' : 'batch';
  const isPending = pendingOf(counts) > 0;
  const canResume = totals.paused || (counts.paused ?? 0) > 0;
  return (
    <>
      {totals.paused ? <span className={styles.remark}>{capital(pausedWords(totals, Date.now()))}</span> : null}
      {failures > 0 ? (
        <Button
          variant="quiet"
          icon={<RotateCw size={14} aria-hidden />}
          onPress={() => void command('retry', batchId === null ? { kind: 'failed' } : { kind: 'failed', batchId })}
        >
          Retry failed
        </Button>
      ) : null}
      {isPending && !totals.paused && batchId === null ? (
        <PauseMenu withPlain>
          <Button variant="quiet" icon={<Pause size={14} aria-hidden />}>
            Pause all <ChevronDown size={12} aria-hidden />
          </Button>
        </PauseMenu>
      ) : null}
      {isPending && !totals.paused && batchId !== null ? (
        <Button variant="quiet" icon={<Pause size={14} aria-hidden />} onPress={() => void command('pause', all)}>
          Pause batch
        </Button>
      ) : null}
      {isPending && batchId !== null ? (
        <Button variant="quiet" icon={<Ban size={14} aria-hidden />} onPress={() => void cancelUploads(all)}>
          Cancel batch…
        </Button>
      ) : null}
      {canResume ? (
        <Button
          variant="quiet"
          icon={<Play size={14} aria-hidden />}
          onPress={() => void (totals.pausedUntil === null ? command('resume', all) : pauseUntil(null))}
        >
          {totals.pausedUntil === null ? `Resume ${what}` : 'Resume now'}
        </Button>
      ) : null}
    </>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
