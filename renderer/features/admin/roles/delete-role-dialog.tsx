import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { DeletionDialog } from '../deletion-dialog.tsx';
import { deleteRole } from '../state/roles-store.ts';
import { useDeletion } from '../state/use-deletion.ts';
import { RoleEffectsText } from './role-effects-text.tsx';
import { texts } from './texts.ts';
import { useRoleEffects } from './use-role-effects.ts';

const words = texts.deletion;
/** A deleted role gives no permissions. */
const NO_PERMISSIONS: readonly string[] = [];

/** Asks before a role is deleted: names who loses what. Deletes exactly that, once the user sees it. */
export function DeleteRoleDialog({ role, onClose }: { role: RoleRow; onClose: () => void }) {
  const answer = useRoleEffects(role.id, NO_PERMISSIONS);
  const deletion = useDeletion({
    key: role.id,
    read: (siteId) => call('admin.deletionOfRole', { siteId, roleId: role.id }),
    remove: deleteRole,
    onDone: onClose,
  });
  const now = deletion.preview ?? role;
  return (
    <DeletionDialog
      title={words.title(now.name)}
      keep={words.keep}
      action={words.action}
      checking={texts.checking}
      deletion={deletion}
      isWaiting={answer.effects === null}
      onClose={onClose}
    >
      <p>{now.memberships === 0 ? words.unused : words.used(now.memberships)}</p>
      <div role="status">
        <RoleEffectsText answer={answer} />
      </div>
      <p>{words.final}</p>
    </DeletionDialog>
  );
}
