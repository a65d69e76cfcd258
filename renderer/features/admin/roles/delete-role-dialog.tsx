import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { deleteRole } from '../state/roles-store.ts';
import { RoleEffectsText } from './role-effects-text.tsx';
import { texts } from './texts.ts';
import { useRoleEffects } from './use-role-effects.ts';

const words = texts.deletion;
/** A deleted role gives no permissions. */
const NO_PERMISSIONS: readonly string[] = [];

/** Asks before a role is deleted: names who loses what. The role can be deleted once the user sees that. */
export function DeleteRoleDialog({ role, onClose }: { role: RoleRow; onClose: () => void }) {
  const answer = useRoleEffects(role.id, NO_PERMISSIONS);
  const remove = () => {
    onClose();
    void deleteRole(role);
  };
  return (
    <Dialog
      title={words.title(role.name)}
      isOpen
      onClose={onClose}
      role="alertdialog"
      footer={
        <>
          <FooterSpace />
          <Button autoFocus onPress={onClose}>
            {words.keep}
          </Button>
          <Button variant="danger" isBusy={answer.effects === null} onPress={remove}>
            {words.action}
          </Button>
        </>
      }
    >
      <p>{role.memberships === 0 ? words.unused : words.used(role.memberships)}</p>
      <div role="status">
        <RoleEffectsText answer={answer} />
      </div>
      <p>{words.final}</p>
    </Dialog>
  );
}
