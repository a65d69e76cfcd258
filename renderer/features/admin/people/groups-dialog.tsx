import { useMemo, useState } from 'react';
import { namesakesIn } from '../../../../shared/model/access/namesakes.ts';
import { useLoaded } from '../../../kit/async/use-loaded.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Button } from '../../../kit/components/button.tsx';
import { SearchField } from '../../../kit/components/forms/field.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { shownName } from '../../../kit/text/shown-name.ts';
import { attempt, notify, warn } from '../../common/state/messages-store.ts';
import styles from '../admin.module.css';
import { useAdmin } from '../state/admin-store.ts';
import { useGroups } from '../state/groups-store.ts';
import { texts } from '../texts.ts';

const words = texts.groupsDialog;
/** Up to this number of groups, the dialog needs no search. */
const FEW_GROUPS = 8;
/** The number of groups that the dialog lists. */
const MOST_GROUPS = 60;

/** The groups of some users: for each group how many of them are members, to add the others or to remove those. */
export function GroupsDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const siteId = useAdmin((state) => state.siteId);
  const known = useGroups();
  const all = useMemo(() => known.filter(({ builtIn }) => builtIn === null), [known]);
  const namesakes = useMemo(() => namesakesIn(all), [all]);
  const [text, setText] = useState('');
  const matching = all.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const groups = matching.slice(0, MOST_GROUPS);
  const [busy, setBusy] = useState<string | null>(null);
  const { value, error, load } = useLoaded(
    `${siteId} ${ids.join(' ')}`,
    siteId === null ? null : () => call('admin.groupsOf', { siteId, userIds: [...ids] }),
  );
  const counts = value === null ? null : new Map(value.map(({ groupId, count }) => [groupId, count]));

  const change = async (groupId: string, name: string, how: 'add' | 'remove') => {
    const count = counts?.get(groupId) ?? 0;
    if (siteId === null || count === (how === 'add' ? ids.length : 0)) return;
    setBusy(groupId);
    await attempt(async () => {
      const input = { siteId, userIds: [...ids], add: how === 'add' ? [groupId] : [] };
      const answer = await call('admin.changeGroups', { ...input, remove: how === 'remove' ? [groupId] : [] });
      const { done, failed, skipped } = answer;
      const changed = done.length - skipped.length;
      if (done.length > 0) notify((how === 'add' ? words.added : words.removed)(changed, skipped.length, name));
      const [first] = failed;
      if (first !== undefined) warn(words.failed(failed.length), first.error.message);
    });
    setBusy(null);
    await load();
  };

  return (
    <Dialog
      title={words.title(ids.length)}
      isOpen
      onClose={onClose}
      width={520}
      footer={
        <>
          <FooterSpace />
          <Button variant="primary" onPress={onClose}>
            {words.close}
          </Button>
        </>
      }
    >
      {error === null ? null : <InlineError error={error} onRetry={() => void load()} />}
      {all.length > FEW_GROUPS ? <SearchField label={words.search} value={text} onChange={setText} /> : null}
      {all.length === 0 ? <p className={styles.note}>{words.none}</p> : null}
      {all.length > 0 && matching.length === 0 ? <p className={styles.note}>{words.noMatch}</p> : null}
      <ul className={`${styles.choices} ${styles.lines}`}>
        {groups.map(({ id, name }) => {
          const count = counts?.get(id) ?? 0;
          return (
            <li key={id} className={styles.choice}>
              <span>
                {shownName(name)}
                {namesakes.has(id) ? <span className={styles.note}> {texts.number(id)}</span> : null}
                <br />
                <span className={styles.note}>{words.members(count, ids.length)}</span>
              </span>
              <Button
                isBusy={busy === id}
                {...(counts !== null && count === ids.length ? { reason: words.allAre } : {})}
                isDisabled={counts === null}
                onPress={() => void change(id, name, 'add')}
              >
                {words.add(ids.length - count)}
                <span className="visually-hidden"> {words.addTo(name)}</span>
              </Button>
              <Button
                isBusy={busy === id}
                {...(counts !== null && count === 0 ? { reason: words.noneIs } : {})}
                isDisabled={counts === null}
                onPress={() => void change(id, name, 'remove')}
              >
                {words.remove(count)}
                <span className="visually-hidden"> {words.removeFrom(name)}</span>
              </Button>
            </li>
          );
        })}
        {matching.length > groups.length ? (
          <li className={styles.more}>{words.more(matching.length - groups.length)}</li>
        ) : null}
      </ul>
    </Dialog>
  );
}
