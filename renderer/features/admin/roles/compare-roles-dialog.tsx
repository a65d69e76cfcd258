import type { RoleRow } from '../../../../shared/contract/admin/access.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { shownName } from '../../../kit/text/shown-name.ts';
import adminStyles from '../admin.module.css';
import { hideRoles, useRoles } from '../state/roles-store.ts';
import { texts } from './texts.ts';

/** Chooses the roles that the table shows beside each other. The selected role is always among them. */
export function CompareRolesDialog({ roles, onClose }: { roles: readonly RoleRow[]; onClose: () => void }) {
  const hidden = useRoles((state) => state.hidden);
  const change = (id: string, isShown: boolean) => {
    const next = new Set(hidden);
    if (isShown) next.delete(id);
    else next.add(id);
    hideRoles(next);
  };
  return (
    <Dialog
      title={texts.compareDialog.title}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={() => hideRoles(new Set())}>{texts.compareDialog.all}</Button>
          <Button onPress={() => hideRoles(new Set(roles.map(({ id }) => id)))}>{texts.compareDialog.none}</Button>
          <FooterSpace />
          <Button variant="primary" onPress={onClose}>
            {texts.compareDialog.close}
          </Button>
        </>
      }
    >
      <ul className={`${adminStyles.choices} ${adminStyles.lines}`}>
        {roles.map(({ id, name }) => (
          <li key={id}>
            <Checkbox isSelected={!hidden.has(id)} onChange={(isShown) => change(id, isShown)}>
              {shownName(name)}
            </Checkbox>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
