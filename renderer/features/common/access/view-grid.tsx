import { Check, Minus, Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { bit, maskOf, namesOf, type Permission } from '../../../../shared/api/permission-sets.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { VirtualGrid } from '../../../kit/components/list/virtual-grid.tsx';
import { NO_SELECTION } from '../../../kit/lists/selection.ts';
import { permissionName, permissionNames } from '../../../kit/text/permission-texts.ts';
import styles from './access.module.css';
import { texts } from './texts.ts';

type Row = CallOutput<'access.view'>['rows'][number];

const words = texts.view;
const ROW_HEIGHT = 32;
/** Pixels of the head with its lines. */
const HEAD_HEIGHT = 34;
/** Pixels that a level of the tree is indented by; deeper levels are not indented further. */
const INDENT = 16;
const MOST_INDENTED = 12;
/** The columns: seeing a collection is what lists it. */
const COLUMNS = [
  ...(['media-read', 'media-play', 'media-download', 'media-create'] as const),
  ...(['media-publish', 'media-update', 'media-delete'] as const),
  ...(['collection-update', 'collection-share'] as const),
] satisfies Permission[];
const SHOWN = maskOf(COLUMNS);

/** The collections that somebody sees, each with a mark for what is allowed there; `isFlat`: without the levels of the tree. */
export function ViewGrid({ rows, label, isFlat }: { rows: readonly Row[]; label: string; isFlat: boolean }) {
  const [selection, setSelection] = useState(NO_SELECTION);
  const idAt = useCallback((index: number) => rows[index]?.collectionId, [rows]);
  const renderRow = useCallback((index: number) => <Cells row={rows[index]} isFlat={isFlat} />, [rows, isFlat]);
  return (
    <div className={styles.view} style={{ height: `min(52vh, ${rows.length * ROW_HEIGHT + HEAD_HEIGHT}px)` }}>
      <VirtualGrid
        label={label}
        total={rows.length}
        rowHeight={ROW_HEIGHT}
        rowClass={styles.viewRow}
        columnCount={COLUMNS.length + 1}
        head={<Head />}
        listKey={`${rows.length} ${isFlat}`}
        idAt={idAt}
        selection={selection}
        isSingle
        onSelect={setSelection}
        onShow={nothingToShow}
        onReach={nothingToLoad}
        renderRow={renderRow}
      />
    </div>
  );
}

const nothingToShow = () => undefined;
const nothingToLoad = () => Promise.resolve();

function Head() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of a grid that is placed by CSS
    <div role="row" tabIndex={-1} aria-rowindex={1} className={`${styles.viewRow} ${styles.viewTitles}`}>
      <Cell role="columnheader">{words.collection}</Cell>
      {COLUMNS.map((permission) => (
        <Cell key={permission} role="columnheader" title={permissionName(permission)}>
          {words.columns[permission]}
        </Cell>
      ))}
    </div>
  );
}

function Cells({ row, isFlat }: { row: Row | undefined; isFlat: boolean }) {
  if (row === undefined) return <Cell />;
  const { name, depth, was, is } = row;
  const indent = isFlat ? 0 : Math.min(depth, MOST_INDENTED) * INDENT;
  const change = was === 0 ? words.appears : is === 0 ? words.disappears : null;
  // Changes of permissions without a column.
  const gained = namesOf(is & ~was & ~SHOWN);
  const lost = namesOf(was & ~is & ~SHOWN);
  return (
    <>
      <Cell className={styles.viewName} title={name}>
        <span style={{ paddingLeft: indent }} className={is === 0 ? styles.gone : undefined}>
          <bdi>{name}</bdi>
        </span>
        {change === null ? (
          <span className={styles.viewOthers} title={words.others(permissionNames(gained), permissionNames(lost))}>
            {words.others(permissionNames(gained), permissionNames(lost))}
          </span>
        ) : (
          <span className={is === 0 ? styles.loses : styles.gains}>{change}</span>
        )}
      </Cell>
      {COLUMNS.map((permission) => (
        <Cell key={permission} className={styles.viewMark}>
          <Mark was={(was & bit(permission)) !== 0} is={(is & bit(permission)) !== 0} />
        </Cell>
      ))}
    </>
  );
}

function Mark({ was, is }: { was: boolean; is: boolean }) {
  if (!was && !is) return <span className="visually-hidden">{words.no}</span>;
  const [Icon, text, look] =
    was && is
      ? ([Check, words.yes, undefined] as const)
      : is
        ? ([Plus, words.gains, styles.gains] as const)
        : ([Minus, words.loses, styles.loses] as const);
  return (
    <span className={look}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
