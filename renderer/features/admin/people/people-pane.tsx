import { ArrowDown, ArrowUp, SearchX, Trash2, UserPlus, Users } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { GroupRow, Person } from '../../../../shared/contract/admin/people.ts';
import { namesakesIn } from '../../../../shared/model/access/namesakes.ts';
import { PEOPLE_FACETS, type PeopleSort } from '../../../../shared/model/access/people-lists.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { EmptyState } from '../../../kit/components/status/empty-state.tsx';
import { useNow } from '../../../kit/components/time-hooks.ts';
import { commandItem } from '../../../kit/components/toolbar/overflow-toolbar.tsx';
import { SelectionBar } from '../../../kit/components/toolbar/selection-bar.tsx';
import { countSelected } from '../../../kit/lists/selection.ts';
import { formatListDate } from '../../../kit/text/format.ts';
import { shownName } from '../../../kit/text/shown-name.ts';
import { attempt } from '../../common/state/messages-store.ts';
import styles from '../admin.module.css';
import { AdminHead, AdminPane, AdminSearch, AdminSpace } from '../admin-pane.tsx';
import { filterPeople, peopleList, useAdmin } from '../state/admin-store.ts';
import { useGroups } from '../state/groups-store.ts';
import { deselectPeople, narrowPeople, selectedPeople, showPerson } from '../state/person-store.ts';
import { useAdminList } from '../state/use-admin-rows.ts';
import { texts } from '../texts.ts';
import { DeletePeopleDialog } from './delete-people-dialog.tsx';
import { GroupsDialog } from './groups-dialog.tsx';
import { NewPersonDialog } from './new-person-dialog.tsx';
import { PersonPanel } from './person-panel.tsx';

const ROW_HEIGHT = 38;
const PLACEHOLDERS = 12;
const MINUTE_MS = 60_000;
const SETTLE_MS = 120;
/** The value of a select for no choice. */
const ANY = '-';

type Open = { kind: 'new' } | { kind: 'groups' | 'delete'; ids: readonly string[] } | null;

/** The users of the library, with filters and the details of the selected one. */
export function PeoplePane() {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const openFor = (kind: 'groups' | 'delete') =>
    void attempt(async () => setOpen({ kind, ids: await selectedPeople() }));
  return (
    <AdminPane
      filters={<Filters onAdd={() => setOpen({ kind: 'new' })} />}
      list={
        <>
          <PeopleList />
          <Bar openFor={openFor} />
        </>
      }
      side={
        <PersonPanel
          onGroups={(id) => setOpen({ kind: 'groups', ids: [id] })}
          onDelete={(id) => setOpen({ kind: 'delete', ids: [id] })}
        />
      }
    >
      {open?.kind === 'new' ? <NewPersonDialog onClose={close} /> : null}
      {open?.kind === 'groups' ? <GroupsDialog ids={open.ids} onClose={close} /> : null}
      {open?.kind === 'delete' ? <DeletePeopleDialog ids={open.ids} onClose={close} /> : null}
    </AdminPane>
  );
}

function Filters({ onAdd }: { onAdd: () => void }) {
  const text = useAdmin((state) => state.text);
  const facet = useAdmin((state) => state.facet);
  const groupId = useAdmin((state) => state.groupId);
  const groups = useGroups();
  const namesakes = useMemo(() => namesakesIn(groups), [groups]);
  return (
    <>
      <AdminSearch label={texts.people.search} value={text} onChange={(next) => narrowPeople({ text: next })} />
      <Select
        flat
        label={texts.people.facet}
        value={facet}
        restValue="all"
        options={PEOPLE_FACETS.map((value) => ({ value, label: texts.people.facets[value] }))}
        onChange={(next) => narrowPeople({ facet: next })}
      />
      <Select
        flat
        label={texts.people.group}
        value={groupId ?? ANY}
        restValue={ANY}
        options={[
          { value: ANY, label: texts.people.anyGroup },
          ...offeredGroups(groups, groupId).map(({ id, name }) => ({
            value: id,
            label: name,
            ...(namesakes.has(id) ? { detail: texts.number(id) } : {}),
          })),
        ]}
        onChange={(next) => narrowPeople({ groupId: next === ANY ? null : next })}
      />
      <AdminSpace />
      <Button icon={<UserPlus size={14} aria-hidden />} onPress={onAdd}>
        {texts.people.add}
      </Button>
    </>
  );
}

/** The number of groups that the filter offers; the tab of the groups leads to the people of any group. */
const MOST_GROUPS = 50;

/** Returns the largest groups by name, and the chosen one. */
function offeredGroups(groups: readonly GroupRow[], chosen: string | null): GroupRow[] {
  const own = groups.filter(({ builtIn }) => builtIn === null);
  if (own.length <= MOST_GROUPS) return own;
  const largest = new Set([...own].sort((one, other) => other.people - one.people).slice(0, MOST_GROUPS));
  return own.filter((group) => largest.has(group) || group.id === chosen);
}

function PeopleList() {
  usePeopleQuery();
  const now = useNow(true, MINUTE_MS);
  const groups = useGroups();
  const focusedId = useFocusedId();
  useEffect(() => {
    if (focusedId === undefined) return;
    // An arrow key that is held down reads only the person at which it stops.
    const timer = setTimeout(() => showPerson(focusedId), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [focusedId]);
  const groupNames = useMemo(() => new Map(groups.map(({ id, name }) => [id, name])), [groups]);
  const renderRow = useCallback(
    (index: number) => {
      const person = peopleList.rowAt(index);
      if (person === undefined) return <Cell />;
      const names = person.groupIds.map((id) => groupNames.get(id) ?? '').join(', ');
      return <PersonCells person={person} groupNames={names} nowMs={now} />;
    },
    [groupNames, now],
  );
  return (
    <WindowedGrid
      list={peopleList}
      label={texts.people.list}
      placeholderRows={PLACEHOLDERS}
      rowHeight={ROW_HEIGHT}
      rowClass={styles.people}
      columnCount={5}
      head={<Head />}
      coverTop={31}
      hasChecks
      selectsResults
      renderRow={renderRow}
      errorTitle={texts.people.notLoaded}
      empty={<EmptyState icon={SearchX} title={texts.people.none.title} text={texts.people.none.text} />}
    />
  );
}

/** Lists the users that match the filters. */
function usePeopleQuery(): void {
  const text = useAdmin((state) => state.text);
  const facet = useAdmin((state) => state.facet);
  const groupId = useAdmin((state) => state.groupId);
  const sort = useAdmin((state) => state.sort);
  const descending = useAdmin((state) => state.descending);
  useAdminList(peopleList, { text, facet, groupId, sort, descending, lastLoginBefore: null });
}

/** Returns the id of the user with the keyboard focus, which stays while the list is loaded again. */
function useFocusedId(): string | undefined {
  const focus = peopleList.useList(({ selection }) => selection.focus);
  peopleList.useList((state) => state.version);
  return peopleList.idAt(focus);
}

function PersonCells({ person, groupNames, nowMs }: { person: Person; groupNames: string; nowMs: number }) {
  const { name, email, isAdmin, lastLoginOn } = person;
  return (
    <>
      <Cell className={styles.icon}>
        <Glyph name="person" size={15} />
      </Cell>
      <Cell className={styles.name} title={name}>
        <span className={styles.nameText}>{shownName(name)}</span>
        {isAdmin ? <span className={styles.badge}>{texts.people.administrator}</span> : null}
      </Cell>
      <Cell className={styles.weak} title={email}>
        {email}
      </Cell>
      <Cell className={styles.weak} title={groupNames}>
        {groupNames}
      </Cell>
      <Cell className={styles.weak}>
        {lastLoginOn === null ? texts.people.never : formatListDate(lastLoginOn, nowMs)}
      </Cell>
    </>
  );
}

const COLUMNS: readonly { sort: PeopleSort | null; name: keyof typeof texts.people.columns }[] = [
  { sort: 'name', name: 'name' },
  { sort: 'email', name: 'email' },
  { sort: null, name: 'groups' },
  { sort: 'lastLogin', name: 'lastLogin' },
];

function Head() {
  const sort = useAdmin((state) => state.sort);
  const descending = useAdmin((state) => state.descending);
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <AdminHead className={styles.head}>
      <Cell role="columnheader">
        <span className="visually-hidden">{texts.people.columns.kind}</span>
      </Cell>
      {COLUMNS.map(({ sort: by, name }) => {
        const label = texts.people.columns[name];
        if (by === null)
          return (
            <Cell key={name} role="columnheader">
              {label}
            </Cell>
          );
        const isSorted = by === sort;
        return (
          <Cell key={name} role="columnheader" sort={isSorted ? (descending ? 'descending' : 'ascending') : 'none'}>
            <button
              type="button"
              className={styles.sort}
              title={texts.people.sortBy(label)}
              {...(isSorted ? { 'data-sorted': '' } : {})}
              onClick={() => filterPeople(isSorted ? { descending: !descending } : { sort: by, descending: false })}
            >
              {label}
              {isSorted ? <Arrow size={12} aria-hidden /> : null}
            </button>
          </Cell>
        );
      })}
    </AdminHead>
  );
}

function Bar({ openFor }: { openFor: (kind: 'groups' | 'delete') => void }) {
  const count = peopleList.useList(({ selection, total }) => countSelected(selection, total ?? 0));
  if (count < 2) return null;
  return (
    <SelectionBar
      label={texts.people.bar}
      count={texts.people.selected(count)}
      deselectLabel={texts.people.deselect}
      items={[
        commandItem({
          id: 'groups',
          label: texts.people.changeGroups,
          icon: <Users size={14} aria-hidden />,
          onAction: () => openFor('groups'),
        }),
        commandItem({
          id: 'delete',
          label: texts.people.remove,
          icon: <Trash2 size={14} aria-hidden />,
          onAction: () => openFor('delete'),
        }),
      ]}
      onDeselect={deselectPeople}
      focusList={() => document.querySelector<HTMLElement>(`[role="grid"][aria-label="${texts.people.list}"]`)?.focus()}
    />
  );
}
