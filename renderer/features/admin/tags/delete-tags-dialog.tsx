import adminStyles from '../admin.module.css';
import { DeletionDialog } from '../deletion-dialog.tsx';
import { deleteTags, deletionOfTags, type ListedTag } from '../state/tag-list.ts';
import { useDeletion } from '../state/use-deletion.ts';
import { texts } from './texts.ts';

const words = texts.deletion;
/** The number of tags that the question lists. */
const MOST_NAMES = 50;

/** Asks before tags are deleted: names the first of them with the numbers of their items. Deletes exactly the counted ones. */
export function DeleteTagsDialog({ tags, onClose }: { tags: readonly ListedTag[]; onClose: () => void }) {
  const deletion = useDeletion({
    key: tags.map(({ id }) => id).join(' '),
    read: (siteId) => deletionOfTags(siteId, tags),
    remove: deleteTags,
    onDone: onClose,
  });
  const found = deletion.preview ?? [];
  const count = deletion.preview === null ? tags.length : found.length;
  return (
    <DeletionDialog
      title={words.title(count)}
      keep={words.keep}
      action={words.action(count)}
      checking={words.counting}
      deletion={deletion}
      isWaiting={count === 0}
      onClose={onClose}
    >
      <ul className={`${adminStyles.choices} ${adminStyles.lines}`}>
        {found.slice(0, MOST_NAMES).map(({ id, name, items }) => (
          <li key={id}>{items === null ? words.unknown(name) : words.use(name, items)}</li>
        ))}
        {found.length > MOST_NAMES ? (
          <li className={adminStyles.more}>{words.more(found.length - MOST_NAMES)}</li>
        ) : null}
      </ul>
      <p>{words.text}</p>
    </DeletionDialog>
  );
}
