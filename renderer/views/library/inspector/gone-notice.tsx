import { htmlToText, PARAGRAPHS } from '../../../../shared/api/html-text.ts';
import { copyText } from '../../../bridge/copy-text.ts';
import { Button } from '../../../components/button.tsx';
import { InlineError } from '../../../components/status/empty-state.tsx';
import { attempt, notify } from '../../../stores/app/messages-store.ts';
import { type Edits, hasEdits } from '../../../stores/library/inspector-draft.ts';
import { discardGone, loadDetail, useInspector } from '../../../stores/library/inspector-store.ts';
import { deselectMedia } from '../../../stores/library/selection/media-selection.ts';
import { focusMediaList } from '../focus.ts';
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
function textOf({ title, byline, description, tags }: Edits): string {
  const { details } = libraryTexts;
  const parts = [
    title === undefined ? null : `${details.title}: ${title.mine}`,
    byline === undefined ? null : `${details.byline}: ${byline.mine}`,
    description === undefined ? null : `${details.description}:\n${htmlToText(description.mine, PARAGRAPHS)}`,
    tags === undefined ? null : `${details.tags}: ${tags.mine.join(', ')}`,
  ];
  return parts.filter((part) => part !== null).join('\n\n');
}
