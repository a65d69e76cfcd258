import { SEPARATORS, type Separator } from '../../../../shared/model/table/delimited-reader.ts';
import { ENCODINGS, type Encoding } from '../../../../shared/model/table/encodings.ts';
import { Select } from '../../../components/forms/select.tsx';
import { chooseEncoding, chooseSeparator, useImport } from '../../../stores/library/manifest/import-store.ts';
import styles from './manifest.module.css';
import { texts } from './texts.ts';

const words = texts.import;

/** The file, and how its text is read: what was detected, to be corrected by the user. */
export function FileFormat() {
  const { path, opened, encoding, separator, isBusy } = useImport();
  const name = opened?.fileName ?? path?.split(/[\\/]/).at(-1) ?? '';
  const isText = opened === null ? !isBusy : opened.format === 'csv';
  return (
    <div className={styles.file}>
      <span className={styles.fileName} title={path ?? ''}>
        {opened === null ? name : words.file(name, opened.rows)}
      </span>
      {isText ? (
        <>
          <Select<Encoding | ''>
            label={words.encoding}
            value={opened?.encoding?.name ?? encoding ?? ''}
            options={ENCODINGS.map((value) =>
              option(
                value,
                words.encodings[value],
                isDetected(value, opened?.encoding?.name, opened?.encoding?.evidence),
              ),
            )}
            onChange={(value) => value !== '' && chooseEncoding(value)}
          />
          <Select<Separator | ''>
            label={words.separator}
            value={opened?.separator?.value ?? separator ?? ''}
            options={SEPARATORS.map((value) =>
              option(
                value,
                words.separators[value],
                isDetected(value, opened?.separator?.value, opened?.separator?.evidence),
              ),
            )}
            onChange={(value) => value !== '' && chooseSeparator(value)}
          />
        </>
      ) : null}
    </div>
  );
}

function option<T extends string>(value: T, label: string, isDetectedHere: boolean) {
  return { value, label, ...(isDetectedHere ? { detail: words.detected } : {}) };
}

function isDetected(value: string, used: string | undefined, evidence: string | undefined): boolean {
  return value === used && evidence !== 'chosen';
}
