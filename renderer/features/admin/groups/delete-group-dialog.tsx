import type { GroupRow } from '../../../../shared/contract/admin/people.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { DeletionDialog } from '../deletion-dialog.tsx';
import { deleteGroup } from '../state/group-list.ts';
import { useDeletion } from '../state/use-deletion.ts';
import { texts } from './texts.ts';

const words = texts.deletion;

/** Asks before a group is deleted: says who loses the membership, and how many roles go. Deletes exactly that. */
export function DeleteGroupDialog({ group, onClose }: { group: GroupRow; onClose: () => void }) {
  const deletion = useDeletion({
    key: group.id,
    read: async (siteId) => (await call('admin.deletionOfGroups', { siteId, groupIds: [group.id] }))[0] ?? null,
    remove: async (siteId, found) => void (found === null || (await deleteGroup(siteId, found))),
    onDone: onClose,
  });
  const { preview } = deletion;
  return (
    <DeletionDialog
      title={words.title(preview?.name ?? group.name)}
      keep={words.keep}
      action={words.action}
      checking={words.checking}
      deletion={deletion}
      onClose={onClose}
    >
      <p>{words.people(preview?.people ?? 0)}</p>
      <p>{words.roles(preview?.memberships ?? 0)}</p>
      <p>{words.final}</p>
    </DeletionDialog>
  );
}
