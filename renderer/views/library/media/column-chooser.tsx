import { Columns3 } from 'lucide-react';
import { IconButton } from '../../../components/button.tsx';
import { ActionMenu } from '../../../components/overlay/menu.tsx';
import {
  COLUMN_IDS,
  isShown,
  resetColumns,
  toggleColumn,
  useMediaColumns,
} from '../../../stores/library/media-columns.ts';
import { texts } from './texts.ts';

/** Chooses the columns of the list. Title is always shown. */
export function ColumnChooser() {
  const state = useMediaColumns();
  return (
    <ActionMenu
      label={texts.columns.choose}
      placement="bottom end"
      groups={[
        {
          title: texts.columns.choose,
          isMultiple: true,
          entries: COLUMN_IDS.map((id) => ({
            id,
            label: texts.columns[id],
            isChecked: isShown(state, id),
            isDisabled: id === 'title',
            onAction: () => toggleColumn(id),
          })),
        },
        { entries: [{ id: 'reset', label: texts.columns.reset, onAction: resetColumns }] },
      ]}
    >
      <IconButton label={texts.columns.choose}>
        <Columns3 size={16} strokeWidth={1.75} />
      </IconButton>
    </ActionMenu>
  );
}
