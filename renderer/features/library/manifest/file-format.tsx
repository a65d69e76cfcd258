import { SheetName, TextFormat } from '../../common/spreadsheet/file-format.tsx';
import { chooseEncoding, chooseSeparator, useImport } from '../state/manifest/import-store.ts';
import styles from './manifest.module.css';
import { texts } from './texts.ts';

/** The name of the file, and the format of its text. */
export function FileFormat() {
  const { path, opened, encoding, separator, isBusy } = useImport();
  const name = opened?.fileName ?? path?.split(/[\\/]/).at(-1) ?? '';
  const isText = opened === null ? !isBusy : opened.format === 'csv';
  return (
    <div className={styles.file}>
      <span className={styles.fileName} title={path ?? ''}>
        {opened === null ? name : texts.import.file(name, opened.rows)}
      </span>
      <SheetName opened={opened} className={styles.sheetName} />
      {isText ? (
        <TextFormat {...{ opened, encoding, separator }} onEncoding={chooseEncoding} onSeparator={chooseSeparator} />
      ) : null}
    </div>
  );
}
