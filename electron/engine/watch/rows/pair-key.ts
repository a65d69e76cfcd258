import { stemsOfCaptions } from '../../../../shared/model/pairing/caption-stems.ts';
import { splitFileName } from '../../../../shared/model/title-template.ts';
import { nameOf } from '../../../../shared/model/watch/file-facts.ts';

/** The folder and the name without its extension: recordings and their sidecars begin with the same one. */
export function pairKeyOf(path: string): string {
  const name = nameOf(path);
  return `${path.slice(0, path.length - name.length)}${stemOf(name)}`;
}

/** The keys that the recording of a sidecar, or a sidecar of a recording without a language, can have. */
export function keysOfMates(path: string): string[] {
  const name = nameOf(path);
  const folder = path.slice(0, path.length - name.length);
  return stemsOfCaptions(stemOf(name)).map((stem) => `${folder}${stem}`);
}

function stemOf(name: string): string {
  return splitFileName(name.normalize('NFC')).stem;
}
