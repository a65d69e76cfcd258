import { Button } from '../../kit/components/button.tsx';
import styles from './restored-note.module.css';
import { texts } from './texts.ts';

/** Says that a form has what was typed into it earlier, and lets the user start again. */
export function RestoredNote({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className={styles.note} role="note">
      <span>{texts.restored.text}</span>
      <Button onPress={onDiscard}>{texts.restored.discard}</Button>
    </div>
  );
}
