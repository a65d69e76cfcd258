import {
  Ban,
  CheckCheck,
  ChevronDown,
  CircleHelp,
  FileCheck,
  ListStart,
  Pause,
  Play,
  RotateCw,
  Table2,
} from 'lucide-react';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { canClear } from '../../../shared/model/uploads/clear-rule.ts';
import { PRIORITIES } from '../../../shared/model/uploads/priorities.ts';
import { hasReplacedFile } from '../../../shared/model/uploads/replaced-file.ts';
import { offersRetry } from '../../../shared/model/uploads/retry-offer.ts';
import { asksAboutDuplicate, commandApplies } from '../../../shared/model/uploads/upload-machine.ts';
import { Button } from '../../kit/components/button.tsx';
import { Glyph } from '../../kit/components/glyph.tsx';
import { ActionMenu, type MenuEntry, type MenuGroup } from '../../kit/components/overlay/menu.tsx';
import { commandItem, type ToolbarItem } from '../../kit/components/toolbar/overflow-toolbar.tsx';
import { SelectionBar } from '../../kit/components/toolbar/selection-bar.tsx';
import { PRIORITY_LOOKS } from './row/row-text.ts';
import { cancelSelected, clearUploads } from './state/cancel-uploads.ts';
import { mayHaveDetails, openDetails } from './state/details-store.ts';
import { canMove } from './state/move-uploads.ts';
import { deselect, useOutline } from './state/outline/outline-store.ts';
import { acceptReplaced, command, resolveDuplicates, sendNext, setPriority } from './state/upload-commands.ts';
import { useUploads } from './state/uploads-store.ts';
import { texts } from './texts.ts';

/** The selected uploads and the commands for them. */
export function UploadSelectionBar() {
  const selected = useOutline((state) => state.selected);
  // Rows change inside the map: this number increases when a row changes.
  useUploads((state) => state.tick);
  if (selected.size === 0) return null;
  return (
    <SelectionBar
      label={texts.selection.label}
      count={texts.selection.count(selected.size)}
      deselectLabel={texts.selection.deselect}
      items={itemsFor([...selected])}
      onDeselect={deselect}
      focusList={focusList}
    />
  );
}

function focusList(): void {
  document.querySelector<HTMLElement>('main [role="treegrid"]')?.focus({ preventScroll: true });
}

/** Returns the commands that apply to at least one of the uploads. */
function itemsFor(ids: readonly string[]): ToolbarItem[] {
  const { rows } = useUploads.getState();
  // An upload that was never loaded can have any state, so every command is offered for it.
  const has = (test: (row: UploadRow) => boolean) =>
    ids.some((id) => {
      const row = rows.get(id);
      return row === undefined || test(row);
    });
  const selection = { kind: 'ids' as const, ids: [...ids] };
  const asking = ids.filter((id) => {
    const row = rows.get(id);
    return row !== undefined && asksAboutDuplicate(row);
  });
  const { selection: words } = texts;
  const items: ToolbarItem[] = [];
  if (asking.length > 0) items.push(duplicatesItem(asking));
  if (has(canMove)) {
    items.push(
      commandItem({
        id: 'next',
        label: words.sendNext,
        icon: <ListStart size={14} aria-hidden />,
        onAction: () => void sendNext(selection),
      }),
      priorityItem(selection.ids),
    );
  }
  const add = (applies: boolean, entry: MenuEntry) => {
    if (applies) items.push(commandItem(entry));
  };
  add(has(mayHaveDetails), {
    id: 'details',
    label: texts.details.action,
    icon: <Table2 size={14} aria-hidden />,
    onAction: () => void openDetails(ids),
  });
  add(asking.length < ids.length && has(offersRetry), {
    id: 'retry',
    label: words.retry,
    icon: <RotateCw size={14} aria-hidden />,
    onAction: () => void command('retry', selection),
  });
  const replaced = ids.filter((id) => {
    const row = rows.get(id);
    return row !== undefined && hasReplacedFile(row);
  });
  add(replaced.length > 0, {
    id: 'accept-replaced',
    label: words.sendReplaced(replaced.length),
    icon: <FileCheck size={14} aria-hidden />,
    onAction: () => void acceptReplaced({ kind: 'ids', ids: replaced }),
  });
  add(
    has((row) => commandApplies('pause', row.state)),
    {
      id: 'pause',
      label: words.pause,
      icon: <Pause size={14} aria-hidden />,
      onAction: () => void command('pause', selection),
    },
  );
  add(
    has((row) => commandApplies('resume', row.state)),
    {
      id: 'resume',
      label: words.resume,
      icon: <Play size={14} aria-hidden />,
      onAction: () => void command('resume', selection),
    },
  );
  add(has(canClear), {
    id: 'remove',
    label: words.remove,
    icon: <CheckCheck size={14} aria-hidden />,
    onAction: () => void clearUploads(selection, 'ended'),
  });
  add(
    has((row) => commandApplies('cancel', row.state)),
    {
      id: 'cancel',
      label: words.cancel(ids.length),
      icon: <Ban size={14} aria-hidden />,
      isDanger: true,
      onAction: cancelSelected,
    },
  );
  return items;
}

function duplicatesItem(asking: readonly string[]): ToolbarItem {
  const { selection: words } = texts;
  const decide = (choice: 'skip' | 'upload') => void resolveDuplicates({ kind: 'ids', ids: [...asking] }, choice);
  const menu: MenuGroup[] = [
    {
      title: words.duplicatesTitle(asking.length),
      entries: [
        { id: 'skip', label: words.skip, onAction: () => decide('skip') },
        { id: 'upload', label: words.uploadAnyway, onAction: () => decide('upload') },
      ],
    },
  ];
  return {
    id: 'duplicates',
    element: (
      <ActionMenu label={words.duplicates(asking.length)} placement="top start" groups={menu}>
        <Button variant="quiet" icon={<CircleHelp size={14} aria-hidden />}>
          {words.duplicates(asking.length)} <ChevronDown size={12} aria-hidden />
        </Button>
      </ActionMenu>
    ),
    menu,
  };
}

function priorityItem(ids: string[]): ToolbarItem {
  const { selection: words } = texts;
  const menu: MenuGroup[] = [
    {
      title: words.priority,
      entries: PRIORITIES.map((priority) => {
        const { word, glyph } = PRIORITY_LOOKS[priority];
        return {
          id: priority,
          label: word,
          icon: glyph === null ? <span style={{ width: 14 }} /> : <Glyph name={glyph} size={14} />,
          onAction: () => void setPriority({ kind: 'ids', ids }, priority),
        };
      }),
    },
  ];
  return {
    id: 'priority',
    element: (
      <ActionMenu label={words.priority} placement="top start" groups={menu}>
        <Button variant="quiet">
          {words.priority} <ChevronDown size={12} aria-hidden />
        </Button>
      </ActionMenu>
    ),
    menu,
  };
}
