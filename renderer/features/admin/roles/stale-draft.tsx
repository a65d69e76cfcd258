import { maskOf, namesOf } from '../../../../shared/api/permission-sets.ts';
import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { rebasedRole } from '../../../../shared/model/access/rebased-role.ts';
import { Button } from '../../../kit/components/button.tsx';
import { permissionNames } from '../../../kit/text/permission-texts.ts';
import adminStyles from '../admin.module.css';
import { discardRoleDraft, type RoleDraft, rebaseDraft } from '../state/roles-store.ts';
import { texts } from './texts.ts';

const words = texts.stale;

/** Unsaved changes of a role that another administrator changed meanwhile: theirs beside mine, to continue with both or to discard mine. */
export function StaleDraft({ role, draft }: { role: RoleRow; draft: RoleDraft }) {
  const { dropped } = rebasedRole(draft.seen, draft.permissions, role.permissions);
  return (
    <>
      <div role="alert">
        <p>{words.text}</p>
      </div>
      <Changes title={words.theirs} before={draft.seen} after={role.permissions} />
      <Changes title={words.mine} before={draft.seen} after={draft.permissions} />
      {dropped.added.length + dropped.removed.length === 0 ? (
        <p className={adminStyles.note}>{words.both}</p>
      ) : (
        <p>{words.collides(permissionNames(dropped.added), permissionNames(dropped.removed))}</p>
      )}
      <div className={adminStyles.buttons}>
        <Button variant="primary" onPress={() => rebaseDraft(role)}>
          {words.rebase}
        </Button>
        <Button onPress={discardRoleDraft}>{texts.discard}</Button>
      </div>
    </>
  );
}

interface ChangesProps {
  title: string;
  before: readonly string[];
  after: readonly string[];
}

function Changes({ title, before, after }: ChangesProps) {
  const [was, is] = [maskOf(before), maskOf(after)];
  const [added, removed] = [namesOf(is & ~was), namesOf(was & ~is)];
  return (
    <div>
      <h3>{title}</h3>
      <ul className={adminStyles.lines}>
        {added.length === 0 ? null : <li>{texts.adds(permissionNames(added))}</li>}
        {removed.length === 0 ? null : <li>{texts.removes(permissionNames(removed))}</li>}
      </ul>
    </div>
  );
}
