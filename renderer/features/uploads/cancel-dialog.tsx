import { ConfirmDialog } from '../../kit/components/overlay/dialog.tsx';
import { cancelSentences, cancelTitle, effectsTotal } from './state/cancel-text.ts';
import { confirmCancel, keepUploads, useCancel } from './state/cancel-uploads.ts';
import { texts } from './texts.ts';

/** Asks for confirmation before a cancel that discards sent data or deletes items of the library. */
export function CancelDialog() {
  const question = useCancel((state) => state.question);
  if (question === null) return null;
  const { effects, title } = question;
  const count = effectsTotal(effects);
  return (
    <ConfirmDialog
      title={cancelTitle(effects, title)}
      text={cancelSentences(effects)}
      keep={texts.cancel.keep(count)}
      confirm={texts.cancel.confirm(count)}
      isOpen
      closesFirst={false}
      onConfirm={() => void confirmCancel()}
      onClose={keepUploads}
    />
  );
}
