import type { CallInput } from '../../../../../shared/contract/contract.ts';
import { call, pathForFile } from '../../../../kit/bridge/bridge.ts';

/** A picture in the form of the call for thumbnails, with a canvas that shows it. */
export interface Picture {
  canvas: HTMLCanvasElement;
  name: string;
  input: CallInput<'files.setThumbnail'>['picture'];
}

/** The largest width and height in pixels. Larger pictures are reduced before they are sent. */
interface PictureSize {
  width: number;
  height: number;
}

/** No screen shows the thumbnail of an item in more pixels. */
const ITEM_SIZE: PictureSize = { width: 1920, height: 1080 };
/** The thumbnail of a podcast is its artwork, which podcast directories accept up to this size. */
export const COLLECTION_SIZE: PictureSize = { width: 3000, height: 3000 };
/** The maximum number of pixels, because a larger picture would use too much memory of the window. */
const MOST_PIXELS = 50_000_000;
const MOST_BYTES = 10 * 1024 * 1024;
const QUALITY = 0.92;

/** Thrown for a picture with too many pixels. */
export class TooManyPixels extends Error {
  readonly megapixels: number;

  constructor(pixels: number) {
    super('too many pixels');
    this.megapixels = Math.round(pixels / 1_000_000);
  }
}

/**
 * Reads a picture of this computer. Its size is checked before it is decoded. Throws `TooManyPixels`, and the errors of
 * `files.checkPicture`.
 */
export async function pictureOfFile(file: File, most: PictureSize = ITEM_SIZE): Promise<Picture> {
  const path = pathForFile(file);
  const { width, height, sizeBytes } = await call('files.checkPicture', { path });
  if (width * height > MOST_PIXELS) throw new TooManyPixels(width * height);
  const scale = Math.min(1, most.width / width, most.height / height);
  const size = {
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
  };
  const bitmap = await createImageBitmap(file, { ...size, resizeQuality: 'high' });
  const canvas = canvasOf(bitmap, bitmap.width, bitmap.height);
  bitmap.close();
  const fits = scale === 1 && sizeBytes <= MOST_BYTES;
  return { canvas, name: file.name, input: fits ? { path } : await bytesOf(canvas, file.name) };
}

/** Returns the picture of a video at its present position, at most as large as a thumbnail. Pauses the video. */
export async function frameOf(video: HTMLVideoElement): Promise<HTMLCanvasElement> {
  video.pause();
  await whenShown(video);
  const { videoWidth, videoHeight } = video;
  const scale = Math.min(1, ITEM_SIZE.width / videoWidth, ITEM_SIZE.height / videoHeight);
  return canvasOf(video, Math.round(videoWidth * scale), Math.round(videoHeight * scale));
}

/** How long to wait for a frame: a window that is not visible presents none. */
const FRAME_WITHIN_MS = 500;

/**
 * Resolves when the video presents the frame at its position. The end of a seek comes earlier: the frame is decoded then, but the
 * video may still present the frame of the old position. Seeks to the present position, which presents its frame again.
 */
async function whenShown(video: HTMLVideoElement): Promise<void> {
  let callback = 0;
  const presented = new Promise<void>((resolve) => {
    const look = () => {
      // During a seek this is still a frame of the old position.
      if (video.seeking) callback = video.requestVideoFrameCallback(look);
      else resolve();
    };
    callback = video.requestVideoFrameCallback(look);
  });
  const sought = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }));
  const { currentTime } = video;
  video.currentTime = currentTime;
  await sought;
  await Promise.race([presented, new Promise((resolve) => setTimeout(resolve, FRAME_WITHIN_MS))]);
  video.cancelVideoFrameCallback(callback);
}

/** Returns a frame of a video as a picture. Throws `SecurityError` for a video of another origin. */
export async function pictureOfFrame(canvas: HTMLCanvasElement, name: string): Promise<Picture> {
  return { canvas, name, input: await bytesOf(canvas, name) };
}

function canvasOf(source: CanvasImageSource, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: Math.max(1, width), height: Math.max(1, height) });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no drawing context');
  // JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

async function bytesOf(canvas: HTMLCanvasElement, name: string) {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
  if (blob === null) throw new Error('the picture could not be encoded');
  return { bytes: new Uint8Array(await blob.arrayBuffer()), name: name.slice(0, 200) };
}
