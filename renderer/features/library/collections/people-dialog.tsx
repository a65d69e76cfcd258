import { useEffect, useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CollectionMembers, Member } from '../../../../shared/contract/collection-members.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { useApp } from '../../common/state/app-store.ts';
import { openCollectionDialog, useCollections } from '../state/collections/collections-store.ts';
import { useTree } from '../state/tree-store.ts';
import styles from './people-dialog.module.css';
import { texts } from './texts.ts';

/** Shows which users and groups have which role in a collection. */
export function PeopleDialog() {
  const collectionId = useCollections(({ dialog }) => (dialog?.kind === 'people' ? dialog.collectionId : null));
  const siteId = useApp((state) => state.siteId);
  if (collectionId === null || siteId === null) return null;
  return <People key={collectionId} siteId={siteId} collectionId={collectionId} />;
}

interface Target {
  siteId: string;
  collectionId: string;
}

function People({ siteId, collectionId }: Target) {
  const name = useTree((state) => state.rows.get(collectionId)?.displayName ?? '');
  const { members, error, load } = useMembers({ siteId, collectionId });
  const close = () => openCollectionDialog(null);
  return (
    <Dialog
      title={texts.people.title(name)}
      isOpen
      onClose={close}
      footer={
        <>
          <FooterSpace />
          <Button variant="primary" onPress={close}>
            {texts.close}
          </Button>
        </>
      }
    >
      {error === null ? null : (
        <InlineError error={error}>
          <Button onPress={() => void load()}>{texts.retry}</Button>
        </InlineError>
      )}
      {members === null ? (
        error === null ? (
          <p className={styles.note}>{texts.loading}</p>
        ) : null
      ) : (
        <Places members={members} collectionId={collectionId} />
      )}
    </Dialog>
  );
}

function Places({
  members: { places, visible, isCut },
  collectionId,
}: { members: CollectionMembers } & Pick<Target, 'collectionId'>) {
  return (
    <div className={styles.places}>
      {places
        .filter((place) => place.collectionId === collectionId || place.members.length > 0)
        .map((place) => (
          <section key={place.collectionId} className={styles.place}>
            <h3 className={styles.heading}>
              {place.collectionId === collectionId ? texts.people.here : texts.people.from(place.name)}
            </h3>
            {place.members.length === 0 ? <p className={styles.note}>{texts.people.none[visible]}</p> : null}
            <ul className={styles.members}>
              {place.members.map((member) => (
                <MemberLine key={member.id} member={member} />
              ))}
            </ul>
          </section>
        ))}
      {isCut ? <p className={styles.note}>{texts.people.cut}</p> : null}
      {visible === 'all' ? null : <p className={styles.note}>{texts.people.visible[visible]}</p>}
      <p className={styles.note}>{texts.people.elsewhere}</p>
    </div>
  );
}

function MemberLine({ member: { kind, name, role, isYou } }: { member: Member }) {
  return (
    <li className={styles.member}>
      <Glyph name={kind === 'group' ? 'group' : 'person'} size={15} />
      <span className={styles.name} title={name}>
        {name === '' ? texts.people.unnamed : name}
        {isYou ? <span className={styles.you}>{texts.people.you}</span> : null}
        {kind === 'group' ? <span className="visually-hidden">{texts.people.group}</span> : null}
      </span>
      <span className={styles.role}>{role}</span>
    </li>
  );
}

function useMembers({ siteId, collectionId }: Target) {
  const [members, setMembers] = useState<CollectionMembers | null>(null);
  const [error, setError] = useState<AppErrorData | null>(null);
  const [reads] = useState(latestOnly);
  const load = async () => {
    const read = reads.begin();
    setError(null);
    try {
      const found = await call('library.collectionMembers', { siteId, collectionId });
      if (read.accept()) setMembers(found);
    } catch (thrown) {
      if (read.accept()) setError(toErrorData(thrown));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another collection is another component
  useEffect(() => {
    void load();
  }, []);
  return { members, error, load };
}
