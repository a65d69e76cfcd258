import { basename } from 'node:path';
import type { EARLIER_DOUBTS, UnclearPair } from '../../../shared/contract/upload-files.ts';
import type { ItemField } from '../../../shared/item/fields.ts';
import { type CompanionKind, companionKindOf } from '../../../shared/model/pairing/pair-files.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { FileFacts, Files } from '../ports/files.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import type { AddedFiles } from './added-files.ts';
import type { EarlierUploads } from './earlier-uploads.ts';
import type { LateTarget } from './late-files.ts';

/** The earlier upload to which a file belongs; null: none. With a doubt, the user decides. */
export type LateAnswer =
  | { target: LateTarget }
  | { doubt: UnclearPair['doubt']; candidates: UnclearPair['candidates']; fields?: ItemField[] }
  | null;

interface LateTools {
  files: Files;
  earlier: EarlierUploads;
  /** The added paths: a file whose recording is added, too, belongs to no earlier upload. */
  added: AddedFiles;
}

/** An upload of the recording at a path. */
interface UploadAt {
  upload: Upload;
  path: string;
}

/** The uploads of possible recordings of a file, by their ids. `same`: of the file that is there now. */
type FoundUploads = Record<'same' | 'changed' | 'moved', Map<string, UploadAt>>;

/**
 * Finds the earlier uploads of the recordings of files. An upload is certain when the name matches exactly, the recording is
 * still the file that was uploaded, wherever it was then, there is one such upload, and its item has no file of the same kind and
 * name. The choice of the user comes first.
 */
export class LatePairs {
  readonly #tools: LateTools;

  constructor(tools: LateTools) {
    this.#tools = tools;
  }

  /** Returns the upload to which a file belongs. A file whose recording is added, too, belongs to none. */
  async answer(path: string): Promise<LateAnswer> {
    const kind = companionKindOf(path);
    if (kind === null) return null;
    if (kind !== 'details') return this.#answerFor(path, kind, (upload) => ({ kind, upload, fields: {}, read: null }));
    const contents = await this.#tools.added.contentsOf(path);
    if (contents === null || contents.details.kind === 'none') return null;
    const { details, facts } = contents;
    const fields = details.kind === 'details' ? details.fields : {};
    const answer = await this.#answerFor(path, kind, (upload) => ({ kind, upload, fields, read: facts }));
    return answer !== null && details.kind === 'problem' ? { doubt: 'unreadable', candidates: [] } : answer;
  }

  async #answerFor(path: string, kind: CompanionKind, targetOf: (upload: Upload) => LateTarget): Promise<LateAnswer> {
    const { earlier, added } = this.#tools;
    const chosen = earlier.chosenFor(path);
    const upload = chosen === null ? null : earlier.get(chosen);
    if (upload !== null) return { target: targetOf(upload) };
    const { owner, doubtful } = await added.recordingsFor(path);
    const absent = owner === null ? await this.#pathOfAbsent(path, kind) : null;
    const named = owner ?? absent;
    const recordings = named === null ? (doubtful?.candidates ?? []) : [named];
    const { same, changed, moved } = await this.#uploadsOf(recordings.filter((each) => !added.isAdded(each)));
    // If the present contents were uploaded, uploads of earlier contents at the same path are not offered.
    const others = changed.size > 0 ? changed : moved;
    const uploads = [...(same.size > 0 ? same : others).values()];
    const [only] = uploads;
    // If the upload that the user chose does not exist any more, the user decides again.
    if (only === undefined) return chosen === null ? null : { doubt: 'changed', candidates: [] };
    const target = targetOf(only.upload);
    const own =
      same.size === 1
        ? await this.#ownDoubt(path, target)
        : ({ doubt: same.size > 1 ? 'repeated' : changed.size > 0 ? 'changed' : 'moved' } as const);
    if (chosen === null && doubtful === null && own === null) return { target };
    const candidates = uploads.map((each) => {
      return { path: each.path, fileName: shownName(basename(each.path)), upload: earlier.shown(each.upload) };
    });
    return { doubt: 'changed', ...own, ...(doubtful === null ? {} : { doubt: doubtful.doubt }), candidates };
  }

  /** Returns the path of a file's recording at its upload; null: unknown, or another file is at that path now. */
  async #pathOfAbsent(path: string, kind: CompanionKind): Promise<string | null> {
    const absent = this.#tools.earlier.pathOfAbsent(path, kind);
    return absent === null || (await this.#factsOf(absent)) !== null ? null : absent;
  }

  /** Returns why the user has to decide although the name identifies the recording; null: the upload is certain. */
  async #ownDoubt(
    path: string,
    { kind, upload, fields }: LateTarget,
  ): Promise<{ doubt: (typeof EARLIER_DOUBTS)[number]; fields?: ItemField[] } | null> {
    const { earlier } = this.#tools;
    if (kind === 'details') {
      const entered = await earlier.entered(upload, fields);
      return entered.length === 0 ? null : { doubt: 'entered', fields: entered };
    }
    return earlier.hasSidecar(upload, { kind, fileName: shownName(basename(path)) }) ? { doubt: 'has-one' } : null;
  }

  async #uploadsOf(recordings: readonly string[]): Promise<FoundUploads> {
    const found: FoundUploads = { same: new Map(), changed: new Map(), moved: new Map() };
    for (const path of recordings) {
      const { earlier } = this.#tools;
      const note = (as: keyof FoundUploads, uploads: readonly Upload[] = []) => {
        for (const upload of uploads) found[as].set(upload.id, { upload, path });
      };
      const facts = await this.#factsOf(path);
      const isSame = facts === null ? isPutAway : (upload: Upload) => isAsUploaded(upload, facts);
      const { same, others } = Object.groupBy(earlier.ofRecording(path), (each) => (isSame(each) ? 'same' : 'others'));
      note('same', same);
      note(facts === null ? 'moved' : 'changed', others);
      if (facts === null || same !== undefined) continue;
      const elsewhere = earlier.ofMoved(facts);
      note('same', elsewhere.same);
      note('moved', elsewhere.alike);
    }
    return found;
  }

  /** Returns the facts of a file; null: it can't be read. */
  #factsOf(path: string): Promise<FileFacts | null> {
    return this.#tools.files.facts(path).catch(() => null);
  }
}

/** Returns whether Mediadesk itself moved the recording of an upload to another folder or to the trash. */
function isPutAway({ followUps }: Upload): boolean {
  return followUps.some(({ kind, state }) => kind === 'source' && state === 'done');
}

function isAsUploaded({ sizeBytes, mtimeMs }: Upload, facts: FileFacts): boolean {
  return facts.kind === 'file' && facts.sizeBytes === sizeBytes && facts.mtimeMs === mtimeMs;
}
