import { type FormEvent, useEffect } from 'react';
import { MANIFEST_FIELDS, type MappingProblem, mappingProblem } from '../../../../shared/model/manifest/fields.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { TimeZonePicker } from '../../../kit/components/forms/time-zone-picker.tsx';
import { Cell } from '../../../kit/components/list/cell.tsx';
import { WindowedGrid } from '../../../kit/components/list/windowed-grid.tsx';
import { Dialog, FooterSpace } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { ColumnTable } from '../../common/spreadsheet/column-table.tsx';
import { SheetName, TextFormat } from '../../common/spreadsheet/file-format.tsx';
import { texts as shared } from '../../common/texts.ts';
import { texts } from '../selection/texts.ts';
import {
  chooseEncoding,
  chooseField,
  chooseSeparator,
  chooseTimeZone,
  closeImport,
  leaveOutBad,
  problemRows,
  repeatImport,
  reviewImport,
  saveErrors,
  useImport,
} from '../state/manifest/import-store.ts';
import styles from './manifest.module.css';

const FORM = 'import-spreadsheet';
const WIDTH = 860;
const words = texts.manifest.import;

/** Imports a spreadsheet: its format, its columns, and the check of all rows. The user reviews the changes afterwards. */
export function ImportDialog() {
  const isOpen = useImport((state) => state.path !== null);
  return isOpen ? <OpenImport /> : null;
}

function OpenImport() {
  const { opened, mapping, checked, isBusy, error, leavesOutBad } = useImport();
  const changed = checked?.changed ?? 0;
  const isReady = changed > 0 && !isBusy && (checked?.badRows === 0 || leavesOutBad);
  const needsZone = mapping.includes('publishOn');
  // Enter opens the review when it is possible.
  useEffect(() => {
    if (isReady) document.querySelector<HTMLElement>(`button[form="${FORM}"]`)?.focus();
  }, [isReady]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) reviewImport();
  };
  return (
    <Dialog
      title={words.title}
      width={WIDTH}
      isOpen
      onClose={closeImport}
      footer={
        <>
          <FooterSpace />
          <Button onPress={closeImport}>{texts.manifest.cancel}</Button>
          <Button variant="primary" type="submit" form={FORM} isDisabled={!isReady}>
            {words.review(changed)}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} onSubmit={submit}>
        <FileFormat />
        {error === null ? null : (
          <InlineError error={error}>
            <Button onPress={() => void repeatImport()}>{shared.spreadsheets.again}</Button>
          </InlineError>
        )}
        {opened === null ? null : (
          <>
            <ColumnTable
              opened={opened}
              mapping={mapping}
              fields={MANIFEST_FIELDS}
              words={words.columns}
              onChoose={chooseField}
            />
            {needsZone ? <ZonePicker /> : null}
            <CheckResult problem={mappingProblem(mapping)} />
          </>
        )}
        {isBusy ? (
          <div className={styles.busy} role="status">
            <span>{opened === null ? words.reading : words.checking}</span>
            <ProgressBar label={opened === null ? words.reading : words.checking} value={null} />
          </div>
        ) : null}
      </form>
    </Dialog>
  );
}

function ZonePicker() {
  const timeZone = useImport((state) => state.timeZone);
  return (
    <div className={styles.zone}>
      <TimeZonePicker value={timeZone} onChange={chooseTimeZone} />
    </div>
  );
}

/** The counts of the check, and the errors with the possible next steps. */
function CheckResult({ problem }: { problem: MappingProblem | null }) {
  const checked = useImport((state) => state.checked);
  const leavesOutBad = useImport((state) => state.leavesOutBad);
  if (problem !== null) {
    return (
      <p className={styles.problem} role="alert">
        {words.problems[problem.kind]}
      </p>
    );
  }
  if (checked === null) return null;
  const { changed, unchanged, badRows } = checked;
  return (
    <>
      <div className={styles.counts} role="status">
        {changed === 0 && badRows === 0 ? words.nothing : null}
        {changed > 0 ? <span className={styles.count}>{words.changed(changed)}</span> : null}
        {unchanged > 0 && changed + badRows > 0 ? <span>{words.unchanged(unchanged)}</span> : null}
        {badRows > 0 ? <span className={styles.badCount}>{shared.spreadsheets.badRows(badRows)}</span> : null}
      </div>
      {badRows > 0 ? (
        <>
          <div className={styles.actions}>
            {changed > 0 ? (
              <Checkbox isSelected={leavesOutBad} onChange={leaveOutBad}>
                {words.leaveOut(badRows)}
              </Checkbox>
            ) : null}
            <span className={styles.grow} />
            <Button onPress={() => void repeatImport()}>{shared.spreadsheets.again}</Button>
            <Button onPress={() => void saveErrors()}>{shared.spreadsheets.saveErrors}</Button>
          </div>
          <ProblemList />
        </>
      ) : null}
    </>
  );
}

/** The name of the file, and the format of its text. */
function FileFormat() {
  const { path, opened, encoding, separator, isBusy } = useImport();
  const name = opened?.fileName ?? path?.split(/[\\/]/).at(-1) ?? '';
  const isText = opened === null ? !isBusy : opened.format === 'csv';
  return (
    <div className={styles.file}>
      <span className={styles.fileName} title={path ?? ''}>
        {opened === null ? name : texts.manifest.import.file(name, opened.rows)}
      </span>
      <SheetName opened={opened} className={styles.sheetName} />
      {isText ? (
        <TextFormat
          opened={opened}
          encoding={encoding}
          separator={separator}
          onEncoding={chooseEncoding}
          onSeparator={chooseSeparator}
        />
      ) : null}
    </div>
  );
}

const ROW_HEIGHT = 30;
const HEAD_HEIGHT = 29;
const problemWords = texts.manifest.import;

/** The errors of a check, with their rows and columns. */
function ProblemList() {
  return (
    <div className={styles.problems}>
      <WindowedGrid
        list={problemRows}
        label={problemWords.errors}
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
              <Cell className={styles.number}>{problemWords.total(row)}</Cell>
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
        errorTitle={problemWords.errorsNotRead}
        empty={null}
      />
    </div>
  );
}
