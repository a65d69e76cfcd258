import { ColumnMenu } from '../../common/menus.tsx';
import { COLUMN_IDS, isShown, resetColumns, toggleColumn, useMediaColumns } from '../state/media-columns.ts';
import { texts } from './texts.ts';

/** Chooses the columns of the list. The title is always shown. */
export function ColumnChooser() {
  const state = useMediaColumns();
  return (
    <ColumnMenu
      label={texts.columns.choose}
      columns={COLUMN_IDS.map((id) => ({
        id,
        label: texts.columns[id],
        isChecked: isShown(state, id),
        isDisabled: id === 'title',
        onAction: () => toggleColumn(id),
      }))}
      others={[{ id: 'reset', label: texts.columns.reset, onAction: resetColumns }]}
    />
  );
}
