import {
  Ban,
  CheckCheck,
  ChevronsDownUp,
  CircleHelp,
  LibraryBig,
  ListChecks,
  ListStart,
  Pause,
  Play,
  ReceiptText,
  RotateCw,
  Upload,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { ListedBatch } from '../../../../shared/contract/uploads.ts';
import { pendingOf, sumOf, uploadOutcomes } from '../../../../shared/model/uploads/upload-counts.ts';
import type { MenuEntry, MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import { openCollection } from '../../common/commands/commands.ts';
import { showAccount, showView } from '../../common/state/app-store.ts';
import { openReceipt } from '../../receipts/state/receipts-store.ts';
import { cancelUploads, clearUploads } from '../state/cancel-uploads.ts';
import { currentOutline, expandOnly, selectAllUploads } from '../state/outline/outline-store.ts';
import { command, openChooseCollection, resolveDuplicates, sendNext } from '../state/upload-commands.ts';
import { texts } from '../texts.ts';

/** Returns every command of a batch that applies in its current state. */
export function batchMenu(batch: ListedBatch): MenuGroup[] {
  const groups = [stateEntries(batch), decisionEntries(batch), listEntries(batch), endEntries(batch)];
  return groups.filter((entries) => entries.length > 0).map((entries) => ({ entries }));
}

export function showReceipt(batchId: string): void {
  openReceipt(batchId);
  showView('receipts');
}

const { menu } = texts.batch;

function stateEntries({ id: batchId, listed }: ListedBatch): MenuEntry[] {
  const selection = { kind: 'batch', batchId } as const;
  const { failed, pending } = uploadOutcomes(listed);
  const paused = listed.counts.paused ?? 0;
  const notBegun = sumOf(listed.counts, ['queued', 'waiting', 'paused']);
  return [
    ...when(pending > paused, 'pause', menu.pause, <Pause size={14} aria-hidden />, () => command('pause', selection)),
    ...when(paused > 0, 'resume', menu.resume, <Play size={14} aria-hidden />, () => command('resume', selection)),
    ...when(failed > 0, 'retry', menu.retry, <RotateCw size={14} aria-hidden />, () =>
      command('retry', { kind: 'failed', batchId }),
    ),
    ...when(notBegun > 0, 'next', menu.next, <ListStart size={14} aria-hidden />, () => sendNext(selection)),
  ];
}

function decisionEntries({
  id: batchId,
  siteId,
  collectionId,
  collectionName: name,
  listed,
}: ListedBatch): MenuEntry[] {
  const needsCollection = collectionId === '' && uploadOutcomes(listed).failed > 0;
  const asks = uploadOutcomes(listed).needsDecision > 0;
  const selection = { kind: 'failed', batchId } as const;
  return [
    ...when(needsCollection, 'choose-collection', menu.chooseCollection, <LibraryBig size={14} aria-hidden />, () =>
      openChooseCollection({ id: batchId, siteId, name }),
    ),
    ...when(asks, 'skip-all', menu.skipAll, <CircleHelp size={14} aria-hidden />, () =>
      resolveDuplicates(selection, 'skip'),
    ),
    ...when(asks, 'upload-all', menu.uploadAll, <Upload size={14} aria-hidden />, () =>
      resolveDuplicates(selection, 'upload'),
    ),
  ];
}

function listEntries({ id: batchId, siteId, collectionId, collectionName }: ListedBatch): MenuEntry[] {
  const rows = currentOutline().section(batchId)?.rows ?? 0;
  return [
    ...when(rows > 0, 'select-all', menu.selectAll, <ListChecks size={14} aria-hidden />, () =>
      selectAllUploads(batchId),
    ),
    ...when(currentOutline().sections.length > 1, 'only', menu.only, <ChevronsDownUp size={14} aria-hidden />, () =>
      expandOnly(batchId),
    ),
    ...when(true, 'receipt', menu.receipt, <ReceiptText size={14} aria-hidden />, () => showReceipt(batchId)),
    ...when(
      collectionId !== '',
      'collection',
      menu.collection(collectionName),
      <LibraryBig size={14} aria-hidden />,
      () => {
        if (showAccount(siteId)) openCollection(collectionId);
      },
    ),
  ];
}

function endEntries({ id: batchId, listed }: ListedBatch): MenuEntry[] {
  const selection = { kind: 'batch', batchId } as const;
  const isOver = pendingOf(listed.counts) === 0;
  const completed = sumOf(listed.counts, ['complete', 'skipped', 'cancelled']);
  return [
    ...when(completed > 0, 'clear', menu.clear, <CheckCheck size={14} aria-hidden />, () =>
      clearUploads(selection, 'completed'),
    ),
    ...when(isOver, 'remove', menu.remove, <X size={14} aria-hidden />, () => clearUploads(selection, 'ended')),
    ...when(!isOver, 'cancel', menu.cancel, <Ban size={14} aria-hidden />, () => cancelUploads(selection)).map(
      (entry) => ({ ...entry, isDanger: true }),
    ),
  ];
}

function when(applies: boolean, id: string, label: string, icon: ReactNode, run: () => unknown): MenuEntry[] {
  return applies ? [{ id, label, icon, onAction: () => void run() }] : [];
}
