import { Check, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { EditPlan } from '../../../../shared/contract/edits.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { ChangeLine } from '../../common/change-line.tsx';
import { useCollectionNames } from '../../common/use-collection-names.ts';
import { type Review, reviewRows, toggleExcluded, useReview } from '../state/selection/review-store.ts';
import styles from './selection.module.css';
import { texts } from './texts.ts';

const LINE_HEIGHT = 20;
const ROW_PADDING = 16;
const HEAD_HEIGHT = 29;

/**
 * The reviewed items: first the items that can't be changed, then the others, each with its changes and a check box that excludes
 * it.
 */
export function ReviewList({ review, plan }: { review: Review; plan: EditPlan }) {
  const lines = Math.max(1, Object.keys(plan.byField).length);
  const version = reviewRows.useList((state) => state.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` changes with the cache that the rows are read from
  const collectionIds = useMemo(() => collectionsIn(), [version]);
  const nameOf = useCollectionNames(review.selection.siteId, collectionIds);
  const excluded = useReview((state) => state.excluded);
  const words = texts.review;
  return (
    <div className={styles.reviewList}>
      <WindowedGrid
        list={reviewRows}
        label={words.list}
        rowHeight={ROW_PADDING + lines * LINE_HEIGHT}
        rowClass={styles.reviewRow}
        columnCount={3}
        coverTop={HEAD_HEIGHT}
        isSingle
        onToggle={(index) => toggleExcluded(reviewRows.rowAt(index))}
        head={
          // biome-ignore lint/a11y/useSemanticElements: a row of a grid that is placed by CSS
          <div role="row" tabIndex={-1} aria-rowindex={1} className={styles.reviewHead}>
            <Cell role="columnheader">
              <span className="visually-hidden">{words.columns.include}</span>
            </Cell>
            <Cell role="columnheader">{words.columns.item}</Cell>
            <Cell role="columnheader" className={styles.changesHead}>
              {words.columns.changes}
            </Cell>
          </div>
        }
        renderRow={(index) => {
          const row = reviewRows.rowAt(index);
          if (row === undefined) return <Cell />;
          return (
            <>
              <Cell className={styles.includeCell}>
                {row.problem === null ? (
                  <Include
                    title={row.name}
                    isIncluded={!excluded.has(row.entityId)}
                    onToggle={() => toggleExcluded(row)}
                  />
                ) : (
                  <TriangleAlert size={15} className={styles.problemIcon} aria-hidden />
                )}
              </Cell>
              <Cell className={styles.itemName} title={row.name}>
                {row.name || words.untitled}
              </Cell>
              <Cell className={classes(styles.changes, excluded.has(row.entityId) && styles.isExcluded)}>
                {row.problem === null ? (
                  row.changes.map((change) => (
                    <ChangeLine key={change.field} change={change} nameOf={nameOf} showsField={lines > 1} />
                  ))
                ) : (
                  <span className={styles.problem} title={`${row.problem.message} ${row.problem.nextStep ?? ''}`}>
                    {row.problem.message}
                  </span>
                )}
              </Cell>
            </>
          );
        }}
        errorTitle={words.notRead}
        empty={null}
      />
    </div>
  );
}

/** Returns the collections that the loaded rows refer to. */
function collectionsIn(): string[] {
  const ids = new Set<string>();
  for (const { row } of reviewRows.loaded()) {
    for (const { field, before, after } of row.changes) {
      if (field !== 'collection') continue;
      for (const id of [before, after]) if (typeof id === 'string') ids.add(id);
    }
  }
  return [...ids];
}

interface IncludeProps {
  title: string;
  isIncluded: boolean;
  onToggle: () => void;
}

/**
 * The check box of a row. The list is one stop of the Tab key: the user presses Space on the row, or moves to the box with arrow
 * keys.
 */
function Include({ title, isIncluded, onToggle }: IncludeProps) {
  return (
    <button
      type="button"
      aria-pressed={isIncluded}
      aria-label={texts.review.include(title || texts.review.untitled)}
      tabIndex={-1}
      className={styles.include}
      onClick={onToggle}
    >
      {isIncluded ? <Check size={12} strokeWidth={3} aria-hidden /> : null}
    </button>
  );
}
