import { useState } from 'react';
import type { Permission } from '../../../../shared/api/permissions.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { useLoaded } from '../../../kit/async/use-loaded.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Select } from '../../../kit/components/forms/select.tsx';
import { Dialog } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { PERMISSION_BLOCKS, permissionName } from '../../../kit/text/permission-texts.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import styles from './access.module.css';
import { texts } from './texts.ts';
import { wayText } from './way-text.ts';

const words = texts.who;
/** The number of people that the dialog lists. */
const MOST_PEOPLE = 200;
const OPTIONS = PERMISSION_BLOCKS.flatMap(({ permissions }) =>
  permissions.map((value: Permission) => ({ value, label: permissionName(value) })),
);

interface WhoDialogProps {
  siteId: string;
  collectionId: string;
  collectionName: string;
  onClose: () => void;
}

/** Lists the people who have a permission in a collection, each with the ways to it. */
export function WhoDialog({ siteId, collectionId, collectionName, onClose }: WhoDialogProps) {
  const [permission, setPermission] = useState<Permission>('media-play');
  const key = JSON.stringify([siteId, collectionId, permission]);
  const { value, error, load } = useLoaded(key, () =>
    call('access.who', { siteId, collectionId, permission, limit: MOST_PEOPLE }),
  );
  return (
    <Dialog title={words.title(collectionName)} isOpen onClose={onClose} width={560}>
      <Select label={words.permission} value={permission} options={OPTIONS} onChange={setPermission} />
      {error === null ? null : <InlineError error={error} onRetry={() => void load()} />}
      {value === null && error === null ? <p className={styles.note}>{words.loading}</p> : null}
      {value === null ? null : <Holders found={value} />}
    </Dialog>
  );
}

function Holders({ found: { total, isPublic, people } }: { found: CallOutput<'access.who'> }) {
  return (
    <>
      <p role="status">{words.count(total)}</p>
      {isPublic ? <p>{words.visitors}</p> : null}
      <ul className={styles.lines}>
        {people.map(({ id, name, email, ways }) => (
          <li key={id}>
            {shownName(name)} <span className={styles.note}>{shownName(email)}</span>
            <br />
            <span className={styles.note}>{ways.map(wayText).join('; ')}</span>
          </li>
        ))}
        {total > people.length ? <li className={styles.note}>{words.more(total - people.length)}</li> : null}
      </ul>
    </>
  );
}
