import { call } from '../../../kit/bridge/bridge.ts';
import { useApp } from '../../common/state/app-store.ts';

const MOST = 8;

/**
 * Returns the tags of the library that contain a text, the best match first; none while this computer has no copy of the library.
 */
export async function suggestTags(text: string): Promise<string[]> {
  const { siteId } = useApp.getState();
  if (siteId === null) return [];
  const tags = await call('library.values', { siteId, field: 'tag', text: text.slice(0, 200), limit: MOST });
  return tags.map(({ value }) => value);
}
