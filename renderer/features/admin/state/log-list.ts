import type { AdminLogEntry } from '../../../../shared/contract/admin/admin-calls.ts';
import { MAX_LOG_ENTRIES } from '../../../../shared/model/access/admin-limits.ts';
import { logTable } from '../../../../shared/model/access/log-table.ts';
import { csvOf } from '../../../../shared/model/table/write-csv.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';
import { attempt, notify } from '../../common/state/messages-store.ts';
import { useAdmin } from './admin-store.ts';
import { texts } from './texts.ts';

export interface LogRow {
  id: string;
  entry: AdminLogEntry;
}

/** The administrative changes that this computer made with the shown account, the newest first. */
export const logList = createWindowedList<{ siteId: string }, LogRow>({
  async load({ siteId }, { offset, limit }) {
    const { total, entries } = await call('admin.log', { siteId, offset, limit });
    // Entries are only added: the place from the oldest one stays.
    return { total, rows: entries.map((entry, index) => ({ id: String(total - offset - index), entry })) };
  },
  idOf: (row) => row.id,
});

/** Copies the log to the clipboard as CSV, for a spreadsheet or a file. */
export async function copyLog(): Promise<void> {
  const { siteId } = useAdmin.getState();
  if (siteId === null) return;
  await attempt(async () => {
    const { entries } = await call('admin.log', { siteId, offset: 0, limit: MAX_LOG_ENTRIES });
    const text = [...csvOf(logTable(entries), { separator: ',', bom: false, protects: true })].join('');
    copyText(text);
    notify(texts.log.copied(entries.length));
  });
}
