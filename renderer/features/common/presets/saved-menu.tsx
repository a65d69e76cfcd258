import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { PresetValues, SavedRecipe, UploadPreset } from '../../../../shared/contract/presets.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { ConfirmDialog } from '../../../kit/components/overlay/dialog.tsx';
import { ActionMenu, type MenuEntry } from '../../../kit/components/overlay/menu.tsx';
import { NameDialog } from '../name-dialog.tsx';
import { announce } from '../state/messages-store.ts';
import { texts } from '../texts.ts';
import styles from './presets.module.css';
import { createSavedLists, type SavedList, useSaved } from './use-saved.ts';

interface Saved {
  id: string;
  name: string;
}

interface SavedMenuProps<T extends Saved, Values> {
  words: typeof texts.presets.presets;
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
function SavedMenu<T extends Saved, Values>(props: SavedMenuProps<T, Values>) {
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
    {
      id: 'rename',
      label: texts.presets.rename(each.name),
      onAction: () => setDialog({ kind: 'rename', saved: each }),
    },
    {
      id: 'remove',
      label: texts.presets.remove(each.name),
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
          action={texts.presets.saveAction}
          onClose={close}
          onSave={(name) => saved.save(name, values)}
        />
      ) : null}
      {dialog?.kind === 'rename' ? (
        <NameDialog
          title={words.renameTitle}
          name={dialog.saved.name}
          action={texts.presets.renameAction}
          onClose={close}
          onSave={(name) => saved.rename(dialog.saved.id, name)}
        />
      ) : null}
      {dialog?.kind === 'remove' ? (
        <ConfirmDialog
          title={texts.presets.removeTitle(dialog.saved.name)}
          text={words.removeText}
          confirm={texts.presets.removeAction}
          isOpen
          onClose={close}
          onConfirm={() => void saved.remove(dialog.saved.id)}
        />
      ) : null}
    </div>
  );
}

interface PresetMenuProps {
  siteId: string | null;
  /** Presets belong to a collection of the library; null: none is chosen. */
  collectionId: string | null;
  /** The current options, from which a preset can be saved; null: they can't be saved now. */
  values: PresetValues | null;
  onApply: (values: PresetValues) => void;
}

const presetLists = createSavedLists<UploadPreset>();

/** Saved options of a collection. */
export function PresetMenu({ siteId, collectionId, values, onApply }: PresetMenuProps) {
  const place = siteId === null || collectionId === null ? null : { siteId, collectionId };
  const saved = useSaved(
    presetLists,
    JSON.stringify(place),
    place === null
      ? null
      : {
          list: () => call('presets.list', place),
          save: (name, given: PresetValues) => call('presets.save', { ...place, name, values: given }),
          rename: (id, name) => call('presets.rename', { ...place, id, name }),
          remove: (id) => call('presets.remove', { ...place, id }),
          use: (id) => call('presets.use', { ...place, id }),
        },
  );
  const { presets: words } = texts.presets;
  return (
    <SavedMenu
      words={words}
      saved={saved}
      values={values}
      isDisabled={place === null}
      hint={
        place === null
          ? texts.presets.needsCollection
          : saved.list === null
            ? ''
            : texts.presets.count(saved.list.length)
      }
      onApply={(preset) => onApply(preset.values)}
    />
  );
}

interface RecipeMenuProps {
  /** The current pattern and templates; null: they can't be saved now. */
  recipe: SavedRecipe['recipe'] | null;
  onApply: (recipe: SavedRecipe['recipe']) => void;
}

const recipeLists = createSavedLists<SavedRecipe>();

/** Saved patterns with their templates, for all libraries. */
export function RecipeMenu({ recipe, onApply }: RecipeMenuProps) {
  const saved = useSaved(recipeLists, 'recipes', {
    list: () => call('recipes.list', null),
    save: (name, given: SavedRecipe['recipe']) => call('recipes.save', { name, recipe: given }),
    rename: (id, name) => call('recipes.rename', { id, name }),
    remove: (id) => call('recipes.remove', { id }),
    use: (id) => call('recipes.use', { id }),
  });
  return (
    <SavedMenu
      words={texts.presets.recipes}
      saved={saved}
      values={recipe}
      hint={saved.list === null ? '' : texts.presets.savedCount(saved.list.length)}
      onApply={(each) => onApply(each.recipe)}
    />
  );
}
