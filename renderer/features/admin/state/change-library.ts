import { attempt } from '../../common/state/messages-store.ts';
import { useAdmin } from './admin-store.ts';

/** Makes a change of the shown library. An error is shown as a message; resolves with whether the change was made. */
export async function changeLibrary(work: (siteId: string) => Promise<unknown>): Promise<boolean> {
  const { siteId } = useAdmin.getState();
  if (siteId === null) return false;
  let isDone = false;
  await attempt(async () => {
    await work(siteId);
    isDone = true;
  });
  return isDone;
}
