import { CircleHelp, Eye, Trash2, UserRound, Users } from 'lucide-react';
import { useState } from 'react';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { ConfirmDialog } from '../../../kit/components/overlay/dialog.tsx';
import { EmptyState, InlineError } from '../../../kit/components/status/empty-state.tsx';
import { formatDateTime } from '../../../kit/text/format.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { ExplainDialog } from '../../common/access/explain-dialog.tsx';
import { ViewAsDialog } from '../../common/access/view-as-dialog.tsx';
import { NameDialog } from '../../common/name-dialog.tsx';
import styles from '../admin.module.css';
import { useAdmin } from '../state/admin-store.ts';
import { changePerson, usePerson } from '../state/person-store.ts';
import { useAdminLoaded } from '../state/use-admin-rows.ts';
import { texts } from '../texts.ts';
import { PersonPicture, PictureButton } from './person-picture.tsx';

/** The number of roles that the panel lists. */
const MOST_ROLES = 100;
const MOST_GROUPS = 100;
/** Characters of a unique id. */
const MAX_ID = 255;

interface PersonPanelProps {
  onGroups: (userId: string) => void;
  onDelete: (userId: string) => void;
}

/** The details of one user: what the library says, groups and roles, and what can be changed. */
export function PersonPanel(props: PersonPanelProps) {
  const userId = usePerson((state) => state.userId);
  if (userId !== null) return <Person key={userId} userId={userId} {...props} />;
  return (
    <section className={styles.side} aria-label={texts.people.nobody.title}>
      <EmptyState icon={UserRound} title={texts.people.nobody.title} text={texts.people.nobody.text} />
    </section>
  );
}

/** One user, read from the library again after each change. */
function Person({ userId, ...props }: PersonPanelProps & { userId: string }) {
  const { value, error, load } = useAdminLoaded(userId, (siteId) => call('admin.person', { siteId, userId }));
  return (
    <section className={styles.side} aria-label={value === null ? texts.people.details : shownName(value.person.name)}>
      {error !== null ? (
        <InlineError error={error} onRetry={() => void load()} />
      ) : value === null ? (
        <p className={styles.note}>{texts.person.loading}</p>
      ) : (
        <Details detail={value} {...props} />
      )}
    </section>
  );
}

function Details({ detail, onGroups, onDelete }: { detail: CallOutput<'admin.person'> } & PersonPanelProps) {
  const { person, groups, memberships } = detail;
  const [isEditing, setEditing] = useState(false);
  /** The administrator flag that the user wants to set, until it is confirmed. */
  const [promotion, setPromotion] = useState<boolean | null>(null);
  const [isExplained, setExplained] = useState(false);
  const [isViewing, setViewing] = useState(false);
  const siteId = useAdmin((state) => state.siteId);
  return (
    <>
      <div className={styles.personHead}>
        <PersonPicture userId={person.id} />
        <h2>{shownName(person.name)}</h2>
      </div>
      <dl className={styles.facts} data-selectable>
        <dt>{texts.person.email}</dt>
        <dd>{shownName(person.email)}</dd>
        <dt>{texts.person.uniqueId}</dt>
        <dd>{shownName(person.uniqueId)}</dd>
        <dt>{texts.person.created}</dt>
        <dd>{person.createdOn === null ? '' : formatDateTime(person.createdOn)}</dd>
        <dt>{texts.person.lastLogin}</dt>
        <dd>{person.lastLoginOn === null ? texts.people.never : formatDateTime(person.lastLoginOn)}</dd>
      </dl>
      <div>
        <Checkbox isSelected={person.isAdmin} onChange={setPromotion}>
          {texts.person.administrator}
        </Checkbox>
        <p className={styles.note}>{texts.person.administratorHint}</p>
      </div>
      <div className={styles.buttons}>
        <Button icon={<Users size={14} aria-hidden />} onPress={() => onGroups(person.id)}>
          {texts.people.changeGroups}
        </Button>
        <Button icon={<CircleHelp size={14} aria-hidden />} onPress={() => setExplained(true)}>
          {texts.person.explain}
        </Button>
        <Button icon={<Eye size={14} aria-hidden />} onPress={() => setViewing(true)}>
          {texts.person.view}
        </Button>
        <PictureButton userId={person.id} name={person.name} />
        <Button onPress={() => setEditing(true)}>{texts.person.changeId}</Button>
        <Button icon={<Trash2 size={14} aria-hidden />} onPress={() => onDelete(person.id)}>
          {texts.people.remove}
        </Button>
      </div>
      <p className={styles.note}>{texts.person.unchangeable}</p>
      <div>
        <h3>{texts.person.groups}</h3>
        {groups.length === 0 ? <p className={styles.note}>{texts.person.noGroups}</p> : null}
        <ul className={styles.lines}>
          {groups.slice(0, MOST_GROUPS).map(({ id, name }) => (
            <li key={id}>{shownName(name)}</li>
          ))}
          {groups.length > MOST_GROUPS ? (
            <li className={styles.more}>{texts.person.more(groups.length - MOST_GROUPS)}</li>
          ) : null}
        </ul>
      </div>
      <div>
        <h3>{texts.person.roles}</h3>
        {memberships.length === 0 ? <p className={styles.note}>{texts.person.noRoles}</p> : null}
        <ul className={styles.lines}>
          {memberships.slice(0, MOST_ROLES).map(({ id, roleName, path }) => (
            <li key={id}>{texts.person.role(roleName, path.join(' / '))}</li>
          ))}
          {memberships.length > MOST_ROLES ? (
            <li className={styles.more}>{texts.person.more(memberships.length - MOST_ROLES)}</li>
          ) : null}
        </ul>
      </div>
      {promotion === null ? null : (
        <ConfirmDialog
          title={promotion ? texts.person.promote(person.name) : texts.person.demote(person.name)}
          text={promotion ? texts.person.promoteText : texts.person.demoteText}
          confirm={promotion ? texts.person.promoteAction : texts.person.demoteAction}
          variant={promotion ? 'primary' : 'danger'}
          isOpen
          onConfirm={() => void changePerson(person.id, { isAdmin: promotion })}
          onClose={() => setPromotion(null)}
        />
      )}
      {isExplained && siteId !== null ? (
        <ExplainDialog
          siteId={siteId}
          subject={{ kind: 'user', id: person.id }}
          name={person.name}
          collectionId={null}
          onClose={() => setExplained(false)}
        />
      ) : null}
      {isViewing && siteId !== null ? (
        <ViewAsDialog
          siteId={siteId}
          viewer={{ subject: { kind: 'user', id: person.id }, name: person.name }}
          change={null}
          onClose={() => setViewing(false)}
        />
      ) : null}
      {isEditing ? (
        <NameDialog
          title={texts.person.idTitle(person.name)}
          name={person.uniqueId}
          label={texts.person.idLabel}
          maxLength={MAX_ID}
          hint={texts.person.idHint}
          action={texts.person.save}
          onSave={(uniqueId) => changePerson(person.id, { uniqueId })}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </>
  );
}
