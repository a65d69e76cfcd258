import { ChevronRight, PencilLine, Redo2, Undo2 } from 'lucide-react';
import type { EditGroup } from '../../../shared/contract/edits.ts';
import { Cell } from '../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../kit/components/list/windowed-grid.tsx';
import { RowButton } from '../../kit/components/overlay/menu.tsx';
import { EmptyState } from '../../kit/components/status/empty-state.tsx';
import { StateChip } from '../../kit/components/status/state-chip.tsx';
import { formatDateTime, formatListDate } from '../../kit/text/format.ts';
import { attempt } from '../common/state/messages-store.ts';
import { groupLook, groupName, useOtherAccount } from './edit-looks.ts';
import styles from './edits.module.css';
import { editGroups, showGroup } from './state/edits-store.ts';
import { redoGroup, undoGroup } from './state/follow-group.ts';
import { kindOf } from './state/group-outcome.ts';
import { texts } from './texts.ts';

const ROW_HEIGHT = 44;
const PLACEHOLDERS = 8;

/** Lists the actions of the user, the newest first. Each can be undone and opens its items. */
export function GroupList() {
  return (
    <WindowedGrid
      list={editGroups}
      label={texts.groups.label}
      placeholderRows={PLACEHOLDERS}
      rowHeight={ROW_HEIGHT}
      rowClass={styles.groupRow}
      columnCount={4}
      isSingle
      onActivate={(index) => open(editGroups.rowAt(index))}
      renderRow={(index) => <GroupCells group={editGroups.rowAt(index)} />}
      errorTitle={texts.notLoaded}
      empty={<EmptyState icon={PencilLine} title={texts.empty.history.title} text={texts.empty.history.text} />}
    />
  );
}

function open(group: EditGroup | undefined): void {
  if (group !== undefined) showGroup(group);
}

function GroupCells({ group }: { group: EditGroup | undefined }) {
  const account = useOtherAccount(group?.siteId ?? null);
  if (group === undefined) return <Cell />;
  const { label, of, fields } = groupName(group);
  const about = [fields, account ?? ''].filter((part) => part !== '').join(' · ');
  const time = new Date(group.createdAt).toISOString();
  const waits = group.counts.pending > 0 ? group.waitsFor : null;
  return (
    <>
      <Cell className={styles.name} title={`${label} ${of} ${about}`.trim()}>
        <span className={styles.label}>{label}</span> {of}
        {about === '' ? null : <span className={styles.about}>{about}</span>}
      </Cell>
      <Cell className={styles.state} {...(waits === null ? {} : { title: `${waits.message} ${waits.nextStep ?? ''}` })}>
        <StateChip look={groupLook(group)} state={group.counts.pending > 0 ? 'pending' : 'ended'} />
        {waits === null ? null : <span className={styles.reason}>{waits.message}</span>}
      </Cell>
      <Cell className={styles.time} title={formatDateTime(time)}>
        {formatListDate(time, Date.now())}
      </Cell>
      <Cell className={styles.commands}>
        {group.canUndo ? (
          <RowButton
            label={texts.undo}
            onClick={() => void attempt(() => undoGroup(group.id, { kind: kindOf(group) }))}
          >
            <Undo2 size={15} aria-hidden />
          </RowButton>
        ) : null}
        {group.canRedo ? (
          <RowButton
            label={texts.redo}
            onClick={() => void attempt(() => redoGroup(group.id, { kind: kindOf(group) }))}
          >
            <Redo2 size={15} aria-hidden />
          </RowButton>
        ) : null}
        <RowButton label={texts.show} onClick={() => showGroup(group)}>
          <ChevronRight size={15} aria-hidden />
        </RowButton>
      </Cell>
    </>
  );
}
