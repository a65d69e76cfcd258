import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { InlineField } from '../../../kit/components/list/inline-field.tsx';
import { showError, warn } from '../../common/state/messages-store.ts';
import { renameCollection } from '../state/collections/collection-commands.ts';
import { nameProblem } from '../state/collections/collection-draft.ts';
import { startCollectionRename } from '../state/collections/collections-store.ts';
import { texts } from './texts.ts';

/** Edits the name of a collection in its line. */
export function RenameField({ row }: { row: CollectionRow }) {
  const commit = async (name: string): Promise<boolean> => {
    const problem = nameProblem(name);
    if (problem !== null) {
      warn(problem, null);
      return false;
    }
    if (name.trim() === row.displayName) return true;
    try {
      await renameCollection(row.id, name.trim());
      return true;
    } catch (thrown) {
      showError(thrown);
      return false;
    }
  };
  return (
    <InlineField
      label={texts.rename.label(row.displayName)}
      value={row.displayName}
      maxLength={1000}
      onCommit={commit}
      onEnd={() => startCollectionRename(null)}
    />
  );
}
