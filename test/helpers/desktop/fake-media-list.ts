import type { DesktopApp } from './desktop-app.ts';

/** Makes the shell of a running app answer for a library of any size; all other calls reach the engine. */
export async function fakeMediaList(desktop: DesktopApp, total: number): Promise<void> {
  await desktop.app.evaluate(({ ipcMain }, count) => {
    type Call = (event: unknown, name: string, input: { offset: number; limit: number }) => unknown;
    const channel = 'mediadesk:call';
    const original = (ipcMain as unknown as { _invokeHandlers: Map<string, Call> })._invokeHandlers.get(channel);
    ipcMain.removeHandler(channel);
    const answer: Call = (event, name, input) => {
      if (name !== 'library.mediaWindow') return original?.(event, name, input);
      Object.assign(globalThis, { windowsLoaded: ((globalThis as { windowsLoaded?: number }).windowsLoaded ?? 0) + 1 });
      const length = Math.max(0, Math.min(input.limit, count - input.offset));
      const rows = Array.from({ length }, (_, at) => ({
        id: `m${input.offset + at}`,
        title: `Item ${input.offset + at}`,
        type: 'video',
        status: 'published',
        collectionId: '1',
        byline: 'Someone',
        durationSeconds: 95,
        tags: ['one', 'two', 'three'],
        createdOn: '2026-01-01T00:00:00Z',
        modifiedOn: null,
        publishOn: null,
        views: 0,
        likes: 0,
        comments: 0,
      }));
      return { ok: true, value: { total: count, offset: input.offset, rows } };
    };
    ipcMain.handle(channel, answer as never);
  }, total);
}

/** Returns how many windows of the made-up library were loaded. */
export function loadedWindows(desktop: DesktopApp): Promise<number> {
  return desktop.app.evaluate(() => (globalThis as { windowsLoaded?: number }).windowsLoaded ?? 0);
}
