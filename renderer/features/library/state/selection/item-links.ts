import { call } from '../../../../kit/bridge/bridge.ts';
import { copyText } from '../../../../kit/bridge/files-and-clipboard.ts';
import { attempt, notify, warn } from '../../../common/state/messages-store.ts';
import { idsOf } from './ids-of.ts';
import type { Target } from './media-selection.ts';
import { texts } from './texts.ts';

/** Each link is a request. */
const MOST_LINKS = 100;

/** Copies the addresses of the items' web pages, one per line. */
export function copyItemLinks({ selection, count }: Target): Promise<void> {
  return attempt(async () => {
    if (count > MOST_LINKS) return warn(texts.tooManyLinks(count, MOST_LINKS), texts.tooManyLinksNext);
    const { siteId } = selection;
    const links: string[] = [];
    for (const mediaId of await idsOf(selection)) {
      const { viewUrl } = await call('library.media', { siteId, mediaId });
      if (viewUrl !== null) links.push(viewUrl);
    }
    if (links.length === 0) return warn(texts.noLinks, texts.noLinksNext);
    await copyText(links.join('\n'));
    notify(texts.linksCopied(links.length));
  });
}
