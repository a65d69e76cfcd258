/**
 * Files of this program that wait to be uploaded, such as a picture taken from a video. Each upload has a folder with one
 * file, named by the upload's id.
 */
export interface Outbox {
  /** Stores the file of an upload durably; returns its full path. `ending`: the extension with its dot, such as `.jpg`. */
  put(uploadId: string, bytes: Uint8Array, ending: string): Promise<string>;
  /** Removes the file of an upload; does nothing when there is none. */
  remove(uploadId: string): Promise<void>;
  /** The ids of the uploads with a file. */
  ids(): Promise<string[]>;
}
