import { texts } from '../texts.ts';
import { type Activity, isTransferring } from './activity.ts';

/** Returns one line about the work, such as `3 uploads, 45 %`, for the tray and its tooltip. */
export function statusLine(activity: Activity): string {
  const words = texts.status;
  const parts: string[] = [];
  if (activity.attention > 0) parts.push(words.attention(activity.attention));
  if (activity.isPaused) parts.push(words.paused);
  else if (isTransferring(activity)) parts.push(...transferWords(activity));
  else if (activity.folders > 0) parts.push(words.folders(activity.folders));
  if (activity.edits > 0) parts.push(words.edits(activity.edits));
  return parts.length === 0 ? words.idle : parts.join(' · ');
}

function transferWords({ uploads, downloads, progress }: Activity): string[] {
  const words = texts.status;
  const share = progress === null ? [] : [words.percent(Math.min(99, Math.floor(progress * 100)))];
  return [
    ...(uploads > 0 ? [words.uploads(uploads), ...share] : []),
    ...(downloads > 0 ? [words.downloads(downloads)] : []),
  ];
}

/** Returns what goes on without the window, such as `3 uploads and 2 watched folders`. */
export function workWords({ uploads, downloads, edits, folders }: Activity): string {
  const words = texts.status;
  const parts = [
    ...(uploads > 0 ? [words.uploads(uploads)] : []),
    ...(downloads > 0 ? [words.downloads(downloads)] : []),
    ...(edits > 0 ? [words.edits(edits)] : []),
    ...(folders > 0 ? [words.watchedFolders(folders)] : []),
  ];
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(parts);
}
