import type { AdminLogEntry } from '../../../../shared/contract/admin/admin-calls.ts';
import { MAX_LOG_ENTRIES } from '../../../../shared/model/access/admin-limits.ts';
import { logTable } from '../../../../shared/model/access/log-table.ts';
import { csvOf } from '../../../../shared/model/table/write-csv.ts';
import { counted } from '../../admin/admin-outcome.ts';
import { type Columns, printList } from '../../admin/print-list.ts';
import { FORCE_OPTION, readSaveTarget, refuseExisting, saveCsv } from '../../admin/save-csv.ts';
import { noOperands, optionText } from '../../arguments/options.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { localTime } from '../../output/local-time.ts';

const SHOWN = 100;
/** The most characters of a value in the table. */
const MOST_CHARS = 60;

/** Lists the administrative changes that were made with this profile, the newest first. */
export const adminLogCommand = defineEngineCommand({
  name: 'admin log',
  operands: '',
  summary: `List the latest ${SHOWN} administrative changes that this computer made with this account.`,
  options: {
    csv: {
      value: 'FILE',
      help: 'Save all of them as CSV, which only you can read. “-”: standard output.',
    },
    ...FORCE_OPTION,
  },
  read(values, operands) {
    noOperands(operands);
    return { isCsv: optionText(values, 'csv') !== null, save: readSaveTarget(values, 'csv') };
  },
  async run(context, { isCsv, save }) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    if (save !== null) await refuseExisting(save, 'admin log');
    const limit = isCsv ? MAX_LOG_ENTRIES : SHOWN;
    const { entries, total } = await engine.call('admin.log', { siteId, offset: 0, limit });
    if (isCsv) {
      const rows = logTable(entries);
      if (save === null) output.document([...csvOf(rows)].join(''));
      else await saveCsv(save, rows);
      output.note(`${counted(entries.length, 'change')}.`);
      if (save !== null) output.note(`Saved as ${save.path}.`);
      if (total > entries.length) output.note(`The log has ${total}: the oldest are left out.`);
      return EXIT.complete;
    }
    printList(output, { name: 'entry', one: 'change', columns: COLUMNS }, entries);
    if (total > entries.length) output.note(`The log has ${total}. To save all of them, add --csv FILE.`);
    return EXIT.complete;
  },
});

const COLUMNS: Columns<AdminLogEntry> = {
  TIME: ({ at }) => localTime(Date.parse(at)),
  ACTION: ({ action }) => action,
  NAME: ({ targetName }) => targetName,
  OUTCOME: ({ outcome }) => outcome,
  CHANGE: ({ before, after }) => [before, after].map(shortened).join(' → '),
};

const shortened = (text: string) => (text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS - 1)}…` : text);
