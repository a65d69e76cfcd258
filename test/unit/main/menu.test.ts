import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { type MenuCommand, menuTemplate } from '../../../electron/main/menu.ts';
import { EVENTS } from '../../../shared/contract/contract.ts';

function flatten(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])]);
}

function menu(platform: NodeJS.Platform, development = false) {
  const sent: MenuCommand[] = [];
  const themes: string[] = [];
  const zooms: string[] = [];
  const template = menuTemplate({
    platform,
    development,
    theme: 'dark',
    send: (command) => sent.push(command),
    setTheme: (theme) => themes.push(theme),
    zoom: (change) => zooms.push(change),
    quitsWhenFinished: false,
    setQuitWhenFinished: () => undefined,
  });
  return { items: flatten(template), sent, themes, zooms };
}

describe('the application menu', () => {
  it.each(['linux', 'win32', 'darwin'] as const)('offers every command of the contract once on %s', (platform) => {
    const { items, sent } = menu(platform);
    const commands = EVENTS.onDidMenuCommand.shape.command.options;
    for (const command of commands) {
      const found = items.filter((item) => item.id === command);
      expect(found, command).toHaveLength(1);
      found[0]?.click?.({} as never, undefined, {} as never);
    }
    expect(sent).toEqual(commands);
  });

  it('has reload and developer tools only for development', () => {
    const roles = (development: boolean) => menu('linux', development).items.map((item) => item.role);
    expect(roles(true)).toContain('reload');
    expect(roles(false)).not.toContain('reload');
    expect(roles(false)).not.toContain('toggleDevTools');
  });

  it('uses no key twice', () => {
    const keys = menu('linux', true).items.flatMap((item) => item.accelerator ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('shows the current theme and reports a new one', () => {
    const { items, themes } = menu('linux');
    const choices = items.filter((item) => item.type === 'radio');
    expect(choices.map((item) => [item.id, item.checked])).toEqual([
      ['theme-system', false],
      ['theme-light', false],
      ['theme-dark', true],
    ]);
    choices[1]?.click?.({} as never, undefined, {} as never);
    expect(themes).toEqual(['light']);
  });

  it.each(['linux', 'win32', 'darwin'] as const)('zooms in, out and back to the actual size on %s', (platform) => {
    const { items, zooms } = menu(platform);
    for (const id of ['zoom-in', 'zoom-out', 'zoom-reset']) {
      items.find((item) => item.id === id)?.click?.({} as never, undefined, {} as never);
    }
    expect(zooms).toEqual(['in', 'out', 'reset']);
  });

  it('has a quit command on every platform', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const) {
      expect(menu(platform).items.filter((item) => item.role === 'quit')).toHaveLength(1);
    }
  });
});
