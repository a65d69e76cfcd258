import { type ReactNode, useState } from 'react';
import type { PopoverProps } from 'react-aria-components';
import { Button } from '../../components/button.tsx';
import { LocalTimeField, nextFullHour } from '../../components/forms/local-time-field.tsx';
import { Dialog, FooterSpace } from '../../components/overlay/dialog.tsx';
import { ActionMenu, type MenuEntry } from '../../components/overlay/menu.tsx';
import { command, openPauseDialog, pauseUntil, usePauseDialog } from '../../stores/uploads/upload-commands.ts';
import { fromLocalInput, toLocalInput } from '../../text/format.ts';
import { pauseChoices, untilWords } from '../../text/until-text.ts';
import styles from './uploads-view.module.css';

interface PauseMenuProps {
  /** The button that opens it. */
  children: ReactNode;
  placement?: PopoverProps['placement'];
  /** Adds “Until I resume”, where there is no other button for it. */
  withPlain?: boolean;
}

/** Chooses for how long the whole queue pauses. */
export function PauseMenu({ children, placement = 'bottom end', withPlain = false }: PauseMenuProps) {
  const plain: MenuEntry = {
    id: 'plain',
    label: 'Until I resume',
    onAction: () => void command('pause', { kind: 'all' }),
  };
  const entries: MenuEntry[] = pauseChoices(Date.now()).map(({ id, label, untilMs }) => ({
    id,
    label,
    onAction: () => void pauseUntil(untilMs),
  }));
  const other: MenuEntry = { id: 'other', label: 'Until a time…', onAction: () => openPauseDialog(true) };
  return (
    <ActionMenu
      label="Pause all uploads"
      placement={placement}
      groups={[{ title: 'Pause all uploads', entries: [...(withPlain ? [plain] : []), ...entries, other] }]}
    >
      {children}
    </ActionMenu>
  );
}

/** The dialog for the time until which the queue pauses. */
export function PauseDialog() {
  const isOpen = usePauseDialog((state) => state.isOpen);
  return isOpen ? <PauseForm /> : null;
}

const FORM = 'pause-until';

function PauseForm() {
  const [value, setValue] = useState(() => toLocalInput(nextFullHour(Date.now())));
  const instant = fromLocalInput(value);
  const until = instant === null ? null : Date.parse(instant);
  const isPast = until !== null && until <= Date.now();
  const isValid = until !== null && !isPast;
  const close = () => openPauseDialog(false);
  return (
    <Dialog
      title="Pause all uploads"
      isOpen
      onClose={close}
      width={380}
      footer={
        <>
          <FooterSpace />
          <Button onPress={close}>Cancel</Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={!isValid}>
            Pause
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        onSubmit={(event) => {
          event.preventDefault();
          if (until === null || !isValid) return;
          close();
          void pauseUntil(until);
        }}
      >
        <LocalTimeField
          label="Until"
          value={value}
          onChange={setValue}
          pastHint="That time has gone by. Choose a later one."
        />
      </form>
      {until === null || isPast ? null : (
        <p className={styles.pauseHint}>
          Nothing is sent until {untilWords(until, Date.now())}; then the queue goes on by itself, also after Mediadesk
          was closed.
        </p>
      )}
    </Dialog>
  );
}
