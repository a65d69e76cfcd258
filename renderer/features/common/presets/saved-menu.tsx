import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../kit/components/button.tsx';
import { ConfirmDialog } from '../../../kit/components/overlay/dialog.tsx';
import { ActionMenu, type MenuEntry } from '../../../kit/components/overlay/menu.tsx';
import { NameDialog } from '../name-dialog.tsx';
import { announce } from '../state/messages-store.ts';
import styles from './presets.module.css';
import { texts } from './texts.ts';
import type { SavedList } from './use-saved.ts';

interface Saved {
  id: string;
  name: string;
}

interface SavedMenuProps<T extends Saved, Values> {
  words: typeof texts.presets;
  saved: SavedList<T, Values>;
  /** The values to save; null: they can't be saved now. */
  values: Values | null;
  isDisabled?: boolean;
  /** Beside the button. */
  hint: string;
  onApply: (saved: T) => void;
}

type OpenDialog<T> = { kind: 'save' } | { kind: 'rename' | 'remove'; saved: T };

/** A menu of values that are saved under names. It chooses, saves, renames and deletes them. */
export function SavedMenu<T extends Saved, Values>(props: SavedMenuProps<T, Values>) {
  const { words, saved, values, isDisabled = false, hint, onApply } = props;
  const list = saved.list ?? [];
  const [appliedId, setApplied] = useState<string | null>(null);
  const [dialog, setDialog] = useState<OpenDialog<T> | null>(null);
  const applied = list.find(({ id }) => id === appliedId) ?? null;
  const close = () => setDialog(null);
  const choices: MenuEntry[] = list.map((each) => ({
    id: each.id,
    label: each.name,
    isChecked: each.id === appliedId,
    onAction: () => {
      setApplied(each.id);
      onApply(each);
      void saved.use(each.id);
      announce(words.applied(each.name));
    },
  }));
  const forApplied = (each: T): MenuEntry[] => [
    { id: 'rename', label: texts.rename(each.name), onAction: () => setDialog({ kind: 'rename', saved: each }) },
    {
      id: 'remove',
      label: texts.remove(each.name),
      isDanger: true,
      onAction: () => setDialog({ kind: 'remove', saved: each }),
    },
  ];
  const commands: MenuEntry[] = [
    { id: 'save', label: words.save, isDisabled: values === null, onAction: () => setDialog({ kind: 'save' }) },
    ...(applied === null ? [] : forApplied(applied)),
  ];
  return (
    <div className={styles.presets}>
      <ActionMenu
        label={words.label}
        groups={[...(choices.length === 0 ? [] : [{ title: words.choose, entries: choices }]), { entries: commands }]}
      >
        <Button isDisabled={isDisabled} icon={<ChevronDown size={14} aria-hidden />}>
          {applied === null ? words.label : words.current(applied.name)}
        </Button>
      </ActionMenu>
      <span className={styles.hint}>{hint}</span>
      {dialog?.kind === 'save' && values !== null ? (
        <NameDialog
          title={words.saveTitle}
          name={applied?.name ?? ''}
          hint={words.saveHint}
          action={texts.saveAction}
          onClose={close}
          onSave={(name) => saved.save(name, values)}
        />
      ) : null}
      {dialog?.kind === 'rename' ? (
        <NameDialog
          title={words.renameTitle}
          name={dialog.saved.name}
          action={texts.renameAction}
          onClose={close}
          onSave={(name) => saved.rename(dialog.saved.id, name)}
        />
      ) : null}
      {dialog?.kind === 'remove' ? (
        <ConfirmDialog
          title={texts.removeTitle(dialog.saved.name)}
          text={words.removeText}
          confirm={texts.removeAction}
          isOpen
          onClose={close}
          onConfirm={() => void saved.remove(dialog.saved.id)}
        />
      ) : null}
    </div>
  );
}
