import { Redo2, RotateCw, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { EditCounts } from '../../../shared/contract/edits.ts';
import { ConfirmDialog } from '../../kit/components/overlay/dialog.tsx';
import { commandItem, OverflowToolbar, type ToolbarItem } from '../../kit/components/toolbar/overflow-toolbar.tsx';
import { attempt } from '../common/state/messages-store.ts';
import styles from './edits.module.css';
import { attentionTotal, dropEdits, retryEdits, shownRows, useEdits } from './state/edits-store.ts';
import { redoGroup, undoGroup } from './state/follow-group.ts';
import { kindOf } from './state/group-outcome.ts';
import { texts } from './texts.ts';

type OpenCounts = Pick<EditCounts, 'pending' | 'held' | 'conflict' | 'refused'>;

/** Returns the number of open edits that a filter shows. */
function droppableOf(filter: 'open' | 'attention' | keyof OpenCounts, counts: OpenCounts): number {
  if (filter === 'open') return attentionTotal(counts) + counts.pending;
  return filter === 'attention' ? attentionTotal(counts) : counts[filter];
}

/** The commands for all edits of the open list. */
export function RowCommands() {
  const tab = useEdits((state) => state.tab);
  const group = useEdits((state) => state.group);
  const totals = useEdits((state) => state.totals);
  const [asksToDrop, setAsksToDrop] = useState(false);
  // The history of a single item or collection also has no commands here, because its rows have their own.
  if ((tab === 'history' || tab === 'done') && group === null) return null;
  const counts: OpenCounts = group?.counts ?? totals;
  const dropFilter = group !== null ? 'open' : tab === 'history' || tab === 'done' ? 'attention' : tab;
  const droppable = droppableOf(dropFilter, counts);
  const items: ToolbarItem[] = [];
  if (group?.canUndo) {
    items.push(
      commandItem({
        id: 'undo',
        label: texts.undo,
        icon: <Undo2 size={14} aria-hidden />,
        onAction: () => void attempt(() => undoGroup(group.id, { kind: kindOf(group) })),
      }),
    );
  }
  if (group?.canRedo) {
    items.push(
      commandItem({
        id: 'redo',
        label: texts.redo,
        icon: <Redo2 size={14} aria-hidden />,
        onAction: () => void attempt(() => redoGroup(group.id, { kind: kindOf(group) })),
      }),
    );
  }
  if (counts.refused > 0 && (dropFilter === 'open' || dropFilter === 'attention' || dropFilter === 'refused')) {
    items.push(
      commandItem({
        id: 'retry',
        label: texts.commands.retryAll,
        icon: <RotateCw size={14} aria-hidden />,
        onAction: () => void retryEdits(shownRows('refused')),
      }),
    );
  }
  if (dropFilter === 'pending' && counts.pending > 0) {
    items.push(
      commandItem({
        id: 'send',
        label: texts.commands.sendNow,
        icon: <RotateCw size={14} aria-hidden />,
        onAction: () => void retryEdits(shownRows('pending')),
      }),
    );
  }
  if (droppable > 0) {
    items.push(
      commandItem({
        id: 'drop',
        label: texts.commands.dropAll,
        icon: <Trash2 size={14} aria-hidden />,
        onAction: () => setAsksToDrop(true),
      }),
    );
  }
  if (items.length === 0) return null;
  return (
    <div className={styles.listCommands}>
      <OverflowToolbar label={texts.commands.label} items={items} align="end" />
      <ConfirmDialog
        title={texts.drop.title(droppable)}
        text={texts.drop.text}
        confirm={texts.drop.confirm}
        isOpen={asksToDrop}
        onConfirm={() => void dropEdits(shownRows(dropFilter))}
        onClose={() => setAsksToDrop(false)}
      />
    </div>
  );
}
