import { toAppError } from '../../../../shared/contract/app-error.ts';
import { EMBED_SIZES, MAX_EMBED_CODES, MAX_EMBED_SIDE } from '../../../../shared/model/embed-size.ts';
import { type OptionValues, optionText } from '../../arguments/options.ts';
import { UsageError } from '../../arguments/usage-error.ts';
import { currentSite } from '../../command-base/context.ts';
import { defineEngineCommand } from '../../command-base/define-engine-command.ts';
import { EXIT } from '../../output/exit-codes.ts';

interface EmbedInput {
  mediaIds: string[];
  width: number;
  height: number;
}

const [DEFAULT_SIZE] = EMBED_SIZES;

export const libraryEmbedCommand = defineEngineCommand<EmbedInput>({
  name: 'library embed',
  operands: 'ITEM…',
  summary: 'Print the markup that shows the players of items in a web page, one line for each item.',
  options: {
    width: { value: 'PIXELS', help: `Width of the player. Default: ${DEFAULT_SIZE.width}.` },
    height: { value: 'PIXELS', help: `Height of the player. Default: ${DEFAULT_SIZE.height}.` },
  },
  read(values, mediaIds) {
    if (mediaIds.length === 0 || mediaIds.includes('')) throw new UsageError('Enter the IDs of items.');
    if (mediaIds.length > MAX_EMBED_CODES) throw new UsageError(`Enter up to ${MAX_EMBED_CODES} items.`);
    return {
      mediaIds,
      width: side(values, 'width') ?? DEFAULT_SIZE.width,
      height: side(values, 'height') ?? DEFAULT_SIZE.height,
    };
  },
  async run(context, input) {
    const { engine, output } = context;
    const { id: siteId } = await currentSite(context);
    const mediaIds: string[] = [];
    for (const mediaId of input.mediaIds) {
      // The markup is made without the library: an unknown item would get one, too.
      const isKnown = await engine.call('library.media', { siteId, mediaId }).then(() => true, refuseOther);
      if (isKnown) mediaIds.push(mediaId);
      else output.note(`The library has no item ${mediaId}, or your account has no access to it.`);
    }
    if (mediaIds.length === 0) return EXIT.incomplete;
    const { codes } = await engine.call('library.embedCodes', { siteId, ...input, mediaIds });
    for (const [index, html] of codes.entries()) {
      output.record({ embed: { mediaId: mediaIds[index], html } });
      output.line(html);
    }
    return mediaIds.length === input.mediaIds.length ? EXIT.complete : EXIT.incomplete;
  },
});

/** Returns false for an item that the library doesn't have. Throws the other errors. */
function refuseOther(error: unknown): false {
  if (toAppError(error).code === 'api.not-found') return false;
  throw error;
}

function side(values: OptionValues, name: string): number | null {
  const text = optionText(values, name);
  if (text === null) return null;
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_EMBED_SIDE) return Number(text);
  throw new UsageError(`Invalid value for --${name}: ${text}. Use a whole number from 1 to ${MAX_EMBED_SIDE}.`);
}
