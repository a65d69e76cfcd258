import { chooseFiles } from '../../kit/bridge/files-and-clipboard.ts';
import { toErrorData } from '../../kit/text/errors.ts';
import { type Picture, pictureOfFile, TooManyPixels } from '../library/state/files/picture.ts';
import { texts } from './texts.ts';

export type ChosenPicture = Picture;

/** Lets the user choose a PNG or JPEG of this computer, and reads it. null: cancelled. Throws as `pictureOfFile`. */
export async function choosePicture(most: { width: number; height: number }): Promise<ChosenPicture | null> {
  const [file] = await chooseFiles({ accept: 'image/png,image/jpeg', multiple: false });
  return file === undefined ? null : pictureOfFile(file, most);
}

/** Returns why a picture can't be read, with the next step. */
export function pictureProblem(thrown: unknown): { message: string; nextStep: string | null } {
  if (thrown instanceof TooManyPixels) {
    return { message: texts.picture.tooManyPixels(thrown.megapixels), nextStep: texts.picture.choosePixels };
  }
  if (thrown instanceof DOMException) {
    return { message: texts.picture.undecodable, nextStep: texts.picture.chooseOther };
  }
  return toErrorData(thrown);
}
