#!/usr/bin/env node
import '../engine/ports/system/wide-thread-pool.ts';
import { EXIT } from './output/exit-codes.ts';
import { runCommandLine } from './run.ts';

// A reader may close the pipe early (`mediadesk queue list | head`); that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.complete : EXIT.incomplete);
});

// `npm run mediadesk` starts this in the folder of the package; paths are relative to the folder of the user's shell.
const { npm_lifecycle_event: script, INIT_CWD: startedIn } = process.env;
if (script === 'mediadesk' && startedIn) process.chdir(startedIn);

const code = await runCommandLine(process.argv.slice(2));

/** Resolves when everything that was written has left this process. */
const drained = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => stream.write('', () => resolve()));

await Promise.all([drained(process.stdout), drained(process.stderr)]);
// An idle keep-alive connection must not keep the process running.
process.exit(code);
