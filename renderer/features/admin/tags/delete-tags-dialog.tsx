import { Button } from '../../../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import adminStyles from '../admin.module.css';
import { deleteTags, type ListedTag } from '../state/tag-list.ts';
import { texts } from './texts.ts';
import { useTagUses } from './use-tag-uses.ts';

const words = texts.deletion;
/** The number of tags that the question lists. */
const MOST_NAMES = 50;

/**
 * Asks before tags are deleted: names the first of them with the numbers of their items. Deletes exactly the given ones, once these
 * numbers are counted or can't be counted.
 */
export function DeleteTagsDialog({ tags, onClose }: { tags: readonly ListedTag[]; onClose: () => void }) {
  const listed = tags.slice(0, MOST_NAMES);
  const { counts, isDone, error, load } = useTagUses(listed.map(({ name }) => name));
  const isReady = isDone || error !== null;
  const remove = () => {
    onClose();
    void deleteTags(tags);
  };
  const itemsText = (name: string) => {
    const items = counts.get(name);
    if (items !== undefined) return words.use(name, items);
    return isReady ? words.unknown(name) : name;
  };
  return (
    <Dialog
      title={words.title(tags.length)}
      isOpen
      onClose={onClose}
      role="alertdialog"
      footer={
        <>
          <FooterSpace />
          <Button autoFocus onPress={onClose}>
            {words.keep}
          </Button>
          <Button variant="danger" isBusy={!isReady || tags.length === 0} onPress={remove}>
            {words.action(tags.length)}
          </Button>
        </>
      }
    >
      {error === null ? null : <InlineError error={error} onRetry={load} />}
      {isReady ? null : <p className={adminStyles.note}>{words.counting}</p>}
      <ul className={`${adminStyles.choices} ${adminStyles.lines}`}>
        {listed.map(({ id, name }) => (
          <li key={id}>{itemsText(name)}</li>
        ))}
        {tags.length > listed.length ? (
          <li className={adminStyles.more}>{words.more(tags.length - listed.length)}</li>
        ) : null}
      </ul>
      <p>{words.text}</p>
    </Dialog>
  );
}
