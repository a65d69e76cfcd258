#!/usr/bin/env node
import '../engine/ports/system/small-heap.ts';
import '../engine/ports/system/wide-thread-pool.ts';
import '../engine/ports/system/named-time-zone.ts';
import { endWithReader, whenDrained } from './output/stdout-end.ts';
import { runCommandLine } from './run.ts';

endWithReader();

// `npm run mediadesk` starts this in the folder of the package; paths are relative to the folder of the user's shell.
const { npm_lifecycle_event: script, INIT_CWD: startedIn } = process.env;
if (script === 'mediadesk' && startedIn) process.chdir(startedIn);

const code = await runCommandLine(process.argv.slice(2));
await whenDrained();
// An idle keep-alive connection must not keep the process running.
process.exit(code);
