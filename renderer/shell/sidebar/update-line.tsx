import { CircleArrowUp } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { Updates } from '../../../shared/contract/updates.ts';
import { showSettings } from '../../features/common/state/app-store.ts';
import { closeDrawer } from '../../features/common/state/layout-store.ts';
import { useUpdates } from '../../features/settings/state/updates-store.ts';
import { updateTitle } from '../../features/settings/updates/updates-text.ts';
import { IconButton } from '../../kit/components/button.tsx';
import { texts } from '../texts.ts';
import styles from './sidebar.module.css';

/** Returns what the user should know about updates without looking for it; null: nothing. A failed check is not part of it. */
function wordsOf(updates: Updates): string | null {
  const { phase, offer, problem } = updates;
  if ((phase === 'available' || phase === 'ready') && offer !== null) return updateTitle(updates);
  if (problem?.code === 'update.not-installed') return texts.update.notInstalled;
  return problem?.code === 'update.own-version-blocked' ? texts.update.withdrawn : null;
}

/** Says that there is a new version, and leads to it; nothing otherwise. `iconOnly`: in the rail. */
export function UpdateLine({ iconOnly = false }: { iconOnly?: boolean }) {
  const words = useUpdates(({ updates }) => (updates === null ? null : wordsOf(updates)));
  if (words === null) return null;
  const open = () => {
    closeDrawer();
    showSettings('updates');
  };
  if (iconOnly) {
    return (
      <IconButton label={words} onPress={open}>
        <CircleArrowUp size={18} strokeWidth={1.75} />
      </IconButton>
    );
  }
  return (
    <AriaButton className={styles.update ?? ''} onPress={open} data-testid="update-line">
      <CircleArrowUp size={16} strokeWidth={1.75} aria-hidden />
      {words}
    </AriaButton>
  );
}
