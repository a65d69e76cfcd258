import { useState } from 'react';
import type { AdminOutcome } from '../../../../shared/contract/admin/admin-calls.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { MOST_UNTYPED_DELETIONS } from '../../../../shared/model/access/admin-limits.ts';
import { groupedBy } from '../../../../shared/model/grouped-by.ts';
import { useLoaded } from '../../../kit/async/use-loaded.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { toErrorData } from '../../../kit/text/errors.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { notify, warn } from '../../common/state/messages-store.ts';
import styles from '../admin.module.css';
import { useAdmin } from '../state/admin-store.ts';
import { closePerson, deselectPeople } from '../state/person-store.ts';
import { texts } from '../texts.ts';

const words = texts.deletion;
/** The number of names that the question lists. */
const MOST_NAMES = 200;
/** The number of names that a message about failures lists. */
const MOST_FAILED = 10;

/** Asks before users are deleted: names them, and says what their deletion removes. Deletes exactly those. */
export function DeletePeopleDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const siteId = useAdmin((state) => state.siteId);
  const {
    value: preview,
    error: unread,
    load,
  } = useLoaded(
    `${siteId} ${ids.join(' ')}`,
    siteId === null ? null : () => call('admin.deletionOfPeople', { siteId, userIds: [...ids] }),
  );
  /** Why the deletion failed. */
  const [failure, setFailure] = useState<AppErrorData | null>(null);
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);

  // A running deletion can't be stopped: the dialog stays until it ends.
  const close = () => {
    if (!isBusy) onClose();
  };
  const count = preview?.people.length ?? 0;
  const isConfirmed = count > 0 && (count <= MOST_UNTYPED_DELETIONS || typed.trim() === String(count));
  const remove = async () => {
    if (siteId === null || preview === null || !isConfirmed) return;
    setBusy(true);
    setFailure(null);
    try {
      const userIds = preview.people.map(({ id }) => id);
      const { done, failed, savedAs } = await call('admin.deletePeople', { siteId, userIds });
      deselectPeople();
      closePerson();
      onClose();
      if (failed.length > 0) warn(words.partly(done.length, failed.length, savedAs), reasonsOf(failed));
      else notify(words.done(done.length, savedAs));
    } catch (thrown) {
      setFailure(toErrorData(thrown));
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={words.title(preview === null ? ids.length : count)}
      isOpen
      onClose={close}
      role="alertdialog"
      width={480}
      footer={
        <>
          <FooterSpace />
          <Button autoFocus isDisabled={isBusy} onPress={close}>
            {words.keep}
          </Button>
          <Button variant="danger" isBusy={isBusy} isDisabled={!isConfirmed} onPress={() => void remove()}>
            {words.action(count)}
          </Button>
        </>
      }
    >
      {unread === null ? null : <InlineError error={unread} onRetry={() => void load()} />}
      {failure === null ? null : <InlineError error={failure} />}
      {preview === null ? unread === null ? <p className={styles.note}>{words.checking}</p> : null : null}
      {preview === null ? null : (
        <>
          {count === 0 ? <p>{words.nobody}</p> : null}
          <ul className={`${styles.choices} ${styles.lines}`}>
            {preview.people.slice(0, MOST_NAMES).map(({ id, name, email }) => (
              <li key={id}>
                {shownName(name)} <span className={styles.note}>{shownName(email)}</span>
              </li>
            ))}
            {count > MOST_NAMES ? <li className={styles.more}>{texts.person.more(count - MOST_NAMES)}</li> : null}
          </ul>
          {preview.refused.map(({ id, name, error: reason }) => (
            <p key={id} className={styles.note}>
              {words.refused(name, reason.message)}
            </p>
          ))}
          {count === 0 ? null : (
            <>
              <p>{words.text(preview.memberships.length)}</p>
              <p>{words.items}</p>
            </>
          )}
          {count > MOST_UNTYPED_DELETIONS ? (
            <TextField label={words.typed(count)} value={typed} onChange={setTyped} inputMode="numeric" />
          ) : null}
        </>
      )}
    </Dialog>
  );
}

/** Returns the reasons of failures, each with the first names. */
function reasonsOf(failed: AdminOutcome['failed']): string {
  const reasons = groupedBy(failed, ({ error }) => error.message);
  return [...reasons]
    .map(([reason, entries]) => {
      const names = entries.slice(0, MOST_FAILED).map(({ name }) => name);
      return words.failedList(names, entries.length - names.length, reason);
    })
    .join(' ');
}
