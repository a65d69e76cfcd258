import { htmlToText, PARAGRAPHS } from '../../../../shared/api/html-text.ts';
import { ITEM_FIELD } from '../../../../shared/item/fields.ts';
import { copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { Button } from '../../../kit/components/button.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { attempt, notify } from '../../common/state/messages-store.ts';
import { focusMediaList } from '../focus.ts';
import { DRAFT_FIELDS, type Edits, hasEdits } from '../state/inspector-draft.ts';
import { discardGone, loadDetail, useInspector } from '../state/inspector-store.ts';
import { deselectMedia } from '../state/selection/media-selection.ts';
import { texts as libraryTexts } from '../texts.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

/**
 * A notice above the fields of an item that was deleted while it was open: the user can copy unsaved changes before they are
 * discarded.
 */
export function GoneNotice() {
  const gone = useInspector((state) => state.gone);
  const edits = useInspector((state) => state.edits);
  if (gone === null) return null;
  const isDirty = hasEdits(edits);
  const copy = () =>
    attempt(async () => {
      copyText(textOf(edits));
      notify(texts.gone.copied);
    });
  const discard = () => {
    discardGone();
    deselectMedia();
    focusMediaList();
  };
  return (
    <InlineError error={{ ...gone, message: texts.gone.title, nextStep: texts.gone.text }}>
      {isDirty ? <p>{texts.gone.edits}</p> : null}
      <div className={styles.row}>
        {isDirty ? <Button onPress={() => void copy()}>{texts.gone.copy}</Button> : null}
        {isDirty ? <Button onPress={discard}>{texts.gone.discard}</Button> : null}
        <Button onPress={() => void loadDetail()}>{texts.gone.check}</Button>
      </div>
    </InlineError>
  );
}

/** Returns the changed fields as text, each with its name. */
function textOf(edits: Edits): string {
  const parts = DRAFT_FIELDS.flatMap((field) => {
    const mine = edits[field]?.mine;
    if (mine === undefined) return [];
    const label = libraryTexts.details[field];
    if (typeof mine !== 'string') return [`${label}: ${mine.join(', ')}`];
    return [ITEM_FIELD[field].kind === 'html' ? `${label}:\n${htmlToText(mine, PARAGRAPHS)}` : `${label}: ${mine}`];
  });
  return parts.join('\n\n');
}
