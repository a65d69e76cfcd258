import { describe, expect, it } from 'vitest';
import { type Activity, activityOf } from '../../../../electron/main/presence/activity.ts';
import { workWords } from '../../../../electron/main/presence/status-line.ts';
import { trayMenu } from '../../../../electron/main/presence/tray-menu.ts';

const nothing = activityOf({ totals: null, folders: [], edits: null, downloads: [] });

function menu(activity: Partial<Activity>, quitsWhenFinished = false) {
  const done: string[] = [];
  const items = trayMenu(
    { activity: { ...nothing, ...activity }, quitsWhenFinished },
    {
      show: () => done.push('show'),
      setPaused: (isPaused) => done.push(`paused ${isPaused}`),
      setQuitWhenFinished: (isOn) => done.push(`when finished ${isOn}`),
      quit: () => done.push('quit'),
    },
  );
  const choose = (id: string) => items.find((item) => item.id === id)?.click?.({} as never, undefined, {} as never);
  return { status: items[0]?.label, items, choose, done };
}

describe('the menu of the icon', () => {
  it.each([
    [{}, 'Nothing to do'],
    [{ folders: 2 }, 'Watching 2 folders'],
    [{ uploads: 3, progress: 0.999 }, '3 uploads · 99 %'],
    [{ uploads: 1, progress: 0, downloads: 2, folders: 1, edits: 1 }, '1 upload · 0 % · 2 downloads · 1 unsent edit'],
    [{ isPaused: true, attention: 2, folders: 1 }, '2 need you · Uploads paused'],
  ] as const)('says for %j: %s', (activity, line) => {
    expect(menu(activity).status).toBe(line);
  });

  it('pauses what runs, and resumes what is paused', () => {
    const running = menu({ uploads: 1 });
    running.choose('pause');
    const paused = menu({ isPaused: true });
    paused.choose('pause');
    expect([running.done, paused.done]).toEqual([['paused true'], ['paused false']]);
  });

  it('switches quitting when finished on and off', () => {
    const on = menu({}, true);
    expect(on.items.find(({ id }) => id === 'quit-when-finished')?.checked).toBe(true);
    on.choose('quit-when-finished');
    expect(on.done).toEqual(['when finished false']);
  });
});

it('names in words what goes on without the window', () => {
  expect(workWords({ ...nothing, uploads: 1, folders: 2, edits: 3 })).toBe(
    '1 upload, 3 unsent edits, and 2 watched folders',
  );
});
