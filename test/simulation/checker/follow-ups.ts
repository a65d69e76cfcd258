import { basename } from 'node:path';
import type { FinalItem, History } from '../history.ts';
import { MOVER_STEP_MS } from '../world/files.ts';

/**
 * A person's file is taken from its place only when the library holds its bytes, complete, and the row says so. Who
 * writes in the very step that moves it, or puts it into the trash, is too late for any look: what they wrote is there.
 */
export function sourceIsSafe({ taken, rows, effects, versions }: History): string[] {
  return taken.flatMap(({ atMs, kind, path, contents, elsewhere }) => {
    if (isPart(path)) return [];
    const isKnown = rows.some(({ row }) => row.path === path);
    const own = rows.filter(({ row }) => row.path === path || row.followUps.some((each) => each.path === path));
    const problems: string[] = [];
    const wasComplete = own.some((fact) => fact.atMs <= atMs && fact.row.state === 'complete');
    if (!wasComplete) problems.push(`at ${atMs}: ${path} was ${kind} before its upload was complete`);
    const isStored = effects.some(
      (effect) => effect.kind === 'file-complete' && effect.text === contents && effect.atMs <= atMs,
    );
    const isTooLate =
      kind !== 'removed' &&
      versions.some((each) => each.contents === contents && atMs - each.atMs <= MOVER_STEP_MS && each.atMs <= atMs);
    if (isKnown && !isStored && !isTooLate)
      problems.push(`at ${atMs}: ${path} was ${kind} and the library does not hold ${contents}`);
    if (kind === 'removed' && !elsewhere) problems.push(`at ${atMs}: the only copy of ${contents} was removed`);
    return problems;
  });
}

/**
 * What a person's files are is somewhere: in its place, where it was moved to, in the trash, or put away. Only what a
 * person wrote over or replaced is given up.
 */
export function noFileIsLost({ versions, givenUp, final }: History): string[] {
  const accountedFor = new Set([...final.lying.map(({ contents }) => contents), ...final.trash, ...givenUp]);
  return versions
    .filter(({ contents }) => !accountedFor.has(contents))
    .map(({ path, contents }) => `${path}: ${contents} is gone`);
}

/** Sidecars keep their meaning by name when they are moved with a recording: captions in their language, a picture. */
export function sidecarsKeepTheirEndings({ versions, rows, final }: History): string[] {
  const sidecars = new Set(rows.flatMap(({ row }) => row.followUps.map(({ path }) => path)));
  return versions.flatMap(({ path, contents }) => {
    if (!sidecars.has(path)) return [];
    const ending = basename(path).replace(/^[^.]*/, '');
    const strange = final.lying.find(
      (each) => each.contents === contents && !each.path.endsWith(ending) && !isPart(each.path),
    );
    return strange ? [`${path} was moved to ${strange.path}`] : [];
  });
}

/** What was copied to another disk and not moved in the end is not left there. */
export function noHalfCopyIsLeft({ final }: History): string[] {
  return final.lying.filter(({ path }) => isPart(path)).map(({ path, contents }) => `${path} is left of ${contents}`);
}

function isPart(path: string): boolean {
  return path.endsWith('.mediadesk-part');
}

/** Captions once: an item has no two caption files of one name with contents, where the account may remove the one it gives up. */
export function captionsOnce({ final, scenario }: History): string[] {
  if (!scenario.service.mayDeleteFiles) return [];
  return final.items.flatMap((item) => {
    const names = item.files.filter(isDelivered).map(({ name }) => name);
    const doubled = names.filter((name, index) => names.indexOf(name) !== index);
    return doubled.map((name) => `item ${item.id} holds ${name} more than once`);
  });
}

/**
 * What a row says is done after the upload is so in the library and on the disk. A recording that a person took away while
 * it was copied is reported; only then a retry may accept the copy.
 */
export function followUpsAreTrue({ final, taken, rows }: History): string[] {
  const isReported = (id: string) =>
    rows.some(({ row }) => row.id === id && row.followUps.some(({ error }) => error?.code === 'source.not-removed'));
  const items = new Map(final.items.map((item) => [`${item.site} ${item.id}`, item]));
  return final.rows.flatMap((row) => {
    const item = items.get(`${row.siteId} ${row.mediaId}`);
    return row.followUps.flatMap(({ kind, state, fileName, source }) => {
      if (state !== 'done') return [];
      const isMissing =
        kind === 'captions' &&
        item !== undefined &&
        !item.files.some((file) => isDelivered(file) && file.name === fileName);
      if (isMissing) return [`${row.id}: ${fileName} is not in the library`];
      if (kind !== 'source' || source?.kind === 'keep') return [];
      const isAccepted = isReported(row.id) && !final.lying.some(({ path }) => path === row.path);
      const isThere = !isAccepted && !taken.some(({ path }) => path === row.path);
      return isThere ? [`${row.id}: ${row.path} was never taken from its place`] : [];
    });
  });
}

function isDelivered({ type, status }: FinalItem['files'][number]): boolean {
  return type === 'captions' && (status === 'complete' || status === 'processing');
}
