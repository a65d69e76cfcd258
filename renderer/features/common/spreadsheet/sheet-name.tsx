import type { OpenedManifest } from '../../../../shared/contract/manifest-calls.ts';
import { texts } from './texts.ts';

/** The sheet that is read, when the workbook has several. */
export function SheetName({ opened, className }: { opened: OpenedManifest | null; className: string | undefined }) {
  const sheet = opened?.sheet ?? null;
  if (sheet === null || sheet.count < 2) return null;
  return <span className={className}>{texts.sheet(sheet.name, sheet.count)}</span>;
}
