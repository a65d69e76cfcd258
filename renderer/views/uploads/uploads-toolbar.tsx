import { ChevronDown, Download, Pause, Play, RotateCw, Upload, X } from 'lucide-react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { Batch, UploadFilter, UploadTotals } from '../../../shared/contract/uploads.ts';
import { call } from '../../bridge/bridge.ts';
import { Button, classes } from '../../components/button.tsx';
import { ActionMenu, type MenuGroup } from '../../components/menu.tsx';
import { Select } from '../../components/select.tsx';
import { pick } from '../../stores/commands.ts';
import { attempt, tell } from '../../stores/messages-store.ts';
import { countFor, pendingOf } from '../../stores/uploads-merge.ts';
import { cancelSelected, command, openUploads, type UploadCommand, useUploads } from '../../stores/uploads-store.ts';
import { formatCount } from '../../text/format.ts';
import { batchLabel } from '../../text/upload-text.ts';
import styles from './uploads-view.module.css';

const FILTERS: readonly { id: UploadFilter; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'active', label: 'Active' },
  { id: 'waiting', label: 'Waiting' },
  { id: 'failed', label: 'Failed' },
  { id: 'complete', label: 'Complete' },
];

/** Which uploads are listed, and commands for many of them at once. */
export function UploadsToolbar() {
  const totals = useUploads((state) => state.totals);
  const batches = useUploads((state) => state.batches);
  const batchId = useUploads((state) => state.batchId);
  const filter = useUploads((state) => state.filter);
  const batch = batches.find((candidate) => candidate.id === batchId) ?? null;
  const counts = batch?.counts ?? totals?.counts ?? {};
  return (
    <div className={styles.toolbar}>
      <div className={styles.line}>
        <h1 className={styles.title}>Uploads</h1>
        {batches.length === 0 ? null : (
          <Select
            flat
            label="Batch"
            value={batchId ?? ''}
            restValue=""
            options={[
              { value: '', label: 'All batches' },
              ...batches.map((candidate) => ({ value: candidate.id, label: batchLabel(candidate) })),
            ]}
            onChange={(id) => openUploads(filter, id === '' ? null : id)}
          />
        )}
        <Receipt batches={batches} batch={batch} />
        <span className={styles.grow} />
        <AddButton />
      </div>
      <div className={styles.tabs}>
        <ToggleButtonGroup
          aria-label="Which uploads"
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[filter]}
          onSelectionChange={([id]) => openUploads(id as UploadFilter, batchId)}
          style={{ display: 'flex', gap: 2 }}
        >
          {FILTERS.map(({ id, label }) => {
            const count = countFor(id, counts);
            return (
              <ToggleButton key={id} id={id} className={styles.tab ?? ''}>
                {label}
                <span className={classes(styles.count, id === 'failed' && count > 0 && styles.badCount)}>
                  {formatCount(count)}
                </span>
              </ToggleButton>
            );
          })}
        </ToggleButtonGroup>
        <span className={styles.grow} />
        <Commands totals={totals} batchId={batchId} counts={counts} />
      </div>
    </div>
  );
}

function AddButton() {
  return (
    <ActionMenu
      label="Add uploads"
      placement="bottom end"
      groups={[
        {
          entries: [
            { id: 'files', label: 'Files…', onAction: () => void pick('files') },
            { id: 'folder', label: 'A folder…', onAction: () => void pick('folder') },
          ],
        },
      ]}
    >
      <Button variant="primary" icon={<Upload size={14} aria-hidden />}>
        Add uploads
      </Button>
    </ActionMenu>
  );
}

interface CommandsProps {
  totals: UploadTotals | null;
  batchId: string | null;
  counts: Batch['counts'] | Record<string, never>;
}

/** Commands for the selection where there is one, else for the batch or the whole queue. */
function Commands({ totals, batchId, counts }: CommandsProps) {
  const ids = useUploads((state) => state.selection.ids);
  if (totals === null) return null;
  const run = (name: UploadCommand) => {
    if (ids.size > 0) void command(name, { kind: 'ids', ids: [...ids] });
    else if (batchId !== null) void command(name, { kind: 'batch', batchId });
    else void command(name, name === 'retry' ? { kind: 'failed' } : { kind: 'all' });
  };
  const what = ids.size > 0 ? `${formatCount(ids.size)} selected` : batchId === null ? 'all' : 'batch';
  const pending = ids.size > 0 || pendingOf(counts) > 0;
  const paused = counts.paused ?? 0;
  const failed = counts.failed ?? 0;
  const canResume = ids.size > 0 || totals.paused || paused > 0;
  return (
    <>
      {failed > 0 || ids.size > 0 ? (
        <Button variant="quiet" icon={<RotateCw size={14} aria-hidden />} onPress={() => run('retry')}>
          {ids.size > 0 ? `Retry ${what}` : 'Retry failed'}
        </Button>
      ) : null}
      {pending && !totals.paused ? (
        <Button variant="quiet" icon={<Pause size={14} aria-hidden />} onPress={() => run('pause')}>
          {`Pause ${what}`}
        </Button>
      ) : null}
      {canResume ? (
        <Button variant="quiet" icon={<Play size={14} aria-hidden />} onPress={() => run('resume')}>
          {`Resume ${what}`}
        </Button>
      ) : null}
      {ids.size > 0 ? (
        <Button variant="quiet" icon={<X size={14} aria-hidden />} onPress={cancelSelected}>
          {`Cancel ${what}`}
        </Button>
      ) : null}
    </>
  );
}

/** The receipt of the chosen batch; without a choice, of the latest ones. */
function Receipt({ batches, batch }: { batches: readonly Batch[]; batch: Batch | null }) {
  if (batches.length === 0) return null;
  const save = (batchId: string, format: 'json' | 'csv') =>
    void attempt(async () => {
      const { path } = await call('shell.saveReceipt', { batchId, format });
      if (path !== null) tell(`Receipt saved as ${path}.`);
    });
  const shown = batch === null ? batches.slice(0, 8) : [batch];
  const groups: MenuGroup[] = shown.map((one) => ({
    title: batchLabel(one),
    entries: (['csv', 'json'] as const).map((format) => ({
      id: `${one.id}/${format}`,
      label: `${format.toUpperCase()} – ${batch === null ? batchLabel(one) : 'this batch'}`,
      onAction: () => save(one.id, format),
    })),
  }));
  return (
    <ActionMenu label="Receipt" groups={groups}>
      <Button variant="quiet" icon={<Download size={14} aria-hidden />}>
        Receipt <ChevronDown size={12} aria-hidden />
      </Button>
    </ActionMenu>
  );
}
