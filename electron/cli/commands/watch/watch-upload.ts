import { resolve } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';
import { printable } from '../../output/text-format.ts';

/** The number of files of one call. */
const MOST_FILES = 1000;

export const watchUploadCommand = defineEngineCommand<string[]>({
  name: 'watch upload',
  operands: 'FILE…',
  summary: 'Upload files of a watched folder anyway: incomplete ones, and those that were skipped.',
  options: {},
  read(_values, operands) {
    if (operands.length === 0) throw new UsageError('Enter the files.');
    if (operands.length > MOST_FILES) throw new UsageError(`Enter at most ${MOST_FILES} files.`);
    return operands;
  },
  async run({ engine, output }, names) {
    const { rows } = await engine.call('watch.find', { paths: names.map((name) => resolve(name)) });
    const fileIds = names.map((name, index) => {
      const row = rows[index];
      // Nothing is changed unless all files are known.
      if (row == null) {
        const message = `No watched folder has found the file “${name}”.`;
        throw appError('watch.unknown-file', { message, details: { path: resolve(name) } });
      }
      return row.id;
    });
    const { changed } = await engine.call('watch.uploadAnyway', { fileIds });
    for (const row of (await engine.call('watch.find', { paths: names.map((name) => resolve(name)) })).rows) {
      if (row === null) continue;
      output.record({ watchedFile: row });
      // A file that is queued already, or not in the folder any more, is not changed.
      const isForced = row.state === 'settling' && row.uploadId === null;
      output.line(`${printable(row.path)}: ${isForced ? 'will be uploaded' : 'not changed'}`);
    }
    output.note('Files are uploaded while “mediadesk watch run” or the Mediadesk window runs.');
    return changed === names.length ? EXIT.complete : EXIT.incomplete;
  },
});
