import { CircleHelp } from 'lucide-react';
import { Button } from '../../kit/components/button.tsx';
import { useOutline } from './state/outline/outline-store.ts';
import { resolveDuplicates } from './state/upload-commands.ts';
import { useUploads } from './state/uploads-store.ts';
import { texts } from './texts.ts';
import styles from './uploads-view.module.css';

/** A bar in the tab of open decisions: one decision about all files that the library already contains. */
export function DuplicatesBar() {
  const count = useUploads((state) => state.totals?.duplicates ?? 0);
  const tab = useOutline((state) => state.tab);
  if (count === 0 || tab !== 'needs-decision') return null;
  const selection = { kind: 'failed' } as const;
  return (
    <div className={styles.bar} data-testid="duplicates-bar">
      <CircleHelp size={15} aria-hidden />
      <span role="status">{texts.decisions.bar(count)}</span>
      <span className={styles.grow} />
      <Button onPress={() => void resolveDuplicates(selection, 'skip')}>{texts.decisions.skipAll(count)}</Button>
      <Button onPress={() => void resolveDuplicates(selection, 'upload')}>{texts.decisions.uploadAll(count)}</Button>
    </div>
  );
}
