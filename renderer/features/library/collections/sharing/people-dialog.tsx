import { useState } from 'react';
import type { AccessSubject } from '../../../../../shared/contract/admin/access.ts';
import type { CollectionMembers, Member } from '../../../../../shared/contract/collection-members.ts';
import { namesakesIn } from '../../../../../shared/model/access/namesakes.ts';
import { Button } from '../../../../kit/components/button.tsx';
import { Checkbox } from '../../../../kit/components/forms/choice.tsx';
import { Select } from '../../../../kit/components/forms/select.tsx';
import { Dialog, FooterSpace } from '../../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../../kit/components/status/empty-state.tsx';
import { ExplainDialog } from '../../../common/access/explain-dialog.tsx';
import { nameOfSubject, SubjectField } from '../../../common/access/subject-field.tsx';
import { type AccessViewer, ViewAsDialog } from '../../../common/access/view-as-dialog.tsx';
import { WhoDialog } from '../../../common/access/who-dialog.tsx';
import { useApp } from '../../../common/state/app-store.ts';
import { openCollectionDialog, useCollections } from '../../state/collections/collections-store.ts';
import { useTree } from '../../state/tree-store.ts';
import { MemberLine, memberName } from './member-line.tsx';
import { PlannedChange } from './planned-change.tsx';
import styles from './sharing.module.css';
import { texts } from './texts.ts';
import { type NamedRole, type Planned, type SharingTarget, useSharing } from './use-sharing.ts';

/** The number of users and groups that the dialog lists for one collection. */
const MOST_MEMBERS = 300;

/** Shows which users and groups have which role in a collection, and changes that. */
export function PeopleDialog() {
  const collectionId = useCollections(({ dialog }) => (dialog?.kind === 'people' ? dialog.collectionId : null));
  const siteId = useApp((state) => state.siteId);
  if (collectionId === null || siteId === null) return null;
  return <People key={collectionId} siteId={siteId} collectionId={collectionId} />;
}

/** A user or group whose access is explained. */
interface Asked {
  subject: AccessSubject;
  name: string;
}

function People({ siteId, collectionId }: SharingTarget) {
  const name = useTree((state) => state.rows.get(collectionId)?.displayName ?? '');
  const sharing = useSharing({ siteId, collectionId });
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isWhoOpen, setWhoOpen] = useState(false);
  /** The planned change whose result is shown. */
  const [viewed, setViewed] = useState<Planned | null>(null);
  const { members, error, planned, load } = sharing;
  const close = () => openCollectionDialog(null);
  return (
    <>
      <Dialog
        title={texts.title(name)}
        isOpen
        onClose={close}
        width={600}
        footer={
          <>
            {sharing.roles == null ? null : <Button onPress={() => setWhoOpen(true)}>{texts.who}</Button>}
            <FooterSpace />
            <Button variant="primary" onPress={close}>
              {texts.close}
            </Button>
          </>
        }
      >
        {error === null ? null : <InlineError error={error} onRetry={() => void load()} />}
        {members === null ? (
          error === null ? (
            <p className={styles.note}>{texts.loading}</p>
          ) : null
        ) : (
          <Places
            siteId={siteId}
            collectionId={collectionId}
            members={members}
            sharing={sharing}
            onExplain={setAsked}
          />
        )}
        {planned === null ? null : (
          <PlannedChange
            planned={planned}
            onConfirm={() => void sharing.confirm()}
            onDrop={sharing.drop}
            onView={sharing.roles == null ? null : () => setViewed(planned)}
          />
        )}
      </Dialog>
      {isWhoOpen ? (
        <WhoDialog
          siteId={siteId}
          collectionId={collectionId}
          collectionName={name}
          onClose={() => setWhoOpen(false)}
        />
      ) : null}
      {viewed === null ? null : (
        <ViewAsDialog siteId={siteId} viewer={viewed.viewer} change={viewed.change} onClose={() => setViewed(null)} />
      )}
      {asked === null ? null : <ExplainDialog {...{ siteId, collectionId, ...asked }} onClose={() => setAsked(null)} />}
    </>
  );
}

interface PlacesProps extends SharingTarget {
  members: CollectionMembers;
  sharing: ReturnType<typeof useSharing>;
  onExplain: (asked: Asked) => void;
}

function Places({ siteId, collectionId, members, sharing, onExplain }: PlacesProps) {
  const { places, visible, isCut } = members;
  const namesakes = namesakesOf(members);
  const isAdministrator = sharing.roles != null;
  const mayChange = isAdministrator || (visible === 'all' && sharing.roles === null);
  const choices = mayChange ? (sharing.roles ?? rolesIn(members)) : null;
  const roleName = (id: string) => choices?.find((role) => role.id === id)?.name ?? '';
  return (
    <div className={styles.places}>
      {places
        .filter((place) => place.collectionId === collectionId || place.members.length > 0 || place.visible !== 'all')
        .map((place) => {
          const isHere = place.collectionId === collectionId;
          return (
            <section key={place.collectionId} className={styles.place}>
              <div className={styles.headLine}>
                <h3 className={styles.heading}>{isHere ? texts.here : texts.from(place.name)}</h3>
                {isHere || choices === null || (!isAdministrator && place.visible !== 'all') ? null : (
                  <Button
                    variant="link"
                    onPress={() => openCollectionDialog({ kind: 'people', collectionId: place.collectionId })}
                  >
                    {texts.changeThere}
                    <span className="visually-hidden"> {texts.changeThereOf(place.name)}</span>
                  </Button>
                )}
              </div>
              {isHere && isAdministrator ? (
                <AddMember siteId={siteId} collectionId={collectionId} sharing={sharing} />
              ) : null}
              {place.members.length === 0 ? <p className={styles.note}>{texts.none[place.visible]}</p> : null}
              <ul className={styles.members}>
                {place.members.slice(0, MOST_MEMBERS).map((member) => (
                  <MemberLine
                    key={member.id}
                    member={member}
                    isNamesake={namesakes.has(member.subjectId ?? '')}
                    roles={isHere && (isAdministrator || !member.isYou) ? choices : null}
                    onRole={(subject, roleId) =>
                      void sharing.plan(
                        { kind: 'set', collectionId, subject, roleId, membershipId: member.id },
                        texts.willChange(memberName(member), member.role, roleName(roleId)),
                        { subject, name: memberName(member) },
                      )
                    }
                    onRemove={() =>
                      void sharing.plan(
                        { kind: 'remove', membershipId: member.id, roleId: member.roleId },
                        texts.willRemove(memberName(member), member.role),
                        viewerOf(member),
                      )
                    }
                    onExplain={isAdministrator ? (subject) => onExplain({ subject, name: memberName(member) }) : null}
                  />
                ))}
                {place.members.length > MOST_MEMBERS ? (
                  <li className={styles.note}>{texts.more(place.members.length - MOST_MEMBERS)}</li>
                ) : null}
              </ul>
              {isHere || place.visible === 'all' ? null : (
                <p className={styles.note}>{texts.inheritedVisible[place.visible](place.name)}</p>
              )}
            </section>
          );
        })}
      {isAdministrator ? (
        <Inheritance collectionId={collectionId} sharing={sharing} inherits={members.inherits} />
      ) : null}
      {isCut ? <p className={styles.note}>{texts.cut}</p> : null}
      {visible === 'all' ? null : <p className={styles.note}>{texts.visible[visible]}</p>}
      {choices !== null && !isAdministrator ? <p className={styles.note}>{texts.onlyAdministrators}</p> : null}
    </div>
  );
}

/** Returns the ids of the listed users and groups that have the same name as another one of them. */
function namesakesOf({ places }: CollectionMembers): ReadonlySet<string> {
  const listed = new Map(
    places
      .flatMap(({ members }) => members)
      .flatMap(({ kind, subjectId, name }) =>
        subjectId === null ? [] : [[`${kind} ${subjectId}`, { id: subjectId, name }]],
      ),
  );
  return namesakesIn(listed.values());
}

function viewerOf(member: Member): AccessViewer | null {
  const { kind, subjectId } = member;
  return subjectId === null ? null : { subject: { kind, id: subjectId }, name: memberName(member) };
}

/** Gives a user or a group a role in the collection. */
function AddMember({ siteId, collectionId, sharing }: SharingTarget & Pick<PlacesProps, 'sharing'>) {
  const roles = sharing.roles ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const role = roles.find(({ id }) => id === chosen) ?? leastOf(roles);
  if (role === undefined) return null;
  return (
    <div className={styles.add}>
      <p className={styles.heading}>{texts.add}</p>
      <div className={styles.addLine}>
        <div className={styles.choice}>
          <Select
            bare
            label={texts.newRole}
            value={role.id}
            options={roles.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosen}
          />
        </div>
        <SubjectField
          siteId={siteId}
          onTake={(found) => {
            const { subject } = found;
            const name = nameOfSubject(found);
            const change = { kind: 'set' as const, collectionId, subject, roleId: role.id };
            void sharing.plan(change, texts.willSet(name, role.name), { subject, name });
          }}
        />
      </div>
    </div>
  );
}

/** Returns the role with the fewest permissions: the default gives the fewest rights. */
function leastOf(roles: readonly NamedRole[]): NamedRole | undefined {
  const giving = roles.filter(({ permissions }) => permissions.length > 0);
  return giving.sort((one, other) => one.permissions.length - other.permissions.length)[0] ?? roles[0];
}

interface InheritanceProps extends Pick<PlacesProps, 'sharing'> {
  collectionId: string;
  inherits: boolean;
}

/** Switches on and off whether the roles of the collection above count. */
function Inheritance({ collectionId, sharing, inherits }: InheritanceProps) {
  const { planned } = sharing;
  const ending = planned?.change.kind === 'inherit' && !planned.change.inherits ? planned.change : null;
  const plan = (change: { inherits: boolean; keeps: boolean }) =>
    void sharing.plan(
      { kind: 'inherit', collectionId, ...change },
      change.inherits ? texts.willInherit : change.keeps ? texts.willKeep : texts.willCut,
    );
  return (
    <div className={styles.place}>
      <Checkbox
        isSelected={planned?.change.kind === 'inherit' ? planned.change.inherits : inherits}
        onChange={(next) => (next === inherits ? sharing.drop() : plan({ inherits: next, keeps: true }))}
      >
        {texts.inherit}
      </Checkbox>
      {ending === null ? null : (
        <div className={styles.indented}>
          <Checkbox isSelected={ending.keeps} onChange={(keeps) => plan({ inherits: false, keeps })}>
            {texts.keep}
          </Checkbox>
        </div>
      )}
    </div>
  );
}

/** Returns the roles that are in use here: an account that is no administrator can't read the others. */
function rolesIn({ places }: CollectionMembers): NamedRole[] {
  const roles = new Map<string, NamedRole>();
  for (const { members } of places) {
    for (const { roleId: id, role: name } of members) roles.set(id, { id, name, permissions: [] });
  }
  return [...roles.values()];
}
