import { type ReactNode, useState } from 'react';
import type { PopoverProps } from 'react-aria-components';
import { localTimeZone } from '../../../shared/model/local-time-zone.ts';
import { draftOfTime, instantOfDraft, nextFullHour } from '../../kit/components/forms/zoned-time-draft.ts';
import { ZonedTimeField } from '../../kit/components/forms/zoned-time-field.tsx';
import { FormDialog } from '../../kit/components/overlay/form-dialog.tsx';
import { ActionMenu, type MenuEntry } from '../../kit/components/overlay/menu.tsx';
import { pauseChoices, untilWords } from '../../kit/text/until-text.ts';
import { command, openPauseDialog, pauseUntil, usePauseDialog } from './state/upload-commands.ts';
import { texts } from './texts.ts';
import styles from './uploads-view.module.css';

interface PauseMenuProps {
  /** The button that opens it. */
  children: ReactNode;
  placement?: PopoverProps['placement'];
  /** Whether the menu contains “Until I resume”: for places without a separate button for it. */
  withPlain?: boolean;
}

/** Chooses for how long the whole queue pauses. */
export function PauseMenu({ children, placement = 'bottom end', withPlain = false }: PauseMenuProps) {
  return (
    <ActionMenu
      label={texts.pause.title}
      placement={placement}
      groups={[{ title: texts.pause.title, entries: pauseEntries(withPlain) }]}
    >
      {children}
    </ActionMenu>
  );
}

/** The choices for how long the queue pauses. */
export function pauseEntries(withPlain: boolean): MenuEntry[] {
  const plain: MenuEntry = {
    id: 'plain',
    label: texts.pause.plain,
    onAction: () => void command('pause', { kind: 'all' }),
  };
  const entries: MenuEntry[] = pauseChoices(Date.now()).map(({ id, label, untilMs }) => ({
    id,
    label,
    onAction: () => void pauseUntil(untilMs),
  }));
  const other: MenuEntry = { id: 'other', label: texts.pause.other, onAction: () => openPauseDialog(true) };
  return [...(withPlain ? [plain] : []), ...entries, other];
}

/** The dialog that asks for the end of a pause of the queue. */
export function PauseDialog() {
  const isOpen = usePauseDialog((state) => state.isOpen);
  return isOpen ? <PauseForm /> : null;
}

function PauseForm() {
  const [value, setValue] = useState(() => draftOfTime(nextFullHour(Date.now()), localTimeZone()));
  const until = instantOfDraft(value);
  const isPast = until !== null && until <= Date.now();
  const isValid = until !== null && !isPast;
  const close = () => openPauseDialog(false);
  const submit = () => {
    if (until === null) return;
    close();
    void pauseUntil(until);
  };
  return (
    <FormDialog
      title={texts.pause.title}
      action={texts.pause.confirm}
      width={380}
      isDisabled={!isValid}
      onSubmit={submit}
      onClose={close}
    >
      <ZonedTimeField label={texts.pause.until} draft={value} onChange={setValue} pastHint={texts.pause.past} />
      {until === null || isPast ? null : (
        <p className={styles.pauseHint}>{texts.pause.hint(untilWords(until, Date.now()))}</p>
      )}
    </FormDialog>
  );
}
