import { CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../kit/components/button.tsx';
import { earlierCount } from '../../state/add-pairs.ts';
import { useAdd } from '../../state/add-store.ts';
import { SheetNotice } from '../sheet-notice.tsx';
import { PairDialog } from './pair-dialog.tsx';
import { texts } from './texts.ts';

/** Shows how many files need a choice of their recording, and opens the dialog for it. */
export function PairNotice() {
  const sidecars = useAdd((state) => state.sidecars);
  const unclear = useAdd((state) => state.unclear);
  const choices = useAdd((state) => state.pairChoices);
  const [isOpen, setOpen] = useState(false);
  if (!sidecars || unclear.length === 0) return null;
  const open = unclear.filter(({ path }) => !choices.has(path)).length;
  const earlier = earlierCount(unclear, choices);
  const earlierText = earlier === 0 ? null : texts.noticeEarlier(earlier);
  return (
    <>
      <SheetNotice
        icon={<CircleHelp size={15} aria-hidden />}
        isOpen={open > 0}
        text={open === 0 ? (earlierText ?? texts.noticeDone(unclear.length)) : texts.notice(open)}
        hint={open === 0 ? null : [texts.noticeHint(open), earlierText].filter((text) => text !== null).join(' ')}
        testId="pair-notice"
      >
        <Button onPress={() => setOpen(true)}>{open === 0 ? texts.change : texts.choose}</Button>
      </SheetNotice>
      {isOpen ? <PairDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
