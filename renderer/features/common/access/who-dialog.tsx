import { useEffect, useState } from 'react';
import type { Permission } from '../../../../shared/api/permissions.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Select } from '../../../kit/components/forms/select.tsx';
import { Dialog } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { PERMISSION_BLOCKS, permissionName } from '../../../kit/text/permission-texts.ts';
import styles from './access.module.css';
import { texts } from './texts.ts';
import { wayText } from './way-text.ts';

type Found = CallOutput<'access.who'>;

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
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<AppErrorData | null>(null);
  const [reads] = useState(latestOnly);
  const load = async () => {
    const read = reads.begin();
    setFound(null);
    setError(null);
    try {
      const people = await call('access.who', { siteId, collectionId, permission, limit: MOST_PEOPLE });
      if (read.isLatest()) setFound(people);
    } catch (thrown) {
      if (read.isLatest()) setError(toErrorData(thrown));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for another permission
  useEffect(() => void load(), [permission]);
  return (
    <Dialog title={words.title(collectionName)} isOpen onClose={onClose} width={560}>
      <Select label={words.permission} value={permission} options={OPTIONS} onChange={setPermission} />
      {error === null ? null : <InlineError error={error} onRetry={() => void load()} />}
      {found === null ? (
        error === null ? (
          <p className={styles.note}>{words.loading}</p>
        ) : null
      ) : (
        <>
          <p role="status">{words.count(found.total)}</p>
          {found.isPublic ? <p>{words.visitors}</p> : null}
          <ul className={styles.lines}>
            {found.people.map(({ id, name, email, ways }) => (
              <li key={id}>
                {name} <span className={styles.note}>{email}</span>
                <br />
                <span className={styles.note}>{ways.map(wayText).join('; ')}</span>
              </li>
            ))}
            {found.total > found.people.length ? (
              <li className={styles.note}>{words.more(found.total - found.people.length)}</li>
            ) : null}
          </ul>
        </>
      )}
    </Dialog>
  );
}
