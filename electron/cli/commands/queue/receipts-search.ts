import { UsageError } from '../../arguments/usage-error.ts';
import type { EngineContext } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT, type ExitCode } from '../../output/exit-codes.ts';

interface SearchInput {
  text: string;
}

export const receiptsSearchCommand = defineEngineCommand<SearchInput>({
  name: 'receipts search',
  operands: 'TEXT',
  summary: 'Find files in all receipts by name, title, hash or ID.',
  options: {},
  read(_values, words) {
    const text = words.join(' ').trim();
    if (text === '') throw new UsageError('Enter a search text.');
    return { text };
  },
  reads: () => true,
  run: searchReceipts,
});

const PAGE = 200;

/** Finds uploads in all receipts. Exit code 1 when there is no match. */
async function searchReceipts({ engine, output }: EngineContext, { text }: SearchInput): Promise<ExitCode> {
  for (let offset = 0; ; offset += PAGE) {
    const { total, rows } = await engine.call('receipts.search', { text, limit: PAGE, offset });
    for (const { batchId, site, collectionName, line } of rows) {
      output.record({ upload: { batchId, site, collectionName, ...line } });
      output.line(`${line.outcome}  ${line.fileName}  “${line.title}”  ${collectionName}  ${line.addedAt}`);
      output.line(`  batch ${batchId}, item ${line.mediaId ?? '–'}, sha256 ${line.sha256 ?? '–'}`);
    }
    if (rows.length === 0 || offset + rows.length >= total) {
      output.note(total === 1 ? '1 file found.' : `${total} files found.`);
      return total > 0 ? EXIT.complete : EXIT.incomplete;
    }
  }
}
