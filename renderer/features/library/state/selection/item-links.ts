import { call } from '../../../../kit/bridge/bridge.ts';
import { copyText } from '../../../../kit/bridge/files-and-clipboard.ts';
import { attempt, notify, warn } from '../../../common/state/messages-store.ts';
import { texts } from '../texts.ts';
import { idsOf, type Target } from './media-selection.ts';

/** Each link is a request. */
const MOST_LINKS = 100;

/** Copies the addresses of the items' web pages, one per line. */
export function copyItemLinks({ selection, count }: Target): Promise<void> {
  return attempt(async () => {
    if (count > MOST_LINKS)
      return warn(texts.selection.tooManyLinks(count, MOST_LINKS), texts.selection.tooManyLinksNext);
    const { siteId } = selection;
    const links: string[] = [];
    for (const mediaId of await idsOf(selection)) {
      const { viewUrl } = await call('library.media', { siteId, mediaId });
      if (viewUrl !== null) links.push(viewUrl);
    }
    if (links.length === 0) return warn(texts.selection.noLinks, texts.selection.noLinksNext);
    await copyText(links.join('\n'));
    notify(texts.selection.linksCopied(links.length));
  });
}
