import { CircleAlert, CircleCheck, CloudOff, LoaderCircle, type LucideIcon } from 'lucide-react';
import { Button, classes } from '../../../kit/components/button.tsx';
import { useSettled } from '../../../kit/components/time-hooks.ts';
import { currentSite, useApp } from '../../common/state/app-store.ts';
import { showEdits } from '../../edits/state/edits-store.ts';
import { hasEdits } from '../state/inspector-draft.ts';
import { revertDraft, save, useInspector } from '../state/inspector-store.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';
import { type SaveStatus, saveStatus } from './save-status.ts';

/** An edit that waits for a shorter time is shown as being saved: most are sent within a second. */
const SOON_MS = 2000;

const ICONS: Readonly<Partial<Record<SaveStatus['tone'], LucideIcon>>> = {
  busy: LoaderCircle,
  good: CircleCheck,
  wait: CloudOff,
  bad: CircleAlert,
};

/** The foot of the inspector: whether the item is saved, and the buttons for unsaved changes. */
export function SaveBar() {
  const detail = useInspector((state) => state.detail);
  const edits = useInspector((state) => state.edits);
  const busy = useInspector((state) => state.busy);
  const error = useInspector((state) => state.error);
  const gone = useInspector((state) => state.gone);
  const problems = useInspector((state) => state.problems);
  const outcome = useInspector((state) => state.outcome);
  const isReachable = useApp((state) => currentSite(state)?.reachable !== false);
  const isPending = detail?.isPending === true;
  const { settled: isPendingForLong } = useSettled(isPending, SOON_MS);
  const isSoon = isPending && !isPendingForLong;
  if (detail === null) return null;
  const isDirty = hasEdits(edits);
  const status = saveStatus({ busy, isDirty, error, gone, problems, outcome, detail, isReachable, isSoon });
  const Icon = ICONS[status.tone];
  const hasButtons = isDirty && gone === null;
  return (
    <div className={classes(styles.savebar, status.tone === 'none' && styles.empty)} data-save={status.tone}>
      <span
        className={styles[status.tone]}
        role="status"
        title={status.tone === 'unsaved' ? texts.details.unsavedHint : ''}
      >
        {status.tone === 'unsaved' ? <span className={styles.dirtyDot} aria-hidden /> : null}
        {Icon === undefined ? null : (
          <Icon size={14} aria-hidden className={status.tone === 'busy' ? styles.turning : undefined} />
        )}
        {status.text}
      </span>
      {status.asks ? <Button onPress={() => showEdits('attention')}>{texts.item.save.showEdits}</Button> : null}
      {hasButtons ? (
        <>
          <Button onPress={revertDraft} isBusy={busy !== null}>
            {texts.details.revert}
          </Button>
          <Button variant="primary" onPress={() => void save()} isBusy={busy !== null}>
            {texts.details.save}
          </Button>
        </>
      ) : null}
    </div>
  );
}
