import { create } from 'zustand';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { mimeTypeOf } from '../../../../shared/model/media-types.ts';
import type { WaveformResult } from '../../../../shared/model/waveform/waveform.ts';
import type { FileWithPath } from '../../../kit/bridge/files-and-clipboard.ts';
import { computeWaveform } from '../../../kit/waveform/compute-waveform.ts';

/** A recording without a picture that was dropped into the window or chosen in its picker. */
interface LocalSound {
  path: string;
  name: string;
  /** null while it is read. */
  result: WaveformResult | null;
}

/** With more files, the sheet shows no waveforms. */
const MOST_FILES = 4;
/** What is read of each file of this computer. */
const LIMITS = { bytes: Number.MAX_SAFE_INTEGER, seconds: 4 * 3600, ms: 20_000 };

/** The waveforms of the files that were dropped or chosen last. */
export const useLocalSound = create<{ sounds: readonly LocalSound[] }>(() => ({ sounds: [] }));

let reading: AbortController | null = null;
/** What was read in this session, by path, with size and modification time of the file then: the last ones. */
const read = new Map<string, { file: File; result: WaveformResult }>();
const MOST_READ = 50;
/** The window rounds the time to milliseconds. */
const ROUNDING_MS = 1;

type UploadedFile = Pick<UploadRow, 'path' | 'sizeBytes' | 'mtimeMs'>;

/** Returns the waveform of an uploaded file that was dropped and read before, once; null when there is none, or it has changed. */
export function takeSoundOf({ path, sizeBytes, mtimeMs }: UploadedFile): WaveformResult | null {
  const found = read.get(path);
  read.delete(path);
  if (found === undefined || found.file.size !== sizeBytes) return null;
  return Math.abs(found.file.lastModified - mtimeMs) <= ROUNDING_MS ? found.result : null;
}

/** Reads the waveforms of a few dropped or chosen files, one after the other. Earlier files are forgotten. */
export function takeFiles(dropped: readonly FileWithPath[]): void {
  forgetSounds();
  const found = dropped.filter(({ file }) => mimeTypeOf(file.name).startsWith('audio/'));
  if (found.length === 0 || found.length > MOST_FILES) return;
  useLocalSound.setState({ sounds: found.map(({ path, file }) => ({ path, name: file.name, result: null })) });
  reading = new AbortController();
  void readAll(found, reading.signal);
}

/** Ends the reading: the sheet is closed. */
export function forgetSounds(): void {
  reading?.abort();
  reading = null;
  if (useLocalSound.getState().sounds.length > 0) useLocalSound.setState({ sounds: [] });
}

async function readAll(files: readonly FileWithPath[], signal: AbortSignal): Promise<void> {
  for (const { path, file } of files) {
    const result = await computeWaveform({ source: { file }, limits: LIMITS, knownSeconds: 0, signal });
    if (result === null) return;
    read.delete(path);
    read.set(path, { file, result });
    for (const oldest of [...read.keys()].slice(0, -MOST_READ)) read.delete(oldest);
    useLocalSound.setState(({ sounds }) => ({
      sounds: sounds.map((each) => (each.path === path ? { ...each, result } : each)),
    }));
  }
}
