import type { AccessSubject, Explanation } from '../../../../shared/contract/admin/access.ts';
import { useLoaded } from '../../../kit/async/use-loaded.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Dialog } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { permissionNames } from '../../../kit/text/permission-texts.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import styles from './access.module.css';
import { texts } from './texts.ts';
import { wayText } from './way-text.ts';

const words = texts.explain;
/** The number of collections that the dialog lists. */
const MOST_PLACES = 200;

interface ExplainDialogProps {
  siteId: string;
  subject: AccessSubject;
  name: string;
  /** null: in every collection with a role that counts. */
  collectionId: string | null;
  onClose: () => void;
}

/** Explains what a user or a group may do by every role that counts, beside the library's own calculation. */
export function ExplainDialog({ siteId, subject, name, collectionId, onClose }: ExplainDialogProps) {
  const key = JSON.stringify([siteId, subject, collectionId]);
  const { value, error, load } = useLoaded(key, () => call('access.explain', { siteId, subject, collectionId }));
  return (
    <Dialog title={words.title(name)} isOpen onClose={onClose} width={560}>
      {error === null ? null : <InlineError error={error} onRetry={() => void load()} />}
      {value !== null ? <Places explanation={value} isHere={collectionId !== null} /> : null}
      {value === null && error === null ? <p className={styles.note}>{words.loading}</p> : null}
    </Dialog>
  );
}

function Places({ explanation: { places }, isHere }: { explanation: Explanation; isHere: boolean }) {
  if (places.length === 0) return <p>{words.nowhere}</p>;
  const differing = places.filter(({ differs }) => differs).length;
  return (
    <div>
      {isHere || differing === 0 ? null : (
        <p className={styles.bad} role="alert">
          {words.differing(differing)}
        </p>
      )}
      {places.slice(0, MOST_PLACES).map((place) => (
        <Place key={place.collectionId} place={place} isHere={isHere} />
      ))}
      {places.length > MOST_PLACES ? <p className={styles.note}>{words.more(places.length - MOST_PLACES)}</p> : null}
    </div>
  );
}

function Place({ place, isHere }: { place: Explanation['places'][number]; isHere: boolean }) {
  const { path, ways, permissions, service, differs } = place;
  return (
    <section className={styles.place}>
      {isHere ? null : <h3>{path.map(shownName).join(' / ')}</h3>}
      {ways.length === 0 ? <p>{words.here}</p> : <p>{words.may(permissionNames(permissions))}</p>}
      <ul className={styles.lines}>
        {ways.map((way) => (
          <li key={way.membershipId ?? way.kind}>{wayText(way)}</li>
        ))}
      </ul>
      {service === null ? null : differs ? (
        <p className={styles.bad}>{words.differs(service.length === 0 ? words.nothing : permissionNames(service))}</p>
      ) : (
        <p className={styles.note}>{words.same}</p>
      )}
    </section>
  );
}
