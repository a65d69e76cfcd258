import { Cell } from '../../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { texts as shared } from '../../common/texts.ts';
import { texts } from '../selection/texts.ts';
import { problemRows } from '../state/manifest/import-store.ts';
import styles from './manifest.module.css';

const ROW_HEIGHT = 30;
const HEAD_HEIGHT = 29;
const words = texts.manifest.import;

/** The errors of a check, with their rows and columns. */
export function ProblemList() {
  return (
    <div className={styles.problems}>
      <WindowedGrid
        list={problemRows}
        label={words.errors}
        rowHeight={ROW_HEIGHT}
        rowClass={styles.problemRow}
        columnCount={4}
        coverTop={HEAD_HEIGHT}
        isSingle
        head={
          // biome-ignore lint/a11y/useSemanticElements: a row of a grid that is placed by CSS
          <div role="row" tabIndex={-1} aria-rowindex={1} className={styles.problemHead}>
            <Cell role="columnheader">{shared.spreadsheets.row}</Cell>
            <Cell role="columnheader">{shared.spreadsheets.place}</Cell>
            <Cell role="columnheader">{shared.spreadsheets.value}</Cell>
            <Cell role="columnheader">{shared.spreadsheets.error}</Cell>
          </div>
        }
        renderRow={(index) => {
          const problem = problemRows.rowAt(index);
          if (problem === undefined) return <Cell />;
          const { row, header, value, error } = problem;
          return (
            <>
              <Cell className={styles.number}>{words.total(row)}</Cell>
              <Cell className={styles.cut} title={header}>
                {header === '' ? shared.spreadsheets.wholeRow : header}
              </Cell>
              <Cell className={styles.cut} title={value}>
                {value}
              </Cell>
              <Cell className={styles.cut} title={`${error.message} ${error.nextStep ?? ''}`}>
                {error.message}
              </Cell>
            </>
          );
        }}
        errorTitle={words.errorsNotRead}
        empty={null}
      />
    </div>
  );
}
