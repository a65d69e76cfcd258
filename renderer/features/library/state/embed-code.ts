import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { copyText } from '../../../kit/bridge/files-and-clipboard.ts';
import { attempt, notify } from '../../common/state/messages-store.ts';

export type EmbedCode = CallOutput<'library.embedCode'>;

/** Returns the markup that shows an item's player in a web page. Sizes in pixels. Throws the library's errors. */
export function loadEmbedCode(
  media: { siteId: string; mediaId: string },
  size: { width: number; height: number },
): Promise<EmbedCode> {
  return call('library.embedCode', { ...media, ...size });
}

/** Copies a text and confirms it. */
export function copyWithNotice(text: string, notice: string): Promise<void> {
  return attempt(async () => {
    copyText(text);
    notify(notice);
  });
}
