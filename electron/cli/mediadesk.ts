#!/usr/bin/env node
import '../engine/ports/wide-thread-pool.ts';
import { EXIT } from './exit-codes.ts';
import { runCommandLine } from './run.ts';

// A reader that has seen enough (`mediadesk queue list | head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.complete : EXIT.incomplete);
});

// `npm run mediadesk` starts this in the folder of the package; paths are meant from where the person stands.
const { npm_lifecycle_event: script, INIT_CWD: startedIn } = process.env;
if (script === 'mediadesk' && startedIn) process.chdir(startedIn);

const code = await runCommandLine(process.argv.slice(2));

/** Resolves when everything that was written is out of this process. */
const drained = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => stream.write('', () => resolve()));

await Promise.all([drained(process.stdout), drained(process.stderr)]);
// A connection that is kept alive for a next request must not keep the process.
process.exit(code);
