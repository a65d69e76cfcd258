import type { IncomingHttpHeaders } from 'node:http';
import type { Texts } from '../languages/texts.ts';
import type { Site } from './site.ts';

/** Returns the texts of pages in the language of the browser, and in that of the site when the browser names none of its languages. */
export function textsOf(
  { languages, settings }: Pick<Site, 'languages' | 'settings'>,
  { headers }: { headers: IncomingHttpHeaders },
): Texts {
  return languages.chosen(headers['accept-language'], settings.current().language);
}

/** Returns the texts for somebody whose browser is not known, such as the receiver of a mail. */
export function textsOfSite({ languages, settings }: Pick<Site, 'languages' | 'settings'>): Texts {
  return languages.named(settings.current().language);
}
