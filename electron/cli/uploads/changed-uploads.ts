import type { Output } from '../output/output.ts';
import { countedUploads } from '../output/text-format.ts';

/** The note after a command that queued uploads without sending them. */
export const NOT_SENT_YET =
  'Nothing is sent yet. To send, run “mediadesk queue resume --wait” or open the Mediadesk window.';

/** Prints how many uploads a command changed. `name` is the member of the record with --json. */
export function printChanged(output: Output, name: string, words: string, { changed }: { changed: number }): void {
  output.record({ [name]: { changed } });
  output.line(`${words}: ${countedUploads(changed)}.`);
}
