import { Pencil, Trash2, Users } from 'lucide-react';
import type { GroupRow } from '../../../../shared/contract/admin/people.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { EmptyState, InlineError } from '../../../kit/components/status/empty-state.tsx';
import { shownName } from '../../../kit/text/shown-name.ts';
import adminStyles from '../admin.module.css';
import { showPeopleOf } from '../state/person-store.ts';
import { useAdminLoaded } from '../state/use-admin-rows.ts';
import { texts } from './texts.ts';

/** The number of roles that the panel lists. */
const MOST_ROLES = 100;

interface GroupPanelProps {
  onRename: (group: GroupRow) => void;
  onDelete: (group: GroupRow) => void;
}

/** The selected group with its roles in collections. */
export function GroupPanel({ group, ...actions }: GroupPanelProps & { group: GroupRow | null }) {
  return (
    <section className={adminStyles.side} aria-label={group === null ? texts.none.title : shownName(group.name)}>
      {group === null ? (
        <EmptyState icon={Users} title={texts.none.title} text={texts.none.text} />
      ) : (
        <Details key={group.id} group={group} {...actions} />
      )}
    </section>
  );
}

function Details({ group, onRename, onDelete }: GroupPanelProps & { group: GroupRow }) {
  const { id, name, builtIn, people } = group;
  return (
    <>
      <h2>{shownName(name)}</h2>
      {builtIn === null ? (
        <dl className={adminStyles.facts}>
          <dt>{texts.people}</dt>
          <dd>{texts.count(people)}</dd>
        </dl>
      ) : (
        <p>{texts.builtInText[builtIn]}</p>
      )}
      {builtIn === null ? (
        <div className={adminStyles.buttons}>
          <Button icon={<Users size={14} aria-hidden />} onPress={() => showPeopleOf(id)}>
            {texts.show}
          </Button>
          <Button icon={<Pencil size={14} aria-hidden />} onPress={() => onRename(group)}>
            {texts.rename}
          </Button>
          <Button icon={<Trash2 size={14} aria-hidden />} onPress={() => onDelete(group)}>
            {texts.remove}
          </Button>
        </div>
      ) : null}
      <div>
        <h3>{texts.roles}</h3>
        <Roles groupId={id} />
      </div>
    </>
  );
}

function Roles({ groupId }: { groupId: string }) {
  const { value, error, load } = useAdminLoaded(groupId, (siteId) => {
    const filter = { siteId, subject: { kind: 'group' as const, id: groupId }, collectionId: null, roleId: null };
    return call('admin.memberships', { ...filter, offset: 0, limit: MOST_ROLES });
  });
  if (error !== null) return <InlineError error={error} onRetry={() => void load()} />;
  if (value === null) return <p className={adminStyles.note}>{texts.loading}</p>;
  const { rows, total } = value;
  if (total === 0) return <p className={adminStyles.note}>{texts.noRoles}</p>;
  return (
    <ul className={adminStyles.lines}>
      {rows.map(({ id, roleName, path }) => (
        <li key={id}>{texts.role(roleName, path.join(' / '))}</li>
      ))}
      {total > rows.length ? <li className={adminStyles.more}>{texts.more(total - rows.length)}</li> : null}
    </ul>
  );
}
