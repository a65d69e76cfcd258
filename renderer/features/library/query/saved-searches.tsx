import { ChevronRight, Ellipsis, Plus, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId } from 'react';
import { Button as AriaButton, GridList, GridListItem } from 'react-aria-components';
import type { ListedSearch } from '../../../../shared/contract/searches.ts';
import { IconButton } from '../../../kit/components/button.tsx';
import { ActionMenu, type MenuGroup } from '../../../kit/components/overlay/menu.tsx';
import { formatCount } from '../../../kit/text/format.ts';
import { useApp } from '../../common/state/app-store.ts';
import { openSearch, saveCurrentSearch } from '../commands/search-commands.ts';
import { mediaList } from '../state/media-store.ts';
import {
  markSeen,
  moveSearch,
  openSearchDialog,
  searchNameOf,
  toggleSearches,
  useSearches,
} from '../state/query/saved-searches.ts';
import styles from './saved-searches.module.css';
import { texts } from './texts.ts';

const { saved: words } = texts;

/** The saved searches of the library with the number of their items, for the sidebar. */
export function SavedSearchList() {
  const siteId = useSearches((state) => state.siteId);
  const searches = useSearches((state) => state.searches);
  const isOpen = useSearches((state) => state.isOpen);
  const canSave = mediaList.useList((state) => (state.query?.search ?? '') !== '');
  const currentId = useCurrent(searches);
  const listId = useId();
  // What the user changes while the results are shown is seen as well.
  useEffect(() => {
    if (siteId === null || currentId === null) return;
    markSeen(siteId, currentId);
    return () => markSeen(siteId, currentId);
  }, [siteId, currentId]);
  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).closest('[data-key]')?.getAttribute('data-key');
    const saved = searches.find((each) => each.id === id);
    if (saved === undefined || !runKey(event, saved)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div className={styles.head}>
        <AriaButton
          className={styles.toggle ?? ''}
          aria-expanded={isOpen}
          {...(isOpen ? { 'aria-controls': listId } : {})}
          onPress={toggleSearches}
        >
          <ChevronRight size={12} aria-hidden className={styles.arrow} data-open={isOpen} />
          {words.title}
        </AriaButton>
        <IconButton
          label={canSave ? words.save : words.saveNothing}
          small
          isDisabled={!canSave}
          onPress={saveCurrentSearch}
        >
          <Plus size={15} strokeWidth={1.75} />
        </IconButton>
      </div>
      {isOpen ? (
        <div id={listId} onKeyDownCapture={onKeyDown}>
          <GridList
            className={styles.list ?? ''}
            aria-label={words.title}
            items={searches.map((each) => ({ ...each, current: each.id === currentId }))}
            dependencies={[currentId]}
            onAction={(id) => {
              const saved = searches.find((each) => each.id === id);
              if (saved !== undefined) openSearch(saved);
            }}
            renderEmptyState={() => <p className={styles.empty}>{words.none}</p>}
          >
            {(saved) => <SavedSearchRow saved={saved} isCurrent={saved.current} />}
          </GridList>
        </div>
      ) : null}
    </>
  );
}

function SavedSearchRow({ saved, isCurrent }: { saved: ListedSearch; isCurrent: boolean }) {
  const name = searchNameOf(saved);
  return (
    <GridListItem
      id={saved.id}
      className={styles.row ?? ''}
      textValue={name}
      {...(isCurrent ? { 'data-current': '' } : {})}
      onContextMenu={(event) => {
        event.preventDefault();
        event.currentTarget.querySelector('button')?.click();
      }}
    >
      <Search size={14} strokeWidth={1.75} aria-hidden />
      <span className={styles.name} title={saved.search}>
        {name}
        {isCurrent ? <span className="visually-hidden">{words.current}</span> : null}
      </span>
      {isCurrent || saved.changed === 0 ? null : (
        <span className={styles.changed} title={words.changed(saved.changed)}>
          <span aria-hidden>{formatCount(saved.changed)}</span>
          <span className="visually-hidden">{words.changed(saved.changed)}</span>
        </span>
      )}
      <SearchCount saved={saved} />
      <ActionMenu label={words.more(name)} groups={groupsFor(saved)} placement="bottom end">
        <AriaButton className={styles.more ?? ''} aria-label={words.more(name)}>
          <Ellipsis size={14} aria-hidden />
        </AriaButton>
      </ActionMenu>
    </GridListItem>
  );
}

/** The count of a search. `12+`: more items may match, because the library has not reported yet whether they have captions. */
function SearchCount({ saved: { count, captionsUnknown } }: { saved: ListedSearch }) {
  if (count === null) return null;
  if (captionsUnknown === 0) return <span className={styles.count}>{formatCount(count)}</span>;
  const meaning = words.atLeast(count, captionsUnknown);
  return (
    <span className={styles.count} title={meaning}>
      <span aria-hidden>{formatCount(count)}+</span>
      <span className="visually-hidden">{meaning}</span>
    </span>
  );
}

function groupsFor(saved: ListedSearch): MenuGroup[] {
  const { searches } = useSearches.getState();
  const at = searches.findIndex(({ id }) => id === saved.id);
  return [
    {
      entries: [
        { id: 'open', label: words.open, onAction: () => openSearch(saved) },
        {
          id: 'rename',
          label: words.rename,
          detail: 'F2',
          onAction: () => openSearchDialog({ kind: 'rename', saved }),
        },
      ],
    },
    {
      entries: [
        { id: 'up', label: words.up, isDisabled: at <= 0, onAction: () => void moveSearch(saved.id, -1) },
        {
          id: 'down',
          label: words.down,
          isDisabled: at === searches.length - 1,
          onAction: () => void moveSearch(saved.id, 1),
        },
      ],
    },
    {
      entries: [
        {
          id: 'remove',
          label: words.remove,
          detail: 'Del',
          isDanger: true,
          onAction: () => openSearchDialog({ kind: 'remove', saved }),
        },
      ],
    },
  ];
}

/** Returns whether a key is a command for a row. */
function runKey({ key, altKey }: KeyboardEvent, saved: ListedSearch): boolean {
  if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
    void moveSearch(saved.id, key === 'ArrowUp' ? -1 : 1);
    return true;
  }
  if (key === 'F2') openSearchDialog({ kind: 'rename', saved });
  else if (key === 'Delete') openSearchDialog({ kind: 'remove', saved });
  else return false;
  return true;
}

/** Returns the saved search that the list shows; null when the list shows none of them. */
function useCurrent(searches: readonly ListedSearch[]): string | null {
  const view = useApp((state) => state.view);
  const search = mediaList.useList((state) => state.query?.search ?? '');
  const collectionId = mediaList.useList((state) => state.query?.collectionId ?? null);
  if (view !== 'library') return null;
  return searches.find((each) => each.search === search && each.collectionId === collectionId)?.id ?? null;
}
