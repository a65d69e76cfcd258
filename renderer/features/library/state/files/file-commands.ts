import { create } from 'zustand';
import type { MediaRef } from '../../../../../shared/contract/media-ref.ts';
import type { AddUploadsOutput, UploadRow } from '../../../../../shared/contract/uploads.ts';
import { call, pathForFile } from '../../../../kit/bridge/bridge.ts';
import { chooseFiles, chooseFilesWithPaths } from '../../../../kit/bridge/files-and-clipboard.ts';
import { stepText } from '../../../../kit/text/errors.ts';
import { announce, attempt, notify, warn } from '../../../common/state/messages-store.ts';
import { loadDetail } from '../inspector-store.ts';
import { texts } from '../texts.ts';
import { loadAdditions } from './additions-store.ts';

/** A file of the library, with the name that a dialog shows. */
interface NamedFile {
  id: string;
  name: string;
}

/** A collection of a library. */
interface CollectionRef {
  siteId: string;
  collectionId: string;
}

/** The dialog about the files of an item, or the thumbnail of a collection, that is open. */
type FileDialog =
  /** `captions`: the captions that are changed; null: new ones. `failed`: an upload of captions that the library refused. */
  | { kind: 'captions'; item: MediaRef; captions: NamedFile | null; failed: UploadRow | null }
  /** `frame`: the picture that the player shows; null: a picture of this computer is chosen. */
  | { kind: 'thumbnail'; item: MediaRef; frame: HTMLCanvasElement | null }
  /** `isPodcast`: the picture is also the artwork in podcast directories. */
  | { kind: 'collection-thumbnail'; collection: CollectionRef; name: string; isPodcast: boolean }
  /** `old`: the web content that is replaced; null: new content is added. */
  | { kind: 'web'; item: MediaRef; old: NamedFile | null }
  | { kind: 'replace'; item: MediaRef; old: NamedFile; path: string; fileName: string };

export const useFileDialog = create<{ open: FileDialog | null }>(() => ({ open: null }));

export function openFileDialog(open: FileDialog | null): void {
  useFileDialog.setState({ open });
}

/** Deletes a file, and reads the item again. `done`: the sentence that confirms it. */
export function deleteFile(siteId: string, mediaId: string, { id, name }: NamedFile, done: string): Promise<void> {
  return attempt(async () => {
    const { isPending } = await call('files.delete', { siteId, mediaId, fileId: id, name });
    notify(isPending ? texts.files.deletedLater(name) : done);
    await loadDetail();
  });
}

/** Asks for files and adds them to an item. */
export async function chooseAndAdd(item: MediaRef): Promise<void> {
  await addFiles(item, navigator.userActivation.isActive ? await chosenHere() : await call('shell.pickFiles', null));
}

/** Opens the picker of the page, which opens after a press in the page only, not after a command of the application menu. */
async function chosenHere(): Promise<string[]> {
  return (await chooseFilesWithPaths()).map(({ path }) => path);
}

export function addFiles({ siteId, mediaId }: MediaRef, paths: readonly string[]): Promise<void> {
  return attempt(async () => {
    if (paths.length === 0) return;
    await report(await call('files.add', { siteId, mediaId, paths: [...paths] }));
  });
}

/** Asks for a file and then whether it may replace another one. */
export async function chooseReplacement(item: MediaRef, old: NamedFile): Promise<void> {
  const [file] = await chooseFiles({ accept: '', multiple: false });
  if (file === undefined) return;
  const path = pathForFile(file);
  if (path !== '') openFileDialog({ kind: 'replace', item, old, path, fileName: file.name });
}

export function replaceFile({ siteId, mediaId }: MediaRef, fileId: string, path: string): Promise<void> {
  return attempt(async () => report(await call('files.replace', { siteId, mediaId, fileId, path })));
}

/** Adds web content, or replaces it. Rejects with the reason. */
export async function embed(
  item: MediaRef,
  web: { url: string; name: string; replaces: NamedFile | null },
): Promise<void> {
  const { isPending } = await call('files.embed', { ...item, ...web });
  notify(isPending ? texts.files.embeddedLater(web.name) : texts.files.embedded(web.name));
  await loadDetail();
}

/** Announces added files, and shows why a file was not added. */
export async function report({ added, skipped }: AddUploadsOutput): Promise<void> {
  if (added > 0) announce(texts.files.adding(added));
  for (const { path, error } of skipped.slice(0, 3)) {
    warn(texts.files.notAdded(path.split(/[\\/]/).at(-1) ?? path, error.message), stepText(error));
  }
  await loadAdditions();
}
