import { Columns3 } from 'lucide-react';
import { IconButton } from '../../kit/components/button.tsx';
import { ActionMenu, type MenuEntry } from '../../kit/components/overlay/menu.tsx';

interface ColumnMenuProps {
  /** The name of the button and of the menu. */
  label: string;
  columns: readonly MenuEntry[];
  /** Entries below the columns. */
  others?: readonly MenuEntry[];
}

/** Chooses the columns of a list or a table. The menu stays open, so that the user can choose several. */
export function ColumnMenu({ label, columns, others = [] }: ColumnMenuProps) {
  const chosen = { title: label, isMultiple: true, entries: columns };
  return (
    <ActionMenu
      label={label}
      placement="bottom end"
      groups={others.length === 0 ? [chosen] : [chosen, { entries: others }]}
    >
      <IconButton label={label}>
        <Columns3 size={16} strokeWidth={1.75} />
      </IconButton>
    </ActionMenu>
  );
}
