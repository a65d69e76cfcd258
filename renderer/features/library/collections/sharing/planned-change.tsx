import { useEffect, useRef } from 'react';
import { Button } from '../../../../kit/components/button.tsx';
import { InlineError } from '../../../../kit/components/status/empty-state.tsx';
import { EffectLines } from '../../../common/access/effect-lines.tsx';
import styles from './sharing.module.css';
import { texts } from './texts.ts';
import type { Planned } from './use-sharing.ts';

interface PlannedChangeProps {
  planned: Planned;
  onConfirm: () => void;
  onDrop: () => void;
  /** Shows the library as somebody would see it after the change; null where nobody may read that. */
  onView: (() => void) | null;
}

/** A chosen change with what it means for people. It is sent only when the user confirms it. */
export function PlannedChange({ planned, onConfirm, onDrop, onView }: PlannedChangeProps) {
  const { title, effects, error, isSending } = planned;
  // Another administrator was faster: the plan is about a role that no longer exists like this.
  const isOver = error?.code === 'admin.membership-changed' || error?.code === 'admin.membership-removed';
  const box = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown again for each change
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [planned.change, effects]);
  // The question gets the keyboard focus; afterwards it returns to the control that asked, if it still exists.
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <section className={styles.planned} aria-label={texts.planned} ref={box} tabIndex={-1}>
      <p className={styles.plannedTitle}>{title}</p>
      {error === null ? null : <InlineError error={error} />}
      <div role="status">
        {effects === null ? (
          error === null ? (
            <p className={styles.note}>{texts.checking}</p>
          ) : null
        ) : effects === 'unknown' ? (
          <p className={styles.note}>{texts.unknownEffects}</p>
        ) : (
          <EffectLines effects={effects} />
        )}
      </div>
      <div className={styles.buttons}>
        {onView === null ? null : (
          <Button onPress={onView} isDisabled={isSending}>
            {texts.view}
          </Button>
        )}
        <Button onPress={onDrop} isDisabled={isSending}>
          {texts.drop}
        </Button>
        <Button variant="primary" isBusy={isSending} isDisabled={effects === null || isOver} onPress={onConfirm}>
          {texts.apply}
        </Button>
      </div>
    </section>
  );
}
