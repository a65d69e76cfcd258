// The accessibility scans themselves: contrast that axe can't decide is reported unless a measurement proves that it suffices.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';

let folder: string;
let desktop: DesktopApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mediadesk-axe-itself-'));
  desktop = await launchApp({ profileDir: join(folder, 'profile'), size: { width: 1280, height: 800 } });
  await desktop.window.getByLabel('Library address').waitFor();
});
afterAll(async () => {
  await desktop?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Replaces the page by one text on a white background. `rules`: further CSS for the text. */
async function showText(style: Readonly<Record<string, string>>, rules = ''): Promise<void> {
  await desktop.window.evaluate(
    ([own, css]) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
      const ground = document.createElement('main');
      const text = document.createElement('p');
      text.textContent = 'A sentence to be read';
      Object.assign(ground.style, { position: 'fixed', inset: '0', background: 'white' });
      Object.assign(text.style, { position: 'relative', padding: '20px', fontSize: '14px', ...own });
      ground.append(text);
      document.body.replaceChildren(ground);
    },
    [style, rules] as const,
  );
}

const gradient = (...colors: string[]) => `linear-gradient(90deg, ${colors.join(', ')})`;
const pixel = 'url("data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==")';

describe('the contrast check of the tests', () => {
  it.each([
    ['on one color', { color: '#000' }, ''],
    ['on a gradient of light colors', { color: '#000', backgroundImage: gradient('#fff', '#ccc') }, ''],
    [
      'over a light pseudo-element',
      { color: '#000' },
      'p::before { content: ""; position: absolute; inset: 0; background: #eee; z-index: -1 }',
    ],
    [
      'beside a dark underline',
      { color: '#000' },
      'p::after { content: ""; position: absolute; left: 0; right: 0; bottom: 0; height: 2px; background: #111 }',
    ],
  ])('finds nothing in a text %s with enough contrast', async (_what, style, rules) => {
    await showText(style, rules);
    expect(await axeFindings(desktop.window, 'colors')).toEqual([]);
  });

  it.each([
    ['violation', 'with too little contrast on one color', { color: '#aaa' }, ''],
    [
      'review',
      'with too little contrast at one end of a gradient',
      { color: '#000', backgroundImage: gradient('#fff', '#222') },
      '',
    ],
    [
      'review',
      'with too little contrast in the middle of a gradient',
      { color: '#767676', backgroundImage: gradient('#fff', '#000') },
      '',
    ],
    ['review', 'on a picture, which is not measured', { color: '#000', backgroundImage: pixel }, ''],
    [
      'review',
      'with opacity, which is not measured',
      { color: '#000', opacity: '0.3', backgroundImage: gradient('#fff', '#eee') },
      '',
    ],
    [
      'review',
      'with too little contrast over a pseudo-element',
      { color: '#000' },
      'p::before { content: ""; position: absolute; inset: 0; background: #111; z-index: -1 }',
    ],
    [
      'review',
      'with too little contrast on a background that pointer events pass through',
      { color: '#000', backgroundImage: gradient('#fff3', '#eee3') },
      'main { background: #111 !important; pointer-events: none } p { pointer-events: auto }',
    ],
  ])('reports a %s in a text %s', async (kind, _what, style, rules) => {
    await showText(style, rules);
    expect(await axeFindings(desktop.window, 'colors')).toEqual([expect.stringContaining(`${kind} color-contrast: `)]);
  });
});

it('the contrast check of the tests scans again when the page changed during the scan', async () => {
  await showText({ color: '#000' });
  // The text has too little contrast until the end of the first scan.
  await desktop.window.evaluate(async () => {
    const text = document.querySelector('p');
    if (text !== null) text.style.color = '#aaa';
    const { axe } = globalThis as unknown as { axe: { run(...given: unknown[]): Promise<unknown> } };
    const { run } = axe;
    axe.run = async (...given) => {
      axe.run = run;
      const results = await run(...given);
      if (text !== null) text.style.color = '#000';
      return results;
    };
  });
  expect(await axeFindings(desktop.window, 'colors')).toEqual([]);
});
