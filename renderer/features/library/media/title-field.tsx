import { useEffect } from 'react';
import { type InlineEnd, InlineField } from '../../../kit/components/list/inline-field.tsx';
import { endRename, noteRenameText, renameBeside, storeTitle, useRename } from '../state/rename-store.ts';
import { texts } from '../texts.ts';

/** Whether the title of an item is edited in its row. */
export function useIsRenamed(mediaId: string): boolean {
  return useRename(({ renamed }) => renamed?.mediaId === mediaId);
}

/** The number of fields in the document: 0 or 1, and 2 for a moment while a row moves to another element. */
let fields = 0;

/** Edits the title of an item in its row or tile. A row that is scrolled out of view stores it, like a click elsewhere. */
export function TitleField() {
  const renamed = useRename((state) => state.renamed);
  useEffect(() => {
    fields += 1;
    return () => {
      fields -= 1;
      requestAnimationFrame(() => {
        if (fields === 0 && useRename.getState().renamed !== null) void storeTitle().then(endRename);
      });
    };
  }, []);
  if (renamed === null) return null;
  const onEnd = (by: InlineEnd) => {
    if (by === 'next') void renameBeside(1);
    else if (by === 'previous') void renameBeside(-1);
    else endRename();
  };
  return (
    <InlineField
      label={texts.row.newTitle(renamed.base)}
      value={renamed.text}
      takesTab
      isOver={renamed.isRefused === true}
      onChange={noteRenameText}
      onCommit={storeTitle}
      onEnd={onEnd}
    />
  );
}
