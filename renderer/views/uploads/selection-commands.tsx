import { Ban, ChevronDown, CircleHelp, ListStart, Pause, Play, RotateCw, X } from 'lucide-react';
import { PRIORITIES } from '../../../shared/model/priorities.ts';
import { offersRetry } from '../../../shared/model/retry-offer.ts';
import { asksAboutDuplicate, commandApplies } from '../../../shared/model/upload-machine.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { ActionMenu } from '../../components/overlay/menu.tsx';
import { NO_SELECTION } from '../../lists/selection.ts';
import { cancelSelected } from '../../stores/uploads/cancel-uploads.ts';
import { canMove } from '../../stores/uploads/move-uploads.ts';
import { command, resolveDuplicates, sendNext, setPriority } from '../../stores/uploads/upload-commands.ts';
import { uploadsList, useUploads } from '../../stores/uploads/uploads-store.ts';
import { counted, formatCount } from '../../text/format.ts';
import { PRIORITY_LOOKS } from './row/priority-text.ts';
import styles from './uploads-view.module.css';

/** The commands for the selected uploads, without those that apply to none of them. */
export function SelectionCommands() {
  const ids = uploadsList.useList((state) => state.selection.ids);
  const rows = useUploads((state) => state.rows);
  // Rows change inside the map: this number increases when one does.
  useUploads((state) => state.tick);
  // A row that was never loaded can have any state, so every command is offered for it.
  const has = (test: (row: NonNullable<ReturnType<typeof rows.get>>) => boolean) =>
    [...ids].some((id) => {
      const row = rows.get(id);
      return row === undefined || test(row);
    });
  const selection = { kind: 'ids' as const, ids: [...ids] };
  const isAnyAsking = useUploads((state) => (state.totals?.duplicates ?? 0) > 0);
  const asking = (isAnyAsking ? [...ids] : []).filter((id) => {
    const row = rows.get(id);
    return row !== undefined && asksAboutDuplicate(row);
  });
  const decide = (choice: 'skip' | 'upload') => void resolveDuplicates({ kind: 'ids', ids: asking }, choice);
  const isMovable = has(canMove);
  return (
    <div className={styles.selection}>
      <span className={styles.remark} role="status">
        {formatCount(ids.size)} selected
      </span>
      <Button variant="quiet" icon={<X size={14} aria-hidden />} onPress={() => uploadsList.select(NO_SELECTION)}>
        Deselect
      </Button>
      <span className={styles.divider} aria-hidden />
      {asking.length > 0 ? (
        <ActionMenu
          label="Duplicates"
          placement="bottom end"
          groups={[
            {
              title: `${counted(asking.length, 'file is', 'files are')} in the library already`,
              entries: [
                { id: 'skip', label: asking.length === 1 ? 'Skip it' : 'Skip them', onAction: () => decide('skip') },
                { id: 'upload', label: 'Upload anyway', onAction: () => decide('upload') },
              ],
            },
          ]}
        >
          <Button variant="quiet" icon={<CircleHelp size={14} aria-hidden />}>
            {asking.length === 1 ? 'Duplicate' : 'Duplicates'} <ChevronDown size={12} aria-hidden />
          </Button>
        </ActionMenu>
      ) : null}
      {isMovable ? (
        <>
          <Button variant="quiet" icon={<ListStart size={14} aria-hidden />} onPress={() => void sendNext(selection)}>
            Send next
          </Button>
          <ActionMenu
            label="Priority"
            placement="bottom end"
            groups={[
              {
                entries: PRIORITIES.map((priority) => {
                  const { word, glyph } = PRIORITY_LOOKS[priority];
                  return {
                    id: priority,
                    label: word,
                    icon: glyph === null ? <span style={{ width: 14 }} /> : <Glyph name={glyph} size={14} />,
                    onAction: () => void setPriority(selection, priority),
                  };
                }),
              },
            ]}
          >
            <Button variant="quiet">
              Priority <ChevronDown size={12} aria-hidden />
            </Button>
          </ActionMenu>
        </>
      ) : null}
      {asking.length < ids.size && has(offersRetry) ? (
        <IconButton label="Retry what is selected" onPress={() => void command('retry', selection)}>
          <RotateCw size={15} />
        </IconButton>
      ) : null}
      {has((row) => commandApplies('pause', row.state)) ? (
        <IconButton label="Pause what is selected" onPress={() => void command('pause', selection)}>
          <Pause size={15} />
        </IconButton>
      ) : null}
      {has((row) => commandApplies('resume', row.state)) ? (
        <IconButton label="Resume what is selected" onPress={() => void command('resume', selection)}>
          <Play size={15} />
        </IconButton>
      ) : null}
      {has((row) => commandApplies('cancel', row.state)) ? (
        <Button variant="quiet" icon={<Ban size={14} aria-hidden />} onPress={cancelSelected}>
          {ids.size === 1 ? 'Cancel upload…' : 'Cancel uploads…'}
        </Button>
      ) : null}
    </div>
  );
}
