/** Captions or a thumbnail, which are uploaded with their recording. `shared/model/pairing` finds the recording. */
export interface SidecarName {
  kind: 'captions' | 'thumbnail';
  fileName: string;
}
