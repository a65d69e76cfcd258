// Loaded before the tests: `vitest` means `vitest-functions.ts` beside this file.
import { registerHooks } from 'node:module';
import { connect } from 'node:net';

const FUNCTIONS = new URL('./vitest-functions.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) =>
    name === 'vitest' && context.parentURL !== FUNCTIONS
      ? { url: FUNCTIONS, format: 'module-typescript', shortCircuit: true }
      : next(name, context),
});

// Wine refuses one of the options that `fetch` sets on its connections; plain ones are enough for the helpers of tests.
await fetch('data:,').then((answer) => answer.text());
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
const Agent = globalThis[DISPATCHER].constructor;
globalThis[DISPATCHER] = new Agent({
  connect({ hostname, port }, done) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () => done(null, socket)).once('error', done);
  },
});
