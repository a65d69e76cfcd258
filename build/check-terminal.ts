// Checks that every text reaches a terminal through one printer, which replaces the characters that control a terminal.
//
// node build/check-terminal.ts [ROOT]
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sourceFiles } from './checks/source-files.ts';
import { type TerminalViolation, terminalViolations } from './checks/terminal-violations.ts';

type FileViolation = TerminalViolation & { file: string };

/** The folder of the printer. */
const PRINTER = 'electron/cli/output/';
/** Programs that users and operators start. What a page of the window prints reaches no terminal. */
const CHECKED = ['electron/', 'service/', 'shared/'];
/** Where every call that writes to a stream is a violation, whatever the name of the stream is. */
const STRICT = 'electron/cli/';

/** The files outside of the printer that write to a standard stream, each with the reason why that is safe. */
const SAFE: Readonly<Record<string, string>> = {
  'electron/main/main-output.ts': 'passes every line through terminalText',
  'service/processing/tools/picture-worker.ts': 'writes only own sentences, to the pipe of the service',
  'service/site/standard-output.ts': 'passes every line through terminalText or terminalJson',
};

/** Checks the TypeScript files of the programs below `root`. */
export async function checkTerminal(root: string): Promise<{ files: number; violations: FileViolation[] }> {
  const all = await sourceFiles(root, ['.ts', '.tsx', '.mjs']);
  const files = all.filter(
    (file) =>
      CHECKED.some((folder) => file.startsWith(folder)) && !file.startsWith(PRINTER) && !Object.hasOwn(SAFE, file),
  );
  const violations: FileViolation[] = [];
  for (const file of files) {
    const source = await readFile(join(root, file), 'utf8');
    const found = terminalViolations(file, source, file.startsWith(STRICT));
    violations.push(...found.map((violation) => ({ file, ...violation })));
  }
  return { files: files.length, violations };
}

if (import.meta.main) {
  const { files, violations } = await checkTerminal(resolve(process.argv[2] ?? '.'));
  for (const { file, line, text } of violations) console.error(`${file}:${line}  writes to a terminal itself: ${text}`);
  console.log(`terminal: ${files} files, ${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
