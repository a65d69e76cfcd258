import { useEffect, useState } from 'react';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { ListedFile } from '../../../../../shared/contract/upload-files.ts';
import { toErrorData } from '../../../../kit/text/errors.ts';
import { type KnownContents, readContents } from '../../state/file-contents.ts';

interface MediaFactsState {
  contents: KnownContents;
  error: AppErrorData | null;
}

const NONE: MediaFactsState = { contents: new Map(), error: null };

/**
 * Reads tags and dates inside files while they are needed; returns the facts known so far. The reading ends when the view is
 * closed. `roots`: the files and folders that the user added.
 */
export function useMediaFacts(
  files: readonly ListedFile[],
  roots: readonly string[],
  isNeeded: boolean,
): MediaFactsState {
  const [state, setState] = useState(NONE);
  useEffect(() => {
    if (!isNeeded) return;
    return readContents(
      files,
      roots,
      (contents) => setState({ contents, error: null }),
      (thrown) => setState((before) => ({ ...before, error: toErrorData(thrown) })),
    );
  }, [files, roots, isNeeded]);
  return state;
}
