import { CircleHelp, X } from 'lucide-react';
import type { AccessSubject } from '../../../../../shared/contract/admin/access.ts';
import type { Member } from '../../../../../shared/contract/collection-members.ts';
import { IconButton } from '../../../../kit/components/button.tsx';
import { Select } from '../../../../kit/components/forms/select.tsx';
import { Glyph } from '../../../../kit/components/glyph.tsx';
import { shownName } from '../../../../kit/text/shown-name.ts';
import styles from './sharing.module.css';
import { texts } from './texts.ts';
import type { NamedRole } from './use-sharing.ts';

interface MemberLineProps {
  member: Member;
  /** Whether another listed user or group has the same name. */
  isNamesake: boolean;
  /** The roles to choose from; null: the role can't be changed here. */
  roles: readonly NamedRole[] | null;
  onRole: (subject: AccessSubject, roleId: string) => void;
  onRemove: () => void;
  /** null: the account may not read why. */
  onExplain: ((subject: AccessSubject) => void) | null;
}

/** The role of one user or group in a collection. */
export function MemberLine({ member, isNamesake, roles, onRole, onRemove, onExplain }: MemberLineProps) {
  const { kind, subjectId, roleId, role, isYou } = member;
  const name = memberName(member);
  const subject = subjectId === null ? null : { kind, id: subjectId };
  return (
    <li className={styles.member}>
      <Glyph name={kind === 'group' ? 'group' : 'person'} size={15} />
      <span className={styles.name} title={shownName(name)}>
        {shownName(name)}
        {isNamesake && subjectId !== null ? <span className={styles.you}>{texts.number(subjectId)}</span> : null}
        {isYou ? <span className={styles.you}>{texts.you}</span> : null}
        {kind === 'group' ? <span className="visually-hidden">{texts.group}</span> : null}
      </span>
      {roles === null || subject === null ? (
        <span className={styles.role}>{shownName(role)}</span>
      ) : (
        <div className={styles.choice}>
          <Select
            bare
            label={texts.role(name)}
            value={roleId}
            options={withRole(roles, { id: roleId, name: role, permissions: [] }).map((each) => ({
              value: each.id,
              label: each.name,
            }))}
            onChange={(next) => {
              if (next !== roleId) onRole(subject, next);
            }}
          />
        </div>
      )}
      {onExplain === null || subject === null ? null : (
        <IconButton small label={texts.why(name)} onPress={() => onExplain(subject)}>
          <CircleHelp size={15} aria-hidden />
        </IconButton>
      )}
      {roles === null ? null : (
        <IconButton small label={texts.remove(name)} onPress={onRemove}>
          <X size={15} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

export function memberName({ name }: Member): string {
  return name === '' ? texts.unnamed : name;
}

function withRole(roles: readonly NamedRole[], own: NamedRole): readonly NamedRole[] {
  return roles.some(({ id }) => id === own.id) ? roles : [own, ...roles];
}
