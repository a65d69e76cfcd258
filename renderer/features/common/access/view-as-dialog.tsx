import { useState } from 'react';
import type { AccessChange, AccessSubject } from '../../../../shared/contract/admin/access.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { useLoaded } from '../../../kit/async/use-loaded.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { Dialog } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import styles from './access.module.css';
import { nameOfSubject, SubjectField } from './subject-field.tsx';
import { texts } from './texts.ts';
import { ViewGrid } from './view-grid.tsx';

const words = texts.view;

/** Whose view of the library is shown. */
export interface AccessViewer {
  subject: AccessSubject;
  name: string;
}

interface ViewAsDialogProps {
  siteId: string;
  /** Whose view is shown at first; null: the user chooses. */
  viewer: AccessViewer | null;
  /** A change that is planned: the view is shown before and after it. */
  change: AccessChange | null;
  onClose: () => void;
}

/** Shows the library as a user or a group sees it: the visible collections, with what they may do there. */
export function ViewAsDialog({ siteId, viewer: first, change, onClose }: ViewAsDialogProps) {
  const [viewer, setViewer] = useState(first);
  return (
    <Dialog title={viewer === null ? words.choose : words.title(viewer.name)} isOpen onClose={onClose} width={920}>
      <div className={styles.viewHead}>
        <SubjectField
          siteId={siteId}
          onTake={(found) => setViewer({ subject: found.subject, name: nameOfSubject(found) })}
        />
      </div>
      {viewer === null ? (
        <p className={styles.note}>{words.chooseText}</p>
      ) : (
        <View key={`${viewer.subject.kind} ${viewer.subject.id}`} siteId={siteId} change={change} viewer={viewer} />
      )}
    </Dialog>
  );
}

function View({ siteId, viewer, change }: { siteId: string; viewer: AccessViewer; change: AccessChange | null }) {
  const { subject } = viewer;
  const { value, error, load } = useLoaded(`${subject.kind} ${subject.id}`, () =>
    call('access.view', { siteId, subject, change }),
  );
  if (error !== null) return <InlineError error={error} onRetry={() => void load()} />;
  if (value === null) return <p className={styles.note}>{words.loading}</p>;
  return <Seen found={value} isPlanned={change !== null} name={viewer.name} />;
}

function Seen({ found, isPlanned, name }: { found: CallOutput<'access.view'>; isPlanned: boolean; name: string }) {
  const changed = found.rows.filter(({ was, is }) => was !== is);
  const [onlyChanged, setOnlyChanged] = useState(isPlanned && changed.length > 0);
  const rows = onlyChanged ? changed : found.rows;
  const visible = found.rows.filter(({ is }) => is !== 0).length;
  return (
    <>
      <p role="status">{words.count(visible, found.total, isPlanned)}</p>
      {isPlanned ? (
        <div className={styles.viewChanges}>
          <span>{changed.length === 0 ? words.unchanged : words.changed(changed.length)}</span>
          {changed.length === 0 ? null : (
            <Checkbox isSelected={onlyChanged} onChange={setOnlyChanged}>
              {words.onlyChanged}
            </Checkbox>
          )}
        </div>
      ) : null}
      {rows.length === 0 ? (
        <p className={styles.note}>{words.nothing}</p>
      ) : (
        <ViewGrid rows={rows} label={words.list(name)} isFlat={onlyChanged} />
      )}
    </>
  );
}
