import { type MouseEvent, useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import { formatCount } from '../../../kit/text/format.ts';
import { openCollection } from '../../common/commands/commands.ts';
import { useCollections } from '../state/collections/collections-store.ts';
import { changeQuery, mediaList } from '../state/media-store.ts';
import { loadBranch, useTree } from '../state/tree-store.ts';
import { CollectionPicture } from './collection-picture.tsx';
import styles from './subcollections.module.css';
import { texts } from './texts.ts';

const FIRST_SHOWN = 8;
/** The maximum number of collections on the page; further ones are only in the tree, which has room for any number. */
const MOST_SHOWN = 200;

/**
 * The collections directly below the open one, above its items, and the switch that includes their items in the list. A search
 * hides the collections, because it finds items only.
 */
export function Subcollections() {
  const selectedId = useTree((state) => state.selectedId);
  const parent = useTree((state) => (selectedId === null ? undefined : state.rows.get(selectedId)));
  const branch = useTree((state) => (selectedId === null ? undefined : state.branches.get(selectedId)));
  const rows = useTree((state) => state.rows);
  const isSearch = mediaList.useList((state) => (state.query?.search ?? '') !== '');
  const hasChildren = (parent?.childCount ?? 0) > 0;
  const isMissing = branch === undefined;
  useEffect(() => {
    if (selectedId !== null && hasChildren && isMissing) void loadBranch(selectedId);
  }, [selectedId, hasChildren, isMissing]);
  if (selectedId === null || !hasChildren || branch?.kind !== 'ready') return null;
  const children = branch.ids.flatMap((id) => rows.get(id) ?? []);
  if (children.length === 0) return null;
  return (
    <section className={styles.section} aria-label={texts.page.label}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{texts.page.heading(children.length)}</h2>
        <IncludeBelow />
      </div>
      {isSearch ? null : <Cards key={selectedId} rows={children} />}
    </section>
  );
}

function IncludeBelow() {
  const isIncluded = mediaList.useList((state) => state.query?.includesBelow === true);
  return (
    <Checkbox isSelected={isIncluded} onChange={(includesBelow) => changeQuery({ includesBelow })}>
      {texts.page.includeBelow}
    </Checkbox>
  );
}

/** The second click of a double-click is on what the first one opened: another card must not open with it. */
function dropSecondClick(event: MouseEvent): void {
  if (event.detail > 1) event.stopPropagation();
}

function Cards({ rows }: { rows: readonly CollectionRow[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = rows.slice(0, isOpen ? MOST_SHOWN : FIRST_SHOWN);
  const more = Math.min(rows.length, MOST_SHOWN) - FIRST_SHOWN;
  return (
    <>
      <ul className={styles.cards} onClickCapture={dropSecondClick}>
        {shown.map((row) => (
          <li key={row.id}>
            <AriaButton className={styles.card ?? ''} onPress={() => openCollection(row.id)}>
              {/* biome-ignore lint/a11y/noStaticElementInteractions: the tree and the page of the collection have the same menu */}
              <span
                className={styles.face}
                onContextMenu={(event) => {
                  event.preventDefault();
                  useCollections.setState({ menu: { collectionId: row.id, x: event.clientX, y: event.clientY } });
                }}
              >
                <span className={styles.picture}>
                  <CollectionPicture id={row.id} className={styles.image}>
                    <Glyph name={row.isPodcast ? 'podcast' : 'folder'} size={16} />
                  </CollectionPicture>
                </span>
                <span className={styles.name} title={row.displayName}>
                  {row.displayName}
                </span>
                <Count row={row} />
              </span>
            </AriaButton>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <Button variant="link" onPress={() => setOpen(!isOpen)}>
          {isOpen ? texts.page.less : texts.page.more(more)}
        </Button>
      ) : null}
      {isOpen && rows.length > MOST_SHOWN ? <p className={styles.note}>{texts.page.rest}</p> : null}
    </>
  );
}

/** The number of items in a collection and in all collections below it; nothing when the library does not report them. */
function Count({ row }: { row: CollectionRow }) {
  if (row.mediaCount === null || row.mediaCountBelow === null) return null;
  const count = row.mediaCount + row.mediaCountBelow;
  return (
    <span className={styles.count}>
      <span aria-hidden>{formatCount(count)}</span>
      <span className="visually-hidden">{texts.page.below(count)}</span>
    </span>
  );
}
