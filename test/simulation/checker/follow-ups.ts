import { basename } from 'node:path';
import type { FinalItem, History } from '../history.ts';
import { MOVER_STEP_MS } from '../world/files.ts';

/**
 * A user's file is moved only when the library has its bytes, complete, and the row shows that. No check can detect bytes
 * that are written in the very step that moves the file or puts it into the trash: they are moved with the file and not lost.
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
 * The contents of a user's files always exist: at their path, at the path they were moved to, in the trash, or where the user put
 * them. Only contents that the user overwrote or replaced are lost.
 */
export function noFileIsLost({ versions, givenUp, final }: History): string[] {
  const accountedFor = new Set([...final.lying.map(({ contents }) => contents), ...final.trash, ...givenUp]);
  return versions
    .filter(({ contents }) => !accountedFor.has(contents))
    .map(({ path, contents }) => `${path}: ${contents} is gone`);
}

/** Sidecars that are moved with a recording keep the end of their names: captions their language, a picture its extension. */
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

/** If the file is not moved in the end, its copy on another disk is deleted. */
export function noHalfCopyIsLeft({ final }: History): string[] {
  return final.lying.filter(({ path }) => isPart(path)).map(({ path, contents }) => `${path} is left of ${contents}`);
}

function isPart(path: string): boolean {
  return path.endsWith('.mediadesk-part');
}

/**
 * Captions exist once: an item has no two non-empty caption files with the same name, if the account may delete an abandoned one.
 */
export function captionsOnce({ final, scenario }: History): string[] {
  if (!scenario.service.mayDeleteFiles) return [];
  return final.items.flatMap((item) => {
    const names = item.files.filter(isDelivered).map(({ name }) => name);
    const doubled = names.filter((name, index) => names.indexOf(name) !== index);
    return doubled.map((name) => `item ${item.id} holds ${name} more than once`);
  });
}

/**
 * A follow-up that a row shows as done is done in the library and on the disk. If the user removes a recording while it is
 * copied, that is reported; only after the report may a retry accept the copy.
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
