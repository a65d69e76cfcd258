import type { LateFileTools } from '../../companions/late-file.ts';
import type { Files } from '../../ports/files.ts';

/** The dependencies of adding uploads. */
export interface AddTools extends LateFileTools {
  files: Files;
}
