import { ChevronDown } from 'lucide-react';
import { Button } from '../../../../kit/components/button.tsx';
import { Checkbox } from '../../../../kit/components/forms/choice.tsx';
import { ActionMenu, type MenuEntry } from '../../../../kit/components/overlay/menu.tsx';
import { BULK_CHOICES, bulkChoices, openFiles, type PairChoices, type UnclearFile } from '../../state/add-pairs.ts';
import { choosePairs } from '../../state/add-store.ts';
import styles from './pairing.module.css';
import { texts } from './texts.ts';

interface BulkBarProps {
  unclear: readonly UnclearFile[];
  choices: PairChoices;
  selected: ReadonlySet<string>;
  onSelect: (isAll: boolean) => void;
}

/** Applies one choice to many files: to the selected files or, without a selection, to all files without a choice. */
export function BulkBar({ unclear, choices, selected, onSelect }: BulkBarProps) {
  const chosen = unclear.filter(({ path }) => selected.has(path));
  const targets = chosen.length > 0 ? chosen : openFiles(unclear, choices);
  const label =
    targets.length === 0
      ? texts.setNone
      : chosen.length > 0
        ? texts.setSelected(targets.length)
        : texts.setOpen(targets.length);
  const labels = { offered: texts.offered, own: texts.own, 'left-out': texts.leftOut };
  const entries = BULK_CHOICES.map((choice): MenuEntry => {
    const changes = bulkChoices(targets, choice);
    const detail = changes.size === targets.length ? {} : { detail: texts.offeredFor(changes.size) };
    return {
      ...{ id: choice, label: labels[choice], isDisabled: changes.size === 0, ...detail },
      onAction() {
        choosePairs(changes);
        onSelect(false);
      },
    };
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place for its parts side by side
    <div role="group" className={styles.bulk} aria-label={texts.bulk}>
      <Checkbox isSelected={chosen.length === unclear.length} onChange={onSelect}>
        {texts.selectAll(unclear.length)}
      </Checkbox>
      <ActionMenu label={label} groups={[{ entries }]}>
        <Button isDisabled={targets.length === 0}>
          {label} <ChevronDown size={14} aria-hidden />
        </Button>
      </ActionMenu>
    </div>
  );
}
