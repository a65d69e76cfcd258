import { CircleHelp } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { resolveDuplicates } from '../../stores/uploads/upload-commands.ts';
import { useUploads } from '../../stores/uploads/uploads-store.ts';
import { formatCount } from '../../text/format.ts';
import styles from './uploads-view.module.css';

/** Asks for one decision about all files that the library has already. */
export function DuplicatesBar() {
  const count = useUploads((state) => state.totals?.duplicates ?? 0);
  if (count === 0) return null;
  const selection = { kind: 'failed' } as const;
  return (
    <div className={styles.bar} role="status" data-testid="duplicates-bar">
      <CircleHelp size={15} aria-hidden />
      <span>
        {count === 1
          ? 'One file is in the library already.'
          : `${formatCount(count)} files are in the library already.`}
      </span>
      <span className={styles.grow} />
      <Button onPress={() => void resolveDuplicates(selection, 'skip')}>{count === 1 ? 'Skip it' : 'Skip all'}</Button>
      <Button onPress={() => void resolveDuplicates(selection, 'upload')}>
        {count === 1 ? 'Upload anyway' : 'Upload all anyway'}
      </Button>
    </div>
  );
}
