// 511 hostile texts in every field, through the engine to the real service and back: intact, or refused with a clear error.
import { expect } from 'vitest';
import { AppError } from '../../../shared/contract/app-error.ts';
import type { MediaPatch } from '../../../shared/contract/library.ts';
import { canonicalTag } from '../../../shared/model/edits/canonical.ts';
import { HOSTILE_TEXTS, type HostileText } from '../../helpers/data/hostile-texts.ts';
import { deskTest } from '../../helpers/engine/desk.ts';
import { clientFor } from '../../helpers/service/service-client.ts';

const it = deskTest();

const idOf = (path: string) => path.split('/').at(-1) ?? '';

/** The error codes that tell the user which value was refused, and why. */
const CLEAR = new Set(['api.invalid', 'edit.title-empty', 'input.invalid']);

/** The kinds of texts that some field refuses: control characters, lone surrogates, and texts of blanks only. */
const REFUSED_KINDS = new Set(['broken', 'script', 'unicode']);

function expectClear(thrown: unknown, { kind, text }: HostileText): void {
  if (!(thrown instanceof AppError)) throw thrown;
  expect([...CLEAR], `${JSON.stringify(text)}: ${thrown.code}`).toContain(thrown.code);
  expect(thrown.nextStep).not.toBeNull();
  expect(REFUSED_KINDS.has(kind), `${JSON.stringify(text)} is refused`).toBe(true);
}

/** Returns whether a line of text contains a control character, which a title can't have, or no visible character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question
const isNoLine = (text: string) => /[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed() || text.trim() === '';

/** Returns whether a description can be this text. */
const isText = (text: string) => text.isWellFormed() && !text.includes('\u0000');
/** Returns whether a tag can be this text: tags are separated by commas, short, and without blanks around them. */
const isTag = (text: string) => !text.includes(',') && text.length <= 100 && text === text.trim();

/** Items that are edited at the same time. */
const LANES = 24;

/** Runs the work for every text, several at a time. */
async function forEachText(work: (hostile: HostileText, lane: number) => Promise<void>): Promise<void> {
  const left = [...HOSTILE_TEXTS];
  const run = async (lane: number) => {
    for (let hostile = left.shift(); hostile !== undefined; hostile = left.shift()) await work(hostile, lane);
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => run(lane)));
}

it('the library keeps every text in title, byline, description and tags, or refuses it with the reason', {
  timeout: 300_000,
}, async ({ desk, service }) => {
  const client = await clientFor(service);
  const { engine, siteId } = desk;
  const paths: string[] = [];
  for (let lane = 0; lane < LANES; lane += 1) paths.push(await client.createItem('Start'));
  let kept = 0;
  await forEachText(async (hostile, lane) => {
    const { text } = hostile;
    const path = paths[lane] ?? '';
    const write = (patch: MediaPatch) => engine.call('library.updateMedia', { siteId, mediaId: idOf(path), patch });
    if (!isNoLine(text) && isTag(text)) {
      await write({ title: text, byline: text, description: text, tags: [text] });
      const { body } = await client.get(path);
      expect([body.title, body.byline, body.description]).toEqual([text, text, text]);
      expect(body.tags.map(canonicalTag)).toEqual([canonicalTag(text)]);
      kept += 1;
      return;
    }
    // Where one field may refuse the text, each field is tried alone.
    for (const field of ['title', 'byline', 'description'] as const) {
      try {
        await write({ [field]: text });
        expect((await client.get(path)).body[field] ?? '', field).toBe(text);
      } catch (thrown) {
        expectClear(thrown, hostile);
        expect(field === 'description' ? !isText(text) : isNoLine(text), `${field} ${JSON.stringify(text)}`).toBe(true);
      }
    }
  });
  expect(kept).toBeGreaterThan(450);
  expect((await engine.call('edits.groups', { siteId, isOpen: true, offset: 0, limit: 50 })).total).toBe(0);
});

it('the library keeps every text as the name of a collection, or refuses it with the reason', {
  timeout: 300_000,
}, async ({ desk }) => {
  const { engine, siteId } = desk;
  const parentId = desk.collectionId;
  const made: string[] = [];
  await forEachText(async (hostile) => {
    const { text } = hostile;
    try {
      const row = await engine.call('library.createCollection', {
        siteId,
        parentId,
        displayName: text,
        isPodcast: false,
      });
      expect(row.display_name).toBe(text);
      made.push(text);
    } catch (thrown) {
      expectClear(thrown, hostile);
      expect(isNoLine(text), JSON.stringify(text)).toBe(true);
    }
  });
  await engine.call('library.refresh', { siteId });
  const rows = await engine.call('library.collections', { siteId, parentId });
  expect(rows.map(({ displayName }) => displayName).sort()).toEqual(made.sort());
});
