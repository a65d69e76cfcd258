import { Merge, Pencil, Plus, SearchX, Tag, Tags, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { MAX_ADMIN_LINE, MAX_MERGED_TAGS } from '../../../../shared/model/access/admin-limits.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { EmptyState, InlineError } from '../../../kit/components/status/empty-state.tsx';
import { commandItem } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { SelectionBar } from '../../../kit/components/toolbar/selection-bar.tsx';
import { countSelected } from '../../../kit/lists/selection.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { NameDialog } from '../../common/name-dialog.tsx';
import { attempt, warn } from '../../common/state/messages-store.ts';
import adminStyles from '../admin.module.css';
import { AdminHead, AdminPane, AdminSearch, AdminSpace } from '../admin-pane.tsx';
import { nameDraft } from '../state/form-draft.ts';
import {
  createTag,
  deselectTags,
  type ListedTag,
  renameTag,
  selectedTags,
  tagList,
  useTagSearch,
} from '../state/tag-list.ts';
import { isTooManyToMerge } from '../state/tag-merge.ts';
import { useAdminList } from '../state/use-admin-rows.ts';
import { DeleteTagsDialog } from './delete-tags-dialog.tsx';
import { MergeTagsDialog } from './merge-tags-dialog.tsx';
import styles from './tags.module.css';
import { texts } from './texts.ts';
import { useTagUses } from './use-tag-uses.ts';

const ROW_HEIGHT = 34;
const FACETS = ['all', 'similar'] as const;

type Open =
  | { kind: 'new' }
  | { kind: 'rename'; tag: ListedTag }
  | { kind: 'merge' | 'delete'; tags: readonly ListedTag[] }
  | null;

/** The tags of the library, to create, rename and delete them. */
export function TagsPane() {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const openFor = (kind: 'merge' | 'delete') => void attempt(async () => setOpen({ kind, tags: await selectedTags() }));
  const text = useTagSearch((state) => state.text);
  const isSimilar = useTagSearch((state) => state.isSimilar);
  return (
    <AdminPane
      filters={
        <>
          <AdminSearch label={texts.search} value={text} onChange={(next) => useTagSearch.setState({ text: next })} />
          <Select
            flat
            label={texts.facet}
            value={isSimilar ? 'similar' : 'all'}
            restValue="all"
            options={FACETS.map((value) => ({ value, label: texts.facets[value] }))}
            onChange={(next) => useTagSearch.setState({ isSimilar: next === 'similar' })}
          />
          <AdminSpace />
          <Button icon={<Plus size={14} aria-hidden />} onPress={() => setOpen({ kind: 'new' })}>
            {texts.add}
          </Button>
        </>
      }
      list={
        <>
          <TagList text={text} isSimilar={isSimilar} />
          <Bar openFor={openFor} />
        </>
      }
      side={
        <TagPanel
          onRename={(tag) => setOpen({ kind: 'rename', tag })}
          onDelete={(tag) => setOpen({ kind: 'delete', tags: [tag] })}
        />
      }
    >
      {open?.kind === 'new' ? (
        <NameDialog
          title={texts.newTitle}
          name=""
          draft={nameDraft('new-tag')}
          maxLength={MAX_ADMIN_LINE}
          action={texts.create}
          onSave={createTag}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'rename' ? (
        <NameDialog
          title={texts.renameTitle(open.tag.name)}
          name={open.tag.name}
          hint={texts.renameHint}
          maxLength={MAX_ADMIN_LINE}
          action={texts.renameAction}
          onSave={(name) => renameTag(open.tag.id, name)}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'merge' ? <MergeTagsDialog tags={open.tags} onClose={close} /> : null}
      {open?.kind === 'delete' ? <DeleteTagsDialog tags={open.tags} onClose={close} /> : null}
    </AdminPane>
  );
}

function TagList({ text, isSimilar }: { text: string; isSimilar: boolean }) {
  useAdminList(tagList, { text, isSimilar });
  const renderRow = useCallback((index: number) => {
    const tag = tagList.rowAt(index);
    return tag === undefined ? <Cell /> : <TagCells tag={tag} />;
  }, []);
  const isWhole = text.trim() === '' && !isSimilar;
  const empty = isWhole ? texts.nothing : text.trim() === '' ? texts.noneSimilar : texts.noneFound;
  return (
    <WindowedGrid
      list={tagList}
      label={texts.list}
      placeholderRows={12}
      rowHeight={ROW_HEIGHT}
      rowClass={styles.tag}
      columnCount={2}
      head={<Head />}
      coverTop={31}
      hasChecks
      renderRow={renderRow}
      errorTitle={texts.notLoaded}
      empty={<EmptyState icon={isWhole ? Tags : SearchX} title={empty.title} text={empty.text} />}
    />
  );
}

function Head() {
  return (
    <AdminHead className={styles.head}>
      <Cell role="columnheader" isHidden />
      <Cell role="columnheader">{texts.columns.name}</Cell>
      <Cell role="columnheader" title={texts.itemsHint}>
        {texts.columns.items}
      </Cell>
    </AdminHead>
  );
}

function TagCells({ tag: { name, items } }: { tag: ListedTag }) {
  return (
    <>
      <Cell className={adminStyles.icon} isHidden>
        <Tag size={14} aria-hidden />
      </Cell>
      <Cell title={name}>{name}</Cell>
      <Cell className={adminStyles.weak}>{items === null ? '' : texts.count(items)}</Cell>
    </>
  );
}

function TagPanel({ onRename, onDelete }: { onRename: (tag: ListedTag) => void; onDelete: (tag: ListedTag) => void }) {
  const focused = tagList.useList(({ selection }) => selection.focus);
  // Rows are not React state: the panel shows the present one.
  tagList.useList((state) => state.version);
  const tag = tagList.rowAt(focused);
  return (
    <section className={adminStyles.side} aria-label={tag === undefined ? texts.none.title : shownName(tag.name)}>
      {tag === undefined ? (
        <EmptyState icon={Tag} title={texts.none.title} text={texts.none.text} />
      ) : (
        <>
          <h2>{shownName(tag.name)}</h2>
          <Use name={tag.name} />
          <div className={adminStyles.buttons}>
            <Button icon={<Pencil size={14} aria-hidden />} onPress={() => onRename(tag)}>
              {texts.rename}
            </Button>
            <Button icon={<Trash2 size={14} aria-hidden />} onPress={() => onDelete(tag)}>
              {texts.remove}
            </Button>
          </div>
          <p className={adminStyles.note}>{texts.mergeHint}</p>
        </>
      )}
    </section>
  );
}

function Use({ name }: { name: string }) {
  const { counts, isDone, error, load } = useTagUses([name]);
  if (error !== null) return <InlineError error={error} onRetry={load} />;
  const items = counts.get(name);
  return (
    <dl className={adminStyles.facts}>
      <dt>{texts.used}</dt>
      <dd>{items !== undefined ? texts.items(items) : isDone ? texts.unknown : texts.counting}</dd>
    </dl>
  );
}

function Bar({ openFor }: { openFor: (kind: 'merge' | 'delete') => void }) {
  const count = tagList.useList(({ selection, total }) => countSelected(selection, total ?? 0));
  if (count < 2) return null;
  const reason = isTooManyToMerge(count) ? texts.merge.tooMany(MAX_MERGED_TAGS + 1) : null;
  return (
    <SelectionBar
      label={texts.bar}
      count={texts.selected(count)}
      deselectLabel={texts.deselect}
      items={[
        commandItem({
          id: 'merge',
          label: texts.merge.command,
          icon: <Merge size={14} aria-hidden />,
          ...(reason === null ? {} : { reason }),
          onAction: () => (reason === null ? openFor('merge') : warn(reason, null)),
        }),
        commandItem({
          id: 'delete',
          label: texts.remove,
          icon: <Trash2 size={14} aria-hidden />,
          onAction: () => openFor('delete'),
        }),
      ]}
      onDeselect={deselectTags}
      focusList={() => document.querySelector<HTMLElement>(`[role="grid"][aria-label="${texts.list}"]`)?.focus()}
    />
  );
}
