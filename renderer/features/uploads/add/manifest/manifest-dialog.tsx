import { FILE_ROW_FIELDS, fileMappingProblem } from '../../../../../shared/model/manifest/file-rows.ts';
import { Button, classes } from '../../../../kit/components/button.tsx';
import { TimeZonePicker } from '../../../../kit/components/forms/time-zone-picker.tsx';
import { Dialog, FooterSpace } from '../../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../../kit/components/status/empty-state.tsx';
import { ColumnTable } from '../../../common/spreadsheet/column-table.tsx';
import { SheetName, TextFormat } from '../../../common/spreadsheet/file-format.tsx';
import table from '../../../common/spreadsheet/framed-table.module.css';
import { texts as shared } from '../../../common/texts.ts';
import {
  chooseColumn,
  chooseManifestForm,
  chooseManifestZone,
  decideManifest,
  readManifest,
  saveManifestErrors,
} from '../../state/add-manifests.ts';
import { filesOf, useAdd } from '../../state/add-store.ts';
import { coverageOf, type ManifestOffer } from '../../state/manifest-offer.ts';
import { texts } from '../texts.ts';
import styles from './manifest.module.css';

interface ManifestDialogProps {
  path: string;
  title: string;
  onClose: () => void;
}

/** Shows the format of a spreadsheet, the meaning of its columns, and the rows and files that don't match. */
export function ManifestDialog({ path, title, onClose }: ManifestDialogProps) {
  const offer = useAdd((state) => state.manifests.find((each) => each.path === path));
  const files = filesOf(useAdd((state) => state.preview));
  if (offer === undefined) return null;
  const coverage = coverageOf(offer, files);
  const use = () => {
    decideManifest(path, 'used');
    onClose();
  };
  return (
    <Dialog
      title={title}
      width={820}
      isOpen
      onClose={onClose}
      footer={
        <>
          <FooterSpace />
          <Button onPress={onClose}>{texts.manifest.close}</Button>
          {offer.decision === 'used' ? null : (
            <Button variant="primary" isDisabled={coverage.described === 0 || offer.isBusy} onPress={use}>
              {texts.manifest.use}
            </Button>
          )}
        </>
      }
    >
      <FileForm offer={offer} />
      {offer.error === null ? null : (
        <InlineError error={offer.error}>
          <Button onPress={() => void readManifest(path)}>{shared.spreadsheets.again}</Button>
        </InlineError>
      )}
      {offer.opened === null ? null : (
        <>
          <SheetName opened={offer.opened} className={styles.sheetName} />
          <ColumnTable
            opened={offer.opened}
            mapping={offer.mapping}
            fields={FILE_ROW_FIELDS}
            words={texts.manifest.columns}
            onChoose={(column, field) => chooseColumn(path, column, field)}
          />
          {offer.mapping.includes('publishOn') ? (
            <div className={styles.zone}>
              <TimeZonePicker value={offer.timeZone} onChange={(timeZone) => chooseManifestZone(path, timeZone)} />
            </div>
          ) : null}
          <CheckResult offer={offer} described={coverage.described} all={coverage.files} />
          {offer.checked === null ? null : (
            <>
              <Names
                title={texts.manifest.withoutRow}
                hint={texts.manifest.withoutRowHint}
                names={coverage.withoutRow}
              />
              <Names title={texts.manifest.notAdded} hint={texts.manifest.notAddedHint} names={coverage.notAdded} />
            </>
          )}
        </>
      )}
    </Dialog>
  );
}

/** How the text of a CSV file is read. */
function FileForm({ offer: { path, opened, encoding, separator, error } }: { offer: ManifestOffer }) {
  const isText = opened === null ? error !== null : opened.format === 'csv';
  if (!isText) return null;
  return (
    <div className={styles.formats}>
      <TextFormat
        opened={opened}
        encoding={encoding}
        separator={separator}
        onEncoding={(value) => chooseManifestForm(path, { encoding: value })}
        onSeparator={(value) => chooseManifestForm(path, { separator: value })}
      />
    </div>
  );
}

/** The counts of the check, and the rows with errors. */
function CheckResult({ offer, described, all }: { offer: ManifestOffer; described: number; all: number }) {
  const problem = fileMappingProblem(offer.mapping);
  if (problem !== null) {
    return (
      <p className={styles.problem} role="alert">
        {texts.manifest.mappingProblems[problem.kind]}
      </p>
    );
  }
  const { checked } = offer;
  if (checked === null) return null;
  return (
    <>
      <p className={styles.counts} role="status">
        <span>{texts.manifest.counts(described, all)}</span>
        {checked.badRows === 0 ? null : (
          <span className={styles.problem}>{shared.spreadsheets.badRows(checked.badRows)}</span>
        )}
      </p>
      {checked.badRows === 0 ? null : <RowProblems offer={offer} total={checked.problems} />}
    </>
  );
}

const SHOWN_NAMES = 100;

function Names({ title, hint, names }: { title: (count: number) => string; hint: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <details className={styles.names}>
      <summary>{title(names.length)}</summary>
      <p className={styles.hint}>{hint}</p>
      <ul>
        {names.slice(0, SHOWN_NAMES).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {names.length > SHOWN_NAMES ? <li>{texts.manifest.more(names.length - SHOWN_NAMES)}</li> : null}
      </ul>
    </details>
  );
}

/** The first errors of a check, with row, column and code. */
function RowProblems({ offer, total }: { offer: ManifestOffer; total: number }) {
  const { path, problems } = offer;
  const more = total - problems.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className={classes(table.frame, styles.problems)} aria-label={texts.manifest.problems} tabIndex={0}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col" className={classes(table.headCell, styles.row)}>
                {shared.spreadsheets.row}
              </th>
              <th scope="col" className={table.headCell}>
                {shared.spreadsheets.place}
              </th>
              <th scope="col" className={table.headCell}>
                {shared.spreadsheets.value}
              </th>
              <th scope="col" className={table.headCell}>
                {shared.spreadsheets.error}
              </th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, column, header, value, error }) => (
              <tr key={`${row} ${column} ${error.code}`}>
                <td className={table.cell}>{row}</td>
                <td className={table.cell} title={header}>
                  {header === '' ? shared.spreadsheets.wholeRow : header}
                </td>
                <td className={table.cell} title={value}>
                  {value}
                </td>
                <td className={table.cell} title={error.nextStep ?? ''}>
                  {error.message} <code className={styles.code}>{error.code}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {more > 0 ? <p className={styles.hint}>{texts.manifest.moreProblems(more)}</p> : null}
      <div className={styles.actions}>
        <Button onPress={() => void readManifest(path)}>{shared.spreadsheets.again}</Button>
        <Button onPress={() => void saveManifestErrors(path)}>{shared.spreadsheets.saveErrors}</Button>
      </div>
    </>
  );
}
