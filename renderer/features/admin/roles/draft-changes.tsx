import { maskOf, namesOf } from '../../../../shared/api/permission-sets.ts';
import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { Button } from '../../../kit/components/button.tsx';
import { permissionName, permissionNames } from '../../../kit/text/permission-texts.ts';
import adminStyles from '../admin.module.css';
import { discardRoleDraft, type RoleDraft, saveRole, useRoles } from '../state/roles-store.ts';
import { RoleEffectsText } from './role-effects-text.tsx';
import { texts } from './texts.ts';
import { useRoleEffects } from './use-role-effects.ts';

/** The unsaved changes of a role, and what they mean for people. They can be saved once the user sees that. */
export function DraftChanges({ role, draft }: { role: RoleRow; draft: RoleDraft }) {
  const isSaving = useRoles((state) => state.isSaving);
  const answer = useRoleEffects(draft.roleId, draft.permissions);
  const [before, after] = [maskOf(draft.seen), maskOf(draft.permissions)];
  const added = namesOf(after & ~before);
  const removed = namesOf(before & ~after);
  const { latest } = draft;
  return (
    <>
      <div>
        <h3>{texts.changes}</h3>
        <ul className={adminStyles.lines}>
          {added.length === 0 ? null : <li>{texts.adds(permissionNames(added))}</li>}
          {removed.length === 0 ? null : <li>{texts.removes(permissionNames(removed))}</li>}
        </ul>
        <p className={adminStyles.note} role="status">
          {latest === null || latest.also.length === 0
            ? null
            : (latest.isOn ? texts.alsoAdds : texts.alsoRemoves)(
                permissionName(latest.name),
                permissionNames(latest.also),
              )}
        </p>
      </div>
      <div>
        <h3>{texts.effects}</h3>
        <RoleEffectsText answer={answer} />
      </div>
      <div className={adminStyles.buttons}>
        <Button
          variant="primary"
          // Not disabled while the answer is missing: the button would lose the focus when a changed library is asked again.
          isBusy={isSaving || answer.effects === null}
          onPress={() => void saveRole(role.name)}
        >
          {texts.save}
        </Button>
        <Button onPress={discardRoleDraft}>{texts.discard}</Button>
      </div>
    </>
  );
}
