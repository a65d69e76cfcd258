import { CircleAlert, Clock, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { classes } from '../../components/button.tsx';
import { showView } from '../../stores/app/app-store.ts';
import { attentionTotal, openEditsView, useEdits } from '../../stores/edits/edits-store.ts';
import { texts } from './texts.ts';
import styles from './upload-strip.module.css';

/** Edits that are saved sooner are not shown, so that nothing flickers. */
const SHOWN_AFTER_MS = 1_000;

/** The edits that are being sent, wait or need the user: a part of the line at the bottom of every view. */
export function EditsStatus() {
  const totals = useEdits((state) => state.totals);
  const running = useEdits((state) => state.running);
  const isLong = useIsLong(totals.pending > 0);
  const attention = attentionTotal(totals);
  if (totals.pending > 0 && !isLong && attention === 0) return null;
  if (totals.pending === 0 && attention === 0) return null;
  const waits = running.find(({ waitsFor }) => waitsFor !== null)?.waitsFor ?? null;
  const items = running.reduce((sum, group) => sum + group.items, 0);
  const isSending = totals.pending > 0 && waits === null;
  const Icon = isSending ? LoaderCircle : totals.pending > 0 ? Clock : CircleAlert;
  const words = isSending
    ? texts.edits.saving(Math.max(0, items - totals.pending), Math.max(items, totals.pending))
    : totals.pending > 0
      ? texts.edits.waiting(totals.pending)
      : texts.edits.attention(attention);
  const open = () => {
    showView('edits');
    openEditsView();
  };
  return (
    <AriaButton className={classes(styles.open, styles.edits, isSending && styles.busy)} onPress={open}>
      <Icon size={15} strokeWidth={1.75} aria-hidden />
      <span data-testid="strip-edits" {...(waits === null ? {} : { title: waits.message })}>
        {words}
      </span>
    </AriaButton>
  );
}

/** Whether something has lasted for a second. */
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
