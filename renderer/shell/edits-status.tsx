import { CircleAlert, Clock, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { attentionTotal, showEdits, useEdits } from '../features/edits/state/edits-store.ts';
import { classes } from '../kit/components/button.tsx';
import { texts } from './texts.ts';
import styles from './upload-strip.module.css';

/** Edits that are saved within this time are not shown, so that the line does not flicker. */
const SHOWN_AFTER_MS = 1_000;

/** Shows how many edits are being sent, wait, or need the user, in the line at the bottom of every view. */
export function EditsStatus() {
  return (
    <>
      <SendingStatus />
      <AttentionStatus />
    </>
  );
}

function SendingStatus() {
  const pending = useEdits((state) => state.totals.pending);
  const running = useEdits((state) => state.running);
  const isLong = useIsLong(pending > 0);
  if (pending === 0 || !isLong) return null;
  const waits = running.find(({ waitsFor }) => waitsFor !== null)?.waitsFor ?? null;
  const items = running.reduce((sum, group) => sum + group.items, 0);
  const Icon = waits === null ? LoaderCircle : Clock;
  const words =
    waits === null
      ? texts.edits.saving(Math.max(0, items - pending), Math.max(items, pending))
      : texts.edits.waiting(pending);
  return (
    <AriaButton
      className={classes(styles.open, styles.edits, waits === null && styles.busy)}
      onPress={() => showEdits('pending')}
    >
      <Icon size={15} strokeWidth={1.75} aria-hidden />
      <span data-testid="strip-edits" {...(waits === null ? {} : { title: waits.message })}>
        {words}
      </span>
    </AriaButton>
  );
}

function AttentionStatus() {
  const attention = useEdits((state) => attentionTotal(state.totals));
  if (attention === 0) return null;
  return (
    <AriaButton className={classes(styles.open, styles.edits)} onPress={() => showEdits('attention')}>
      <CircleAlert size={15} strokeWidth={1.75} aria-hidden />
      <span data-testid="strip-edits-attention">{texts.edits.attention(attention)}</span>
    </AriaButton>
  );
}

/** Returns whether a condition has been true for a second. */
function useIsLong(isOn: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isOn) return;
    const timer = window.setTimeout(() => setLong(true), SHOWN_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [isOn]);
  return isLong;
}
