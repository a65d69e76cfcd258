import { Plus, SearchX } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { GroupRow } from '../../../../shared/contract/admin/people.ts';
import { MAX_ADMIN_LINE } from '../../../../shared/model/access/admin-limits.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { EmptyState } from '../../../kit/components/status/empty-state.tsx';
import { shownName } from '../../../kit/text/shown-name.ts';
import { NameDialog } from '../../common/name-dialog.tsx';
import adminStyles from '../admin.module.css';
import { AdminHead, AdminPane, AdminSearch, AdminSpace } from '../admin-pane.tsx';
import { nameDraft } from '../state/form-draft.ts';
import { createGroup, groupList, type ListedGroup, renameGroup, useGroupSearch } from '../state/group-list.ts';
import { useAdminList } from '../state/use-admin-rows.ts';
import { DeleteGroupDialog } from './delete-group-dialog.tsx';
import { GroupPanel } from './group-panel.tsx';
import styles from './groups.module.css';
import { texts } from './texts.ts';

const ROW_HEIGHT = 38;

type Open = { kind: 'new' } | { kind: 'rename' | 'delete'; group: GroupRow } | null;

/** The groups of the library, and what the selected one is for. */
export function GroupsPane() {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const text = useGroupSearch((state) => state.text);
  useAdminList(groupList, { text });
  const focused = groupList.useList(({ selection }) => selection.focus);
  // Rows are not React state: the panel shows the present one.
  groupList.useList((state) => state.version);
  const renderRow = useCallback((index: number) => {
    const group = groupList.rowAt(index);
    return group === undefined ? <Cell /> : <GroupCells group={group} />;
  }, []);
  return (
    <AdminPane
      filters={
        <>
          <AdminSearch label={texts.search} value={text} onChange={(next) => useGroupSearch.setState({ text: next })} />
          <AdminSpace />
          <Button icon={<Plus size={14} aria-hidden />} onPress={() => setOpen({ kind: 'new' })}>
            {texts.add}
          </Button>
        </>
      }
      list={
        <WindowedGrid
          list={groupList}
          label={texts.list}
          placeholderRows={2}
          rowHeight={ROW_HEIGHT}
          rowClass={styles.group}
          columnCount={3}
          head={<Head />}
          coverTop={31}
          isSingle
          renderRow={renderRow}
          errorTitle={texts.notLoaded}
          empty={<EmptyState icon={SearchX} title={texts.noneFound.title} text={texts.noneFound.text} />}
        />
      }
      side={
        <GroupPanel
          group={groupList.rowAt(focused) ?? null}
          onRename={(group) => setOpen({ kind: 'rename', group })}
          onDelete={(group) => setOpen({ kind: 'delete', group })}
        />
      }
    >
      {open?.kind === 'new' ? (
        <NameDialog
          title={texts.newTitle}
          name=""
          draft={nameDraft('new-group')}
          maxLength={MAX_ADMIN_LINE}
          action={texts.create}
          onSave={createGroup}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'rename' ? (
        <NameDialog
          title={texts.renameTitle(open.group.name)}
          name={open.group.name}
          maxLength={MAX_ADMIN_LINE}
          action={texts.renameAction}
          onSave={(name) => renameGroup(open.group.id, name)}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'delete' ? <DeleteGroupDialog group={open.group} onClose={close} /> : null}
    </AdminPane>
  );
}

function Head() {
  return (
    <AdminHead className={styles.head}>
      <Cell role="columnheader">{texts.columns.name}</Cell>
      <Cell role="columnheader">{texts.columns.people}</Cell>
      <Cell role="columnheader">{texts.columns.roles}</Cell>
    </AdminHead>
  );
}

function GroupCells({ group }: { group: ListedGroup }) {
  const { id, name, builtIn, people, memberships, isNamesake } = group;
  return (
    <>
      <Cell className={adminStyles.name} title={name}>
        <span className={adminStyles.nameText}>{shownName(name)}</span>
        {isNamesake ? <span className={adminStyles.badge}>{texts.number(id)}</span> : null}
        {builtIn === null ? null : <span className={adminStyles.badge}>{texts.builtIn}</span>}
      </Cell>
      <Cell className={adminStyles.weak}>{builtIn === null ? texts.count(people) : texts.everybody[builtIn]}</Cell>
      <Cell className={adminStyles.weak}>{texts.count(memberships)}</Cell>
    </>
  );
}
