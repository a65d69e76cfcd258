import type { OpenedManifest } from '../../../../shared/contract/manifest-calls.ts';
import { SEPARATORS, type Separator } from '../../../../shared/model/table/delimited-reader.ts';
import { ENCODINGS, type TextEncoding } from '../../../../shared/model/table/encodings.ts';
import { type Option, Select } from '../../../kit/components/forms/select.tsx';
import { texts } from '../texts.ts';

const DETECT = 'detect';

interface TextFormatProps {
  /** null: the file could not be read. */
  opened: OpenedManifest | null;
  /** The choices of the user; null: detected. */
  encoding: TextEncoding | null;
  separator: Separator | null;
  onEncoding: (encoding: TextEncoding) => void;
  onSeparator: (separator: Separator) => void;
}

/** The format of the text in a CSV file: the detected one, which the user can correct. */
export function TextFormat({ opened, encoding, separator, onEncoding, onSeparator }: TextFormatProps) {
  return (
    <>
      <Select<TextEncoding | typeof DETECT>
        label={texts.spreadsheets.encoding}
        value={opened?.encoding?.name ?? encoding ?? DETECT}
        options={optionsOf(ENCODINGS, texts.spreadsheets.encodings, opened && detectedEncoding(opened))}
        onChange={(value) => value !== DETECT && onEncoding(value)}
      />
      <Select<Separator | typeof DETECT>
        label={texts.spreadsheets.separator}
        value={opened?.separator?.value ?? separator ?? DETECT}
        options={optionsOf(SEPARATORS, texts.spreadsheets.separators, opened && detectedSeparator(opened))}
        onChange={(value) => value !== DETECT && onSeparator(value)}
      />
    </>
  );
}

/**
 * Returns the options. `detected`: the detected value, if any; null: the file could not be read, so there may be no value yet.
 */
function optionsOf<T extends string>(
  values: readonly T[],
  labels: Readonly<Record<T, string>>,
  detected: { value: T | undefined } | null,
): Option<T | typeof DETECT>[] {
  return [
    ...(detected === null ? [{ value: DETECT, label: texts.spreadsheets.detect } as const] : []),
    ...values.map((value) => ({
      value,
      label: labels[value],
      ...(value === detected?.value ? { detail: texts.spreadsheets.detected } : {}),
    })),
  ];
}

function detectedEncoding({ encoding }: OpenedManifest): { value: TextEncoding | undefined } {
  return { value: encoding?.evidence === 'chosen' ? undefined : encoding?.name };
}

function detectedSeparator({ separator }: OpenedManifest): { value: Separator | undefined } {
  return { value: separator?.evidence === 'chosen' ? undefined : separator?.value };
}

/** The sheet that is read, when the workbook has several. */
export function SheetName({ opened, className }: { opened: OpenedManifest | null; className: string | undefined }) {
  const sheet = opened?.sheet ?? null;
  if (sheet === null || sheet.count < 2) return null;
  return <span className={className}>{texts.spreadsheets.sheet(sheet.name, sheet.count)}</span>;
}
