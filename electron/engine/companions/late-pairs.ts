import { basename, dirname, join } from 'node:path';
import type { EARLIER_DOUBTS, UnclearPair } from '../../../shared/contract/upload-files.ts';
import type { ItemField } from '../../../shared/item/fields.ts';
import type { DetailsResult } from '../../../shared/model/details/details-fields.ts';
import { companionKindOf, type DoubtfulCompanion } from '../../../shared/model/pairing/pair-files.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { FileFacts, Files } from '../ports/files.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import type { EarlierUploads } from './earlier-uploads.ts';
import type { LateTarget } from './late-file.ts';

/** The earlier upload to which a file belongs; null: none. With a doubt, the user decides. */
export type LateAnswer =
  | { target: LateTarget }
  | { doubt: UnclearPair['doubt']; candidates: UnclearPair['candidates']; fields?: ItemField[] }
  | null;

interface LateTools {
  files: Files;
  earlier: EarlierUploads;
  /** Returns whether a path is added in the same request: a file whose recording is added, too, belongs to no earlier upload. */
  isAdded(path: string): boolean;
  /**
   * Returns the recording in the folder of a file that its name identifies (`owner`), else those that it may name (`doubtful`).
   */
  namesFor(path: string): Promise<{ owner: string | null; doubtful: DoubtfulCompanion | null }>;
  /** Returns the contents of a file with details; null: it can't be read. */
  contentsOf(path: string): Promise<{ details: DetailsResult; facts: FileFacts } | null>;
}

/** The facts about the recording of a file, from names and disk. */
interface Recordings {
  /** Uploads of the file that is there now. */
  same: Upload[];
  /** Other uploads to which the file may belong; `doubt` is the reason why they are not certain. */
  others: Upload[];
  doubt: (typeof EARLIER_DOUBTS)[number];
  /** The path of the recording now, by the id of the upload. */
  pathOf: Map<string, string>;
}

/**
 * Finds the earlier uploads of the recordings of files. An upload is certain when the name matches exactly, the recording is
 * still the file that was uploaded, wherever it was then, there is one such upload, and its item has no file of the same kind and
 * name. The choice of the user comes first.
 */
export class LatePairs {
  readonly #tools: LateTools;
  readonly #answers = new Map<string, Promise<LateAnswer>>();

  constructor(tools: LateTools) {
    this.#tools = tools;
  }

  /** Returns the upload to which a file belongs. A file whose recording is added, too, belongs to none. */
  answer(path: string): Promise<LateAnswer> {
    let answer = this.#answers.get(path);
    if (answer === undefined) {
      answer = this.#find(path);
      this.#answers.set(path, answer);
    }
    return answer;
  }

  async #find(path: string): Promise<LateAnswer> {
    const kind = companionKindOf(path);
    if (kind === null) return null;
    if (kind !== 'details') return this.#answerFor(path, (upload) => ({ kind, upload }));
    const contents = await this.#tools.contentsOf(path);
    if (contents === null || contents.details.kind === 'none') return null;
    if (contents.details.kind === 'problem') {
      const found = await this.#answerFor(path, (upload) => ({ kind, upload, fields: {}, read: contents.facts }));
      return found === null ? null : { doubt: 'unreadable', candidates: [] };
    }
    const { fields } = contents.details;
    return this.#answerFor(path, (upload) => ({ kind, upload, fields, read: contents.facts }));
  }

  async #answerFor(path: string, targetOf: (upload: Upload) => LateTarget): Promise<LateAnswer> {
    const { earlier, isAdded, namesFor } = this.#tools;
    const chosen = earlier.chosenFor(path);
    const upload = chosen === null ? null : earlier.get(chosen);
    if (upload !== null) return { target: targetOf(upload) };
    const folder = dirname(path);
    const { owner, doubtful } = await namesFor(path);
    const absent = owner === null ? await this.#pathOfAbsent(path) : null;
    const names = owner === null ? (doubtful?.candidates ?? []) : [owner];
    const recordings = absent === null ? names.map((name) => join(folder, name)) : [absent];
    const found = await this.#recordings(recordings.filter((each) => !isAdded(each)));
    // If the present contents were uploaded, uploads of earlier contents at the same path are not offered.
    const uploads = found.same.length > 0 ? found.same : found.others;
    const [only] = uploads;
    // If the upload that the user chose does not exist any more, the user decides again.
    if (only === undefined) return chosen === null ? null : { doubt: 'changed', candidates: [] };
    const target = targetOf(only);
    const own = await this.#ownDoubt(path, found, target);
    if (chosen === null && doubtful === null && own === null) return { target };
    const candidates = uploads.map((each) => {
      const recording = found.pathOf.get(each.id) ?? each.path;
      return { path: recording, fileName: shownName(basename(recording)), upload: earlier.shown(each) };
    });
    return {
      doubt: doubtful?.doubt ?? own?.doubt ?? 'changed',
      candidates,
      ...(own?.fields ? { fields: own.fields } : {}),
    };
  }

  /** Returns the path of a file's recording at its upload; null: unknown, or another file is at that path now. */
  async #pathOfAbsent(path: string): Promise<string | null> {
    const { earlier, files } = this.#tools;
    const kind = companionKindOf(path);
    const absent = kind === null ? null : earlier.pathOfAbsent(path, kind);
    return absent === null || (await factsOf(absent, files)) !== null ? null : absent;
  }

  /** Returns why the user has to decide although the name identifies the recording; null: the upload is certain. */
  async #ownDoubt(
    path: string,
    { same, doubt }: Recordings,
    target: LateTarget,
  ): Promise<{ doubt: (typeof EARLIER_DOUBTS)[number]; fields?: ItemField[] } | null> {
    const { earlier } = this.#tools;
    if (same.length === 0) return { doubt };
    if (same.length > 1) return { doubt: 'repeated' };
    if (target.kind === 'details') {
      const fields = (await earlier.entered(target.upload, target.fields))();
      return fields.length === 0 ? null : { doubt: 'entered', fields };
    }
    const { kind, upload } = target;
    return earlier.hasSidecar(upload, { kind, fileName: shownName(basename(path)) }) ? { doubt: 'has-one' } : null;
  }

  async #recordings(paths: readonly string[]): Promise<Recordings> {
    const same = new Map<string, Upload>();
    const changed = new Map<string, Upload>();
    const moved = new Map<string, Upload>();
    const pathOf = new Map<string, string>();
    for (const path of paths) {
      const { files, earlier } = this.#tools;
      const uploads = earlier.ofRecording(path);
      const facts = await factsOf(path, files);
      const note = (to: Map<string, Upload>, some: readonly Upload[]) => {
        for (const upload of some) {
          to.set(upload.id, upload);
          pathOf.set(upload.id, path);
        }
      };
      if (facts === null) {
        note(same, uploads.filter(isPutAway));
        note(
          moved,
          uploads.filter((upload) => !isPutAway(upload)),
        );
        continue;
      }
      const isSame = (upload: Upload) => isAsUploaded(upload, facts);
      note(same, uploads.filter(isSame));
      note(
        changed,
        uploads.filter((upload) => !isSame(upload)),
      );
      if (uploads.some(isSame)) continue;
      const elsewhere = earlier.ofMoved(facts);
      note(same, elsewhere.same);
      note(moved, elsewhere.alike);
    }
    const others = changed.size > 0 ? changed : moved;
    const doubt = changed.size > 0 ? 'changed' : 'moved';
    return { same: [...same.values()], others: [...others.values()], doubt, pathOf };
  }
}

/** Returns whether Mediadesk itself moved the recording of an upload to another folder or to the trash. */
function isPutAway({ followUps }: Upload): boolean {
  return followUps.some(({ kind, state }) => kind === 'source' && state === 'done');
}

function isAsUploaded({ sizeBytes, mtimeMs }: Upload, facts: FileFacts): boolean {
  return facts.kind === 'file' && facts.sizeBytes === sizeBytes && facts.mtimeMs === mtimeMs;
}

/** Returns the facts of a file; null: it can't be read. */
async function factsOf(path: string, files: Files): Promise<FileFacts | null> {
  return files.facts(path).catch(() => null);
}
