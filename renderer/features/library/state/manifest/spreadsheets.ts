import { showView, useApp } from '../../../common/state/app-store.ts';
import { openListExport } from './export-store.ts';
import { pickImport } from './import-store.ts';

/** Lets the user choose a spreadsheet, and opens its import in the library view. */
export function importSpreadsheet(): void {
  const { siteId } = useApp.getState();
  if (siteId === null) return;
  showView('library');
  void pickImport(siteId);
}

/** Exports all items of the list in the library view. */
export function exportList(): void {
  showView('library');
  openListExport();
}
