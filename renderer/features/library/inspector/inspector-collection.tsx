import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { Button } from '../../../kit/components/button.tsx';
import { formatCount } from '../../../kit/text/format.ts';
import { CollectionPicture } from '../collections/collection-picture.tsx';
import { COLLECTION_COMMANDS, type CollectionCommand } from '../commands/collection-commands.ts';
import { texts } from '../texts.ts';
import styles from './inspector.module.css';

const COMMANDS: readonly CollectionCommand[] = [
  COLLECTION_COMMANDS.edit,
  COLLECTION_COMMANDS.podcast,
  COLLECTION_COMMANDS.thumbnail,
  COLLECTION_COMMANDS.people,
];

/** Shows facts about the open collection and its most important commands, while no item is selected. */
export function InspectorCollection({ row }: { row: CollectionRow }) {
  const { mediaCount, mediaCountBelow, childCount } = row;
  const facts: [string, string][] = [
    [texts.item.collection.items, mediaCount === null ? '–' : formatCount(mediaCount)],
    ...(childCount === 0
      ? []
      : ([
          [texts.item.collection.children, formatCount(childCount)],
          [texts.item.collection.itemsBelow, mediaCountBelow === null ? '–' : formatCount(mediaCountBelow)],
        ] satisfies [string, string][])),
    [texts.item.collection.kind, row.isPodcast ? texts.item.collection.podcast : texts.item.collection.plain],
    ...(row.slug === '' ? [] : ([[texts.item.collection.slug, row.slug]] satisfies [string, string][])),
  ];
  return (
    <>
      <header className={styles.head}>
        <h2 className={styles.name} title={row.displayName}>
          {row.displayName}
        </h2>
        <p className={styles.small}>{texts.item.collection.hint}</p>
      </header>
      <div className={styles.scroll}>
        <CollectionPicture key={row.id} id={row.id} className={styles.cover}>
          {null}
        </CollectionPicture>
        <dl className={styles.sums}>
          {facts.map(([label, text]) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.commands}>
          {COMMANDS.filter(({ isFor }) => isFor?.(row) !== false).map(({ id, label, icon: Icon, run }) => (
            <Button key={id} variant="quiet" icon={<Icon size={15} strokeWidth={1.75} />} onPress={() => run(row)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
    </>
  );
}
